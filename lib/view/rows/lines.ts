/** From styled lines to rows of a width: word wrap by grapheme cluster, styles kept over the breaks. */

import type { Row, Segment, Style } from '../../base/style.js';
import { type Visible, visible } from '../../base/visible.js';
import { cellWidth, clusterWidth, graphemes, isSingleCells } from '../../base/width.js';

/** One line before wrapping. No segment holds LF or TAB. */
export interface Line {
  readonly segments: readonly Segment[];
  /** Before its first row. */
  readonly lead?: readonly Segment[];
  /** Before its other rows; as wide as `lead`. */
  readonly hang?: readonly Segment[];
  /** Break at the edge wherever it falls, keeping every blank: output and code. */
  readonly hard?: boolean;
}

/** Rows, and for each the place in its block: `line * LINE + character`, the same at every width. */
export interface LaidOut {
  readonly rows: readonly Row[];
  readonly keys: readonly number[];
}

/** More characters than one line of a block ever has. */
const LINE = 2 ** 24;

/** The key of a character in a line of a block. */
export function lineKey(line: number, character: number): number {
  return line * LINE + character;
}

/** The character that `key` names when it lies in that line; -1 otherwise. */
export function inLine(key: number, line: number): number {
  return Math.floor(key / LINE) === line ? key - line * LINE : -1;
}

/** A run of visible text in one style. */
export function segment(text: Visible, style: Style): Segment {
  return { text, style };
}

/** Text for a row: LF and TAB gone as well; TAB becomes four blanks. */
export function flat(text: string): Visible {
  return visible(text).replace(/\t/g, '    ').replace(/\n/g, ' ') as Visible;
}

/** The lines of untrusted text in one style. TABs become blanks up to the next multiple of eight, as terminals have it. */
export function textLines(text: string, style: Style, hard = false): readonly Line[] {
  return visible(text)
    .split('\n')
    .map((content) => ({ segments: content === '' ? [] : [segment(expandTabs(content), style)], hard }));
}

function expandTabs(content: string): Visible {
  const [first = '', ...others] = content.split('\t');
  let shown = first;
  let cells = cellWidth(first);
  for (const part of others) {
    const fill = 8 - (cells % 8);
    shown += ' '.repeat(fill) + part;
    cells += fill + cellWidth(part);
  }
  return shown as Visible;
}

/** All rows of `lines` at `width` cells. `first` and `rest` stand before the first row and before the others. */
export function layOut(lines: readonly Line[], width: number, first: Segment | null, rest: Segment | null): LaidOut {
  const rows: Row[] = [];
  const keys: number[] = [];
  const gutter = Math.max(first === null ? 0 : cellWidth(first.text), rest === null ? 0 : cellWidth(rest.text));
  const room = Math.max(1, width - gutter);
  for (const [index, line] of lines.entries()) {
    wrapLine(line, room, (segments, offset) => {
      const mark = rows.length === 0 ? first : rest;
      rows.push({ segments: mark === null ? segments : [mark, ...segments] });
      keys.push(lineKey(index, offset));
    });
  }
  return { rows, keys };
}

/** Cells of a run of segments. */
export function segmentsWidth(segments: readonly Segment[]): number {
  return segments.reduce((sum, part) => sum + cellWidth(part.text), 0);
}

/** Cells that a line's lead takes in a row of that width: none when it leaves less than 8 (deep lists in a narrow pane), as text matters more. */
export function leadCells(line: Line, width: number): number {
  const cells = segmentsWidth(line.lead ?? []);
  return cells > 0 && width - cells >= Math.min(8, width) ? cells : 0;
}

/** Calls `emit` with each row of `line` and the character it begins with. */
export function wrapLine(line: Line, width: number, emit: (segments: readonly Segment[], offset: number) => void): void {
  const leadWidth = leadCells(line, width);
  const led = leadWidth > 0;
  const room = width - leadWidth;
  const put = (segments: readonly Segment[], offset: number) => {
    const before = led ? ((offset === 0 ? line.lead : (line.hang ?? line.lead)) ?? []) : [];
    emit(before.length === 0 ? segments : [...before, ...segments], offset);
  };
  const text = line.segments.length === 1 ? (line.segments[0]?.text ?? '') : line.segments.map((part) => part.text).join('');
  const single = isSingleCells(text);
  if (single && text.length <= room) {
    put(line.segments, 0);
    return;
  }
  const hard = line.hard === true;
  for (const [start, end] of single ? singleBreaks(text, room, hard) : clusterBreaks(line.segments, text, room, hard)) {
    put(cut(line.segments, start, end), start);
  }
}

type Span = readonly [number, number];

function singleBreaks(text: string, width: number, hard: boolean): Span[] {
  const spans: Span[] = [];
  let start = 0;
  while (text.length - start > width) {
    let end = start + width;
    if (!hard && text[end] !== ' ') {
      // In this row only: without a blank, all rows before it would be looked through again for each one.
      const blank = text.slice(start, end).lastIndexOf(' ');
      if (blank > 0) end = start + blank + 1;
    }
    spans.push([start, hard ? end : withoutBlanks(text, start, end)]);
    start = end;
    if (!hard) while (text[start] === ' ') start++;
  }
  if (start < text.length || spans.length === 0) spans.push([start, text.length]);
  return spans;
}

function withoutBlanks(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && text[last - 1] === ' ') last--;
  return last > start ? last : end;
}

/** Clusters are taken per segment, as the printer takes them. */
function clusterBreaks(segments: readonly Segment[], text: string, width: number, hard: boolean): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let cells = 0;
  let at = 0;
  let breakAt = -1;
  let cellsAfter = 0;
  for (const cluster of segments.flatMap((part) => graphemes(part.text))) {
    const wide = clusterWidth(cluster);
    if (cells + wide > width && at > start) {
      const soft = !hard && cluster !== ' ' && breakAt > start;
      const end = soft ? breakAt : at;
      spans.push([start, hard ? end : withoutBlanks(text, start, end)]);
      start = end;
      cells = soft ? cellsAfter : 0;
      breakAt = -1;
    }
    at += cluster.length;
    if (!hard && cluster === ' ' && start === at - 1 && spans.length > 0) {
      start = at;
      cells = 0;
      cellsAfter = 0;
      continue;
    }
    cells += wide;
    cellsAfter += wide;
    // One may break after a blank and on either side of a wide character (CJK has no blanks).
    if (cluster === ' ' || wide === 2) {
      breakAt = at;
      cellsAfter = 0;
    }
  }
  if (start < text.length || spans.length === 0) spans.push([start, text.length]);
  return spans;
}

/** The part of `segments` between two characters. */
export function cut(segments: readonly Segment[], start: number, end: number): readonly Segment[] {
  const kept: Segment[] = [];
  let at = 0;
  for (const part of segments) {
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, part.text.length);
    if (to > from)
      kept.push(from === 0 && to === part.text.length ? part : { text: part.text.slice(from, to) as Visible, style: part.style });
    at += part.text.length;
    if (at >= end) break;
  }
  return kept;
}
