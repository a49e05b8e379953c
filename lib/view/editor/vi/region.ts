/** What an operator works on: a motion's way, an object, a selection, made into a stretch of text or whole lines, by vim's rules. */

import { after } from '../clusters.js';
import { type Cursor, type EditorText, isBefore, lineAt } from '../text.js';
import type { Extent, Vi } from './model.js';
import type { Span } from './motions.js';

/** A stretch of text without its end, or whole lines. */
export interface Region {
  readonly from: Cursor;
  /** The place behind it; of whole lines any place in the last one. */
  readonly to: Cursor;
  readonly linewise: boolean;
  /** It was told with its last character: even when there is none, the register is filled with that. */
  readonly inclusive?: boolean;
}

function inIndent(text: EditorText, { line, offset }: Cursor): boolean {
  return /^[ \t]*$/.test(lineAt(text, line).slice(0, offset));
}

/** The region between two places of a motion or an object. */
export function regionOf(text: EditorText, a: Cursor, b: Cursor, span: Span): Region {
  const [from, end] = isBefore(b, a) ? [b, a] : [a, b];
  if (span === 'linewise') return { from, to: end, linewise: true };
  const content = lineAt(text, end.line);
  if (span === 'inclusive')
    return {
      from,
      to: { line: end.line, offset: end.offset < content.length ? after(content, end.offset) : end.offset },
      linewise: false,
      inclusive: true,
    };
  // A way that ends at the start of a line leaves that line alone; from the indent on it is whole lines.
  if (end.offset === 0 && end.line > from.line) {
    const last: Cursor = { line: end.line - 1, offset: lineAt(text, end.line - 1).length };
    return { from, to: last, linewise: inIndent(text, from) };
  }
  return { from, to: end, linewise: false };
}

/** Deleting from the indent to the end of a later line deletes the lines. */
export function deleted(text: EditorText, region: Region): Region {
  if (region.linewise || region.from.line === region.to.line) return region;
  const rest = lineAt(text, region.to.line).slice(region.to.offset);
  return /^[ \t]*$/.test(rest) && inIndent(text, region.from) ? { ...region, linewise: true } : region;
}

/** The selection of a visual mode: both ends are in it, and the line end when the cursor stands on it. */
export function selection(text: EditorText, vi: Vi): Region {
  const anchor = vi.anchor ?? text.cursor;
  const [from, end] = isBefore(text.cursor, anchor) ? [text.cursor, anchor] : [anchor, text.cursor];
  if (vi.mode === 'visual-line') {
    const above = text.cursor.line < anchor.line;
    return { from: above ? from : { line: from.line, offset: 0 }, to: end, linewise: true };
  }
  const content = lineAt(text, end.line);
  if (end.offset < content.length) return { from, to: { line: end.line, offset: after(content, end.offset) }, linewise: false };
  const onLast = end.line === text.lines.length - 1;
  return { from, to: onLast ? end : { line: end.line + 1, offset: 0 }, linewise: false };
}

/** How much of the text a selection was. */
export function extentOf(text: EditorText, vi: Vi): Extent {
  const anchor = vi.anchor ?? text.cursor;
  const [from, end] = isBefore(text.cursor, anchor) ? [text.cursor, anchor] : [anchor, text.cursor];
  const start = from.line === end.line ? from.offset : 0;
  const clusters = clusterCount(lineAt(text, end.line).slice(start, end.offset)) + 1;
  return { linewise: vi.mode === 'visual-line', lines: end.line - from.line + 1, clusters };
}

function clusterCount(content: string): number {
  let count = 0;
  for (let at = 0; at < content.length; at = after(content, at)) count++;
  return count;
}

/** As much again from the cursor on. */
export function regionLike(text: EditorText, extent: Extent): Region {
  const from = text.cursor;
  const line = Math.min(text.lines.length - 1, from.line + extent.lines - 1);
  if (extent.linewise) return { from, to: { line, offset: 0 }, linewise: true };
  const content = lineAt(text, line);
  let offset = line === from.line ? from.offset : 0;
  for (let left = extent.clusters; left > 0 && offset < content.length; left--) offset = after(content, offset);
  return { from, to: { line, offset }, linewise: false };
}
