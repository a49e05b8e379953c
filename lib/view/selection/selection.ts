/** What is selected with the mouse: in one pane, as one reads it, by characters, words or lines. Pure. */

import type { Row } from '../../base/style.js';
import { rowText } from '../../base/style.js';
import { inside } from '../layout.js';
import { shownPart } from '../pane-view.js';
import type { PanePlace, Selection } from '../pointer.js';
import { pointed } from '../pointing.js';
import { gutterCells } from '../rows/block.js';
import { lineKey } from '../rows/lines.js';
import { conversationRect, screenLayout } from '../screen.js';
import type { PaneName, State } from '../state.js';
import { viewport } from '../viewport.js';
import type { Rect, Size } from '../widget.js';
import { partRows } from '../widgets/mirror.js';
import { tasks } from '../widgets/tasks.js';
import { type Span, spanOf, wordSpan } from './cells.js';
import { conversationText } from './conversation-text.js';
import { lineOf, screenText } from './screen-text.js';

/** A row that is seen in a pane, and its name. */
export interface PlacedRow {
  readonly block: number;
  readonly key: number;
  readonly row: Row;
}

/** The inside of a pane, as far as text stands in it; null when it is not shown. */
export function textRect(state: State, pane: PaneName): Rect | null {
  if (pane === 'conversation') return conversationRect(state);
  const outer = screenLayout(state).panes[pane];
  return outer === null ? null : inside(outer);
}

/** The rows that a pane shows. */
function shownRows(state: State, pane: PaneName, rect: Rect): readonly PlacedRow[] {
  if (pane === 'conversation') return viewport(state, rect).rows;
  if (pane === 'tasks') return placed(tasks.rows(state, rect, state.theme));
  const part = state.pane === null ? null : shownPart(state.pane, rect);
  return part === null ? [] : placed(partRows(part, rect));
}

function placed(rows: readonly Row[]): readonly PlacedRow[] {
  return rows.map((row, key) => ({ block: 0, key, row }));
}

const gutterOf = (pane: PaneName): number => (pane === 'conversation' ? gutterCells : 0);

function isBefore(a: PanePlace, b: PanePlace): boolean {
  return a.block !== b.block ? a.block < b.block : a.key !== b.key ? a.key < b.key : a.x < b.x;
}

function ordered({ from, to }: Selection): readonly [PanePlace, PanePlace] {
  return isBefore(to, from) ? [to, from] : [from, to];
}

/** The place under a cell of the screen, or nearest to it; null when the pane shows nothing. */
function placeAt(rect: Rect, rows: readonly PlacedRow[], x: number, y: number): PanePlace | null {
  const below = y - rect.y >= rows.length;
  const found = rows[Math.max(0, Math.min(y - rect.y, rows.length - 1))];
  if (found === undefined) return null;
  const column = y < rect.y ? 0 : below ? rect.cols - 1 : Math.max(0, Math.min(x - rect.x, rect.cols - 1));
  return { block: found.block, key: found.key, x: column };
}

/** The state with a selection begun at a cell: of that cell, its word (2) or its line (3). */
export function selectionBegun(state: State, pane: PaneName, x: number, y: number, count: number): State {
  const rect = textRect(state, pane);
  if (rect === null) return state;
  const rows = shownRows(state, pane, rect);
  const place = placeAt(rect, rows, x, y);
  if (place === null) return pointed(state, { selection: null });
  const kept = pane === 'conversation' ? null : rows.map(({ row }) => row);
  const base: Selection = { pane, from: place, to: place, size: { cols: rect.cols, rows: rect.rows }, rows: kept };
  if (count === 1) return pointed(state, { selection: base });
  return pointed(state, { selection: count === 2 ? ofWord(base, rows, place) : ofLine(base, place, wrapColsOf(state, pane, rect)) });
}

