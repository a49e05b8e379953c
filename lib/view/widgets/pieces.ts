/** Small things that widgets are made of: segments, rows of two ends, borders. */

import { type Row, rowOf, type Segment, type Style } from '../../base/style.js';
import { type Visible, visibleLine } from '../../base/visible.js';
import { cellWidthUpTo, clusterWidth, graphemes, truncate } from '../../base/width.js';
import { segmentsWidth } from '../rows/lines.js';
import type { Rect } from '../widget.js';

/** Untrusted text on one line in a style. */
export function piece(text: string, style: Style): Segment {
  return { text: visibleLine(text), style };
}

/** The same for what must be exact: paths, hosts, names of tools. */
export function exactPiece(text: string, style: Style): Segment {
  return { text: visibleLine(text, 'exact'), style };
}

/** So many blanks. */
export function blanks(count: number, style: Style): Segment {
  return { text: ' '.repeat(Math.max(0, count)) as Visible, style };
}

/** `segments` cut to `cells`; where something was cut the last cell shows `…`. */
export function fitted(segments: readonly Segment[], cells: number): readonly Segment[] {
  if (fits(segments, cells)) return segments;
  const kept: Segment[] = [];
  let left = cells;
  for (const segment of segments) {
    const width = cellWidthUpTo(segment.text, left);
    if (width < left) {
      kept.push(segment);
      left -= width;
      continue;
    }
    // Something follows or this one is too long: the mark must fit.
    kept.push({
      text: (width > left ? truncate(segment.text, left) : `${truncate(segment.text, left - 1).replace(/…$/, '')}…`) as Visible,
      style: segment.style,
    });
    break;
  }
  return kept;
}

function fits(segments: readonly Segment[], cells: number): boolean {
  let left = cells;
  return segments.every(({ text }) => {
    left -= cellWidthUpTo(text, left);
    return left >= 0;
  });
}

/** A path in at most so many cells, a blank before it: its end says more than its beginning. Nothing when that would say nothing. */
export function pathEnd(path: Segment, cells: number): readonly Segment[] {
  if (fits([path], cells)) return [path];
  const clusters = graphemes(path.text);
  let from = clusters.length;
  // Before it a blank and the mark of the cut.
  for (let left = cells - 2; from > 0; from--) {
    left -= clusterWidth(clusters[from - 1] ?? '');
    if (left < 0) break;
  }
  return cells < LEAST_PATH ? [] : [{ text: ` …${clusters.slice(from).join('')}` as Visible, style: path.style }];
}

/** Cells in which the end of a path still says where one is. */
const LEAST_PATH = 8;

/** One row: `left` at the left, `right` at the right; the left part gives way. */
export function ends(left: readonly Segment[], right: readonly Segment[], cells: number, style: Style): Row {
  const tail = fitted(right, cells);
  const head = fitted(left, Math.max(0, cells - segmentsWidth(tail) - 1));
  const fill = cells - segmentsWidth(head) - segmentsWidth(tail);
  return { ...rowOf(...head, blanks(fill, style), ...tail), fill: style };
}

/** The part of a row between two cells; a wide character that does not fit whole becomes blanks. */
export function sliceRow(line: Row, from: number, cells: number): Row {
  const kept: Segment[] = [];
  let at = 0;
  for (const segment of line.segments) {
    let text = '';
    for (const cluster of graphemes(segment.text)) {
      const width = clusterWidth(cluster);
      const start = at;
      at += width;
      if (start >= from && at <= from + cells && !(width === 0 && text === '' && kept.length === 0)) text += cluster;
      else if (at > from && start < from + cells) text += ' '.repeat(Math.min(at, from + cells) - Math.max(start, from));
    }
    if (text !== '') kept.push({ text: text as Visible, style: segment.style });
    if (at >= from + cells) break;
  }
  return line.fill === undefined ? { segments: kept } : { segments: kept, fill: line.fill };
}

/** The words in a border, and how it looks. */
export interface BoxLook {
  readonly title: readonly Segment[];
  readonly foot?: readonly Segment[];
  readonly style: Style;
  /** The upper corners where the box stands under another one. */
  readonly joined?: boolean;
}

/** The four sides of a box as parts of a frame. */
export function border(rect: Rect, look: BoxLook): readonly { readonly rect: Rect; readonly rows: readonly Row[] }[] {
  const { style } = look;
  const wide = rect.cols - 2;
  const side: Row = { segments: [piece('│', style)] };
  const sides = Array.from({ length: Math.max(0, rect.rows - 2) }, () => side);
  const edge = (left: string, words: readonly Segment[], right: string): Row => {
    const shown = words.length === 0 ? [] : [piece('─ ', style), ...fitted(words, Math.max(0, wide - 3)), piece(' ', style)];
    return { segments: [piece(left, style), ...shown, piece('─'.repeat(Math.max(0, wide - segmentsWidth(shown))) + right, style)] };
  };
  const [topLeft, topRight] = look.joined === true ? ['├', '┤'] : ['┌', '┐'];
  return [
    { rect: { ...rect, rows: 1 }, rows: [edge(topLeft, look.title, topRight)] },
    { rect: { x: rect.x, y: rect.y + 1, cols: 1, rows: sides.length }, rows: sides },
    { rect: { x: rect.x + rect.cols - 1, y: rect.y + 1, cols: 1, rows: sides.length }, rows: sides },
    { rect: { ...rect, y: rect.y + rect.rows - 1, rows: 1 }, rows: [edge('└', look.foot ?? [], '┘')] },
  ];
}
