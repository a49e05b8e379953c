/** What is selected in a draft: the region of emacs keys, or the selection of a visual mode of vi. */

import type { Editor } from './model.js';
import { regionOf } from './region.js';
import { type Cursor, lineAt } from './text.js';
import { isVisual } from './vi/model.js';
import { selection } from './vi/region.js';
import type { EditorRow } from './wrap.js';

/** The offsets of a row that are selected; one more than its end when the line end is. Empty: `from` is `to`. */
export function selected(editor: Editor, row: EditorRow): readonly [number, number] {
  const none = [row.start, row.start] as const;
  const range = ends(editor);
  if (range === null || row.line < range.from.line || row.line > range.to.line) return none;
  const { length } = lineAt(editor.text, row.line);
  const from = row.line === range.from.line ? range.from.offset : 0;
  const to = row.line === range.to.line ? range.to.offset : length + 1;
  const start = Math.max(from, row.start);
  // The end of the line is seen behind its last row only.
  const end = Math.min(to, row.end === length ? length + 1 : row.end);
  return start < end ? [start, end] : none;
}

function ends(editor: Editor): { readonly from: Cursor; readonly to: Cursor } | null {
  const { vi, text } = editor;
  if (vi === null || !isVisual(vi)) return regionOf(editor);
  const region = selection(text, vi);
  if (!region.linewise) return region;
  return { from: { line: region.from.line, offset: 0 }, to: { line: region.to.line, offset: lineAt(text, region.to.line).length + 1 } };
}
