/** Which rows of the conversation are seen. Only they, and the few that a scroll steps over, are ever laid out. */

import type { Row } from '../base/style.js';
import type { Found, Quest } from './finder.js';
import { isAnswerFolded } from './folded-answers.js';
import { type BlockLook, blockLines } from './rows/block.js';
import type { LaidOut, Line } from './rows/lines.js';
import { isExpanded, type Reading, type State, shownNow } from './state.js';
import { type Block, type BlockId, blockAt, findLast } from './transcript.js';
import type { Size } from './widget.js';

/** A row of the transcript: the block and the row in it. */
interface Place {
  readonly block: BlockId;
  readonly row: number;
}

/** A row on the screen, the block it belongs to, and the place in it that it begins with. */
export interface SeenRow {
  readonly row: Row;
  readonly block: BlockId;
  readonly key: number;
}

/** What is seen of the conversation; `atEnd`: nothing is hidden below. */
export interface Viewport {
  readonly rows: readonly SeenRow[];
  readonly atEnd: boolean;
}

const nothing: LaidOut = { rows: [], keys: [] };

function laidOut(state: State, width: number, id: BlockId): LaidOut {
  const block = blockAt(state.transcript, id);
  if (block === undefined || (isFoldedAway(state, id) && block.kind !== 'user')) return nothing;
  if (block.kind === 'assistant' && block.continued && isAnswerFolded(state, id)) return nothing;
  return state.layouts.rows(id, block, lookOf(state, width, id));
}

/** Folded with all that came before a prompt; the match in front of a search is never. */
function isFoldedAway(state: State, id: BlockId): boolean {
  return id < state.foldedBefore && state.search?.current?.block !== id;
}

function lookOf(state: State, width: number, id: BlockId): BlockLook {
  return {
    width,
    expanded: isExpanded(state, id) || state.search?.current?.block === id,
    selected: state.focus === 'conversation' && selectedCard(state) === id,
    outlined: isFoldedAway(state, id) || isAnswerFolded(state, id),
    first: id === 0,
    nowMs: shownNow(state),
    lex: state.lex,
    theme: state.theme,
    mark: markOf(state, id),
  };
}

function markOf(state: State, id: BlockId): BlockLook['mark'] {
  const { search } = state;
  if (search === null || search.pattern === null) return null;
  return { pattern: search.pattern, current: search.current?.block === id ? search.current.key : -1 };
}

/** What is searched for as it is found in all of the conversation, at that size; null while nothing is. */
export function findIn(state: State, size: Size): Found | null {
  const pattern = state.search?.pattern ?? null;
  if (pattern === null) return null;
  const { lex, theme, layouts, transcript } = state;
  const look = layouts.remember('look of a search', [size.cols, lex, theme], (): Quest['look'] => ({ width: size.cols, lex, theme }));
  return layouts.finder.find(transcript, { pattern, look });
}

/** True for a block that can be shown whole or folded. */
export function isFoldable(block: Block): boolean {
  return block.kind === 'tool' || block.kind === 'reasoning' || (block.kind === 'user' && block.text.length > 200);
}

/** The card that Enter works on: the chosen one, or the last. -1: there is none. */
export function selectedCard(state: State): BlockId {
  const { selected, transcript } = state;
  // Asked for each block that is seen: looked for once.
  return state.layouts.remember(
    'selected card',
    [selected, transcript],
    () => selected ?? findLast(transcript, (block) => block.kind === 'tool', 2000),
  );
}

/** The block above that has rows; -1: there is none. */
function shownBefore(state: State, id: BlockId): BlockId {
  if (id > state.foldedBefore) return id - 1;
  const unfolded = state.search?.current?.block ?? -1;
  const prompt = state.foldedPrompts.findLast((other) => other < id) ?? -1;
  return unfolded < id ? Math.max(prompt, unfolded) : prompt;
}

/** The block below that has rows. */
function shownAfter(state: State, id: BlockId): BlockId {
  if (id + 1 >= state.foldedBefore) return id + 1;
  const unfolded = state.search?.current?.block ?? -1;
  const prompt = state.foldedPrompts.find((other) => other > id) ?? state.foldedBefore;
  return unfolded > id ? Math.min(prompt, unfolded) : prompt;
}

function isBefore(a: Place, b: Place): boolean {
  return a.block < b.block || (a.block === b.block && a.row < b.row);
}

function back(state: State, width: number, from: Place, rows: number): Place {
  let { block, row } = from;
  let left = rows;
  while (left > row) {
    const previous = shownBefore(state, block);
    if (previous < 0) break;
    left -= row;
    block = previous;
    row = laidOut(state, width, block).rows.length;
  }
  return { block, row: Math.max(0, row - left) };
}

function forward(state: State, width: number, from: Place, rows: number): Place {
  let { block, row } = from;
  let left = rows;
  while (block < state.transcript.length) {
    const length = laidOut(state, width, block).rows.length;
    if (row + left < length) return { block, row: row + left };
    left -= length - row;
    block = shownAfter(state, block);
    row = 0;
  }
  return { block, row: 0 };
}

/** The top row when the end is at the bottom. */
function endTop(state: State, size: Size): Place {
  return back(state, size.cols, { block: state.transcript.length, row: 0 }, size.rows);
}

function placeOf(state: State, width: number, block: BlockId, key: number): Place {
  const { keys } = laidOut(state, width, block);
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? 0) <= key) low = middle + 1;
    else high = middle;
  }
  return { block, row: Math.max(0, low - 1) };
}

/** The block whose rows are at the top. */
export function topBlock(state: State, size: Size): BlockId {
  return top(state, size).block;
}

