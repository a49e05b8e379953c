/** The text of selected rows of a pane's picture, or of a list: line by line, what the terminal wrapped rejoined. */

import type { Row } from '../../base/style.js';
import { clustersOf, spanOf, textIn } from './cells.js';

/** From a cell of one row to a cell of the same or a later one; both belong to it. */
export interface RowRange {
  readonly first: { readonly row: number; readonly x: number };
  readonly last: { readonly row: number; readonly x: number };
}

/** The text between. `wrapCols`: a row that fills so many cells goes on in the next one; 0: none does. */
export function screenText(rows: readonly Row[], { first, last }: RowRange, wrapCols: number): string {
  let text = '';
  for (let at = first.row; at <= Math.min(last.row, rows.length - 1); at++) {
    const row = rows[at] ?? { segments: [] };
    const part = textIn(row, spanOf(row, at === first.row ? first.x : 0, at === last.row ? last.x : Number.POSITIVE_INFINITY, 0));
    const joined = at < last.row && wraps(row, rows[at + 1], wrapCols);
    text += joined ? part : `${part.trimEnd()}${at < last.row ? '\n' : ''}`;
  }
  return text;
}

/** The rows of the line that a row belongs to. */
export function lineOf(rows: readonly Row[], row: number, wrapCols: number): { readonly first: number; readonly last: number } {
  let [first, last] = [row, row];
  while (first > 0 && wraps(rows[first - 1] ?? { segments: [] }, rows[first], wrapCols)) first--;
  while (last < rows.length - 1 && wraps(rows[last] ?? { segments: [] }, rows[last + 1], wrapCols)) last++;
  return { first, last };
}

/** A picture does not tell where a line goes on: a row without a free cell does (or with one, when what follows is two cells wide). */
function wraps(row: Row, next: Row | undefined, cols: number): boolean {
  if (cols <= 0 || next === undefined) return false;
  const end = clustersOf(row).findLast(({ text }) => text.trim() !== '');
  const start = clustersOf(next)[0];
  if (end === undefined || start === undefined || start.text.trim() === '') return false;
  const used = end.x + end.width;
  return used === cols || (used === cols - 1 && start.width === 2);
}