function ofWord(base: Selection, rows: readonly PlacedRow[], place: PanePlace): Selection {
  const found = rows.find(({ block, key }) => block === place.block && key === place.key);
  if (found === undefined) return base;
  const { from, to } = wordSpan(found.row, place.x, gutterOf(base.pane));
  return { ...base, from: { ...place, x: from }, to: { ...place, x: Math.max(from, to - 1) } };
}

function ofLine(base: Selection, place: PanePlace, wrapCols: number): Selection {
  const end = Number.POSITIVE_INFINITY;
  if (base.rows === null) {
    const start = lineKey(Math.floor(Math.max(0, place.key) / lineKey(1, 0)), 0);
    return { ...base, from: { ...place, key: start, x: 0 }, to: { ...place, key: start + lineKey(1, 0) - 1, x: end } };
  }
  const { first, last } = lineOf(base.rows, place.key, wrapCols);
  return { ...base, from: { ...place, key: first, x: 0 }, to: { ...place, key: last, x: end } };
}

/** The state with the selection drawn out to a cell. */
export function selectionExtended(state: State, x: number, y: number): State {
  const { selection } = state.pointer;
  const rect = selection === null ? null : textRect(state, selection.pane);
  if (selection === null || rect === null) return state;
  const rows = selection.rows === null ? shownRows(state, selection.pane, rect) : placed(selection.rows);
  const to = placeAt(rect, rows, x, y);
  return to === null ? state : pointed(state, { selection: { ...selection, to } });
}

/** The text that is selected; '' when there is none. */
export function selectedText(state: State): string {
  const { selection } = state.pointer;
  if (selection === null) return '';
  const [first, last] = ordered(selection);
  if (selection.rows === null) return conversationText(state, selection.size.cols, first, last);
  const range = { first: { row: first.key, x: first.x }, last: { row: last.key, x: last.x } };
  return screenText(selection.rows, range, wrapColsOf(state, selection.pane, selection.size));
}

/** Cells of a row that goes on in the next one; 0 where rows are cut and not wrapped. */
function wrapColsOf(state: State, pane: PaneName, size: Size): number {
  const cols = pane === 'mirror' && state.pane !== null ? (shownPart(state.pane, size)?.cols ?? 0) : 0;
  return cols <= size.cols ? cols : 0;
}

/** A piece of a row that is selected, in cells of the pane. */
export interface SelectedSpan extends Span {
  readonly row: Row;
  readonly y: number;
}

/** What is selected of what is seen. */
export interface SeenSelection {
  readonly rect: Rect;
  readonly spans: readonly SelectedSpan[];
  /** While the button is held a picture stands still, so that nothing runs away under the pointer. */
  readonly still: readonly Row[] | null;
}

/** Null when nothing that is selected can be seen any more: the pane has another size, or shows something else there. */
export function seenSelection(state: State): SeenSelection | null {
  const { selection, held } = state.pointer;
  const rect = selection === null ? null : textRect(state, selection.pane);
  if (selection === null || rect === null || rect.cols !== selection.size.cols || rect.rows !== selection.size.rows) return null;
  const holds = held?.kind === 'select';
  const isOnlyClick = holds && !held.moved && held.count === 1;
  const still = holds ? selection.rows : null;
  const rows = still === null ? shownRows(state, selection.pane, rect) : placed(still);
  const [first, last] = ordered(selection);
  const spans: SelectedSpan[] = [];
  for (const [y, { block, key, row }] of rows.entries()) {
    const here = { block, key, x: 0 };
    if (isBefore(here, { ...first, x: 0 }) || isBefore({ ...last, x: 0 }, here)) continue;
    const kept = selection.rows?.[key];
    if (kept !== undefined && kept !== row && rowText(kept) !== rowText(row)) return null;
    const isFirst = block === first.block && key === first.key;
    const isLast = block === last.block && key === last.key;
    const span = spanOf(row, isFirst ? first.x : 0, isLast ? last.x : Number.POSITIVE_INFINITY, gutterOf(selection.pane));
    if (span.to > span.from) spans.push({ ...span, row, y });
  }
  return { rect, spans: isOnlyClick ? [] : spans, still };
}