/** Is the top block's first row above the pane? The blank row above a block does not count. */
export function isCutOff(state: State, size: Size): boolean {
  const place = top(state, size);
  return (laidOut(state, size.cols, place.block).keys[place.row] ?? -1) > 0;
}

/** The last block of which something is seen. */
export function lastSeenBlock(state: State, size: Size): BlockId {
  const { rows } = viewport(state, size);
  return rows[rows.length - 1]?.block ?? Math.max(0, state.transcript.length - 1);
}

/** The reading place from which that place in a block is seen: the present one when it is on the screen already, else with it in the upper third. */
export function revealing(state: State, size: Size, block: BlockId, key: number): Reading {
  const goal = placeOf(state, size.cols, block, key);
  const start = top(state, size);
  const isSeen = !isBefore(goal, start) && isBefore(goal, forward(state, size.cols, start, size.rows));
  const wanted = isSeen ? start : back(state, size.cols, goal, Math.floor(size.rows / 3));
  const end = endTop(state, size);
  return heldAt(state, size, isBefore(wanted, end) ? wanted : end);
}

/** That place, held even at the end while more comes below. */
function heldAt(state: State, size: Size, place: Place): Reading {
  const key = laidOut(state, size.cols, place.block).keys[place.row] ?? 0;
  return { kind: 'at', block: place.block, key, seen: state.reading.kind === 'at' ? state.reading.seen : state.transcript.length };
}

function top(state: State, size: Size): Place {
  const end = endTop(state, size);
  if (state.reading.kind === 'follow') return end;
  const wanted = placeOf(state, size.cols, state.reading.block, state.reading.key);
  return isBefore(wanted, end) ? wanted : end;
}

/** What is seen in a pane of that inner size. */
export function viewport(state: State, size: Size): Viewport {
  const start = top(state, size);
  const rows: SeenRow[] = [];
  for (let block = start.block; block < state.transcript.length && rows.length < size.rows; block = shownAfter(state, block)) {
    const { rows: laid, keys } = laidOut(state, size.cols, block);
    for (let i = block === start.block ? start.row : 0; i < laid.length && rows.length < size.rows; i++) {
      const row = laid[i];
      if (row !== undefined) rows.push({ row, block, key: keys[i] ?? 0 });
    }
  }
  return { rows, atEnd: !isBefore(start, endTop(state, size)) };
}

function readingAt(state: State, size: Size, place: Place): Reading {
  if (!isBefore(place, endTop(state, size))) return { kind: 'follow' };
  const key = laidOut(state, size.cols, place.block).keys[place.row] ?? 0;
  return { kind: 'at', block: place.block, key, seen: state.reading.kind === 'at' ? state.reading.seen : state.transcript.length };
}

/** The reading place `rows` further down (negative: up). At the end following begins again. */
export function scrolled(state: State, size: Size, rows: number): Reading {
  const start = top(state, size);
  return readingAt(state, size, rows < 0 ? back(state, size.cols, start, -rows) : forward(state, size.cols, start, rows));
}

/** The reading place at the very beginning. */
export function atStart(state: State, size: Size): Reading {
  return readingAt(state, size, { block: 0, row: 0 });
}

/** The reading place with that block at the top (without the blank row above it), or as near as the end allows. */
export function atBlock(state: State, size: Size, block: BlockId): Reading {
  return readingAt(state, size, placeOf(state, size.cols, block, 0));
}

/** The place that is read now, said so that it holds while blocks below change; following ends unless nothing is hidden. */
export function pinned(state: State, size: Size): Reading {
  return heldAt(state, size, top(state, size));
}

/** Following again when a pinned place turns out to show the end. */
export function settled(state: State, size: Size): Reading {
  return readingAt(state, size, top(state, size));
}

/** A block's rows as they are shown at that width, with the lines that they were made from. */
export function shownBlock(state: State, width: number, id: BlockId): { readonly laid: LaidOut; readonly lines: readonly Line[] } {
  const block = blockAt(state.transcript, id);
  const laid = laidOut(state, width, id);
  return { laid, lines: block === undefined || laid.rows.length === 0 ? [] : blockLines(block, lookOf(state, width, id)).lines };
}

/** How much of the conversation is seen, counted in blocks and parts of them: what there is of rows nobody has laid out. */
export interface Extent {
  readonly top: number;
  readonly bottom: number;
  /** Where the top is when the end is seen. */
  readonly lastTop: number;
  readonly total: number;
}

/** What is seen in a pane of that inner size; null when that is everything. */
export function extentOf(state: State, size: Size): Extent | null {
  const start = top(state, size);
  const end = endTop(state, size);
  if (end.block <= 0 && end.row <= 0) return null;
  const position = (place: Place) => place.block + place.row / Math.max(1, laidOut(state, size.cols, place.block).rows.length);
  const bottom = position(forward(state, size.cols, start, size.rows));
  return { top: position(start), bottom, lastTop: position(end), total: state.transcript.length };
}

/** The reading place at that share of the way from the start (0) to the end (1). */
export function atShare(state: State, size: Size, share: number): Reading {
  const end = endTop(state, size);
  if (share >= 1) return { kind: 'follow' };
  const rowsOf = (block: BlockId) => laidOut(state, size.cols, block).rows.length;
  const goal = Math.max(0, share) * (end.block + end.row / Math.max(1, rowsOf(end.block)));
  const block = Math.min(end.block, Math.floor(goal));
  return readingAt(state, size, { block, row: Math.floor((goal - block) * rowsOf(block)) });
}
