/** How the draft lies on the screen: soft wrap, and moving up and down by the rows that are seen. */

import type { Visible } from '../../base/visible.js';
import { cellWidth, isSingleCells, truncate } from '../../base/width.js';
import { clusters, isMark, type Paste, shown } from './clusters.js';
import { type Cursor, type EditorText, lineAt } from './text.js';

/** One seen row of a line: offsets in the line, and the pieces that are shown. */
export interface EditorRow {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly { readonly text: Visible; readonly token: boolean }[];
}

/** The rows of one line at `width` cells; always at least one. Breaks after blanks where there are any. */
export function wrapEditorLine(content: string, line: number, width: number, pastes: readonly Paste[]): readonly EditorRow[] {
  if (isSingleCells(content)) return wrapSingle(content as Visible, line, width);
  const parts = clusters(content).map((cluster) => {
    const token = isMark(cluster);
    const text = truncate(shown(cluster, pastes), width) as Visible;
    return { cluster, text, token, cells: cellWidth(text) };
  });
  const rows: EditorRow[] = [];
  let from = 0;
  while (from < parts.length) {
    let cells = 0;
    let to = from;
    let blank = -1;
    for (; to < parts.length; to++) {
      const part = parts[to];
      if (part === undefined || cells + part.cells > width) break;
      cells += part.cells;
      if (part.cluster === ' ') blank = to + 1;
    }
    if (to < parts.length && blank > from) to = blank;
    if (to === from) to = from + 1;
    const start = rows[rows.length - 1]?.end ?? 0;
    const row = parts.slice(from, to);
    rows.push({ line, start, end: start + row.reduce((sum, part) => sum + part.cluster.length, 0), pieces: merge(row) });
    from = to;
  }
  return rows.length > 0 ? rows : [{ line, start: 0, end: 0, pieces: [] }];
}

function wrapSingle(content: Visible, line: number, width: number): readonly EditorRow[] {
  const rows: EditorRow[] = [];
  let start = 0;
  while (start < content.length || rows.length === 0) {
    let end = Math.min(content.length, start + width);
    const blank = end < content.length ? content.lastIndexOf(' ', end - 1) : -1;
    if (blank >= start) end = blank + 1;
    rows.push({ line, start, end, pieces: end > start ? [{ text: content.slice(start, end) as Visible, token: false }] : [] });
    start = end;
  }
  return rows;
}

/** What is shown of a part of a row: the clusters between two offsets of its line. */
export function piecesBetween(content: string, from: number, to: number, width: number, pastes: readonly Paste[]): EditorRow['pieces'] {
  if (from >= to) return [];
  return merge(
    clusters(content.slice(from, to)).map((cluster) => ({
      text: truncate(shown(cluster, pastes), width) as Visible,
      token: isMark(cluster),
    })),
  );
}

function merge(parts: readonly { readonly text: Visible; readonly token: boolean }[]): EditorRow['pieces'] {
  const pieces: { text: Visible; token: boolean }[] = [];
  for (const part of parts) {
    const last = pieces[pieces.length - 1];
    if (last !== undefined && !last.token && !part.token) last.text = (last.text + part.text) as Visible;
    else pieces.push({ text: part.text, token: part.token });
  }
  return pieces;
}

/** Rows of lines that were laid out before, by their text. A memory, not a state; for one width and one list of pastes. */
export type WrappedLines = Map<string, readonly EditorRow[]>;

/** Lines remembered at most: a draft has far fewer. */
const MOST_WRAPPED = 20_000;

/** All rows of a draft. At a key only the lines that it changed are laid out anew. */
export function editorRows(
  text: EditorText,
  width: number,
  pastes: readonly Paste[],
  known: WrappedLines = new Map(),
): readonly EditorRow[] {
  if (known.size > MOST_WRAPPED) known.clear();
  const all: EditorRow[] = [];
  text.lines.forEach((content, line) => {
    const rows = known.get(content) ?? wrapEditorLine(content, line, width, pastes);
    const placed = rows[0]?.line === line ? rows : rows.map((row) => ({ ...row, line }));
    known.set(content, placed);
    for (const row of placed) all.push(row);
  });
  return all;
}

/** Where the cursor is seen: the index of its row, and cells from the left. */
export function seenAt(
  text: EditorText,
  rows: readonly EditorRow[],
  width: number,
  pastes: readonly Paste[],
): { readonly x: number; readonly y: number } {
  const { line, offset } = text.cursor;
  const y = rows.findLastIndex((row) => row.line === line && row.start <= offset);
  const row = rows[y];
  if (row === undefined) return { x: 0, y: 0 };
  const x = cellsOf(lineAt(text, line).slice(row.start, offset), width, pastes);
  return { x: Math.min(x, width - 1), y };
}

function cellsOf(content: string, width: number, pastes: readonly Paste[]): number {
  if (isSingleCells(content)) return content.length;
  return clusters(content).reduce((sum, cluster) => sum + Math.min(width, cellWidth(shown(cluster, pastes))), 0);
}

/** The place in `row` nearest to `goal` cells from the left. */
export function placeAt(text: EditorText, row: EditorRow, goal: number, width: number, pastes: readonly Paste[]): Cursor {
  const content = lineAt(text, row.line);
  const wrapped = row.end < content.length;
  let offset = row.start;
  let x = 0;
  for (const cluster of clusters(content.slice(row.start, row.end))) {
    const cells = Math.min(width, cellWidth(shown(cluster, pastes)));
    // The end of a wrapped row is the start of the next one: the last cluster is as far as one gets here.
    if (x + cells > goal || (wrapped && offset + cluster.length >= row.end)) break;
    x += cells;
    offset += cluster.length;
  }
  return { line: row.line, offset };
}
