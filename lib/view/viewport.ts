/** Which rows of the conversation are seen. Only they, and the few that a scroll steps over, are ever laid out. */

import type { Row } from '../base/style.js';
import type { BlockLook } from './rows/block.js';
import type { LaidOut } from './rows/lines.js';
import { isExpanded, type Reading, type State, shownNow } from './state.js';
import { type Block, type BlockId, blockAt, findLast } from './transcript.js';
import type { Size } from './widget.js';

/** A row of the transcript: the block and the row in it. */
interface Place {
  readonly block: BlockId;
  readonly row: number;
}

/** A row on the screen and the block it belongs to. */
export interface SeenRow {
  readonly row: Row;
  readonly block: BlockId;
}

/** What is seen of the conversation; `atEnd`: nothing is hidden below. */
export interface Viewport {
  readonly rows: readonly SeenRow[];
  readonly atEnd: boolean;
}

const nothing: LaidOut = { rows: [], keys: [] };

function laidOut(state: State, width: number, id: BlockId): LaidOut {
  const block = blockAt(state.transcript, id);
  return block === undefined ? nothing : state.layouts.rows(id, block, lookOf(state, width, id));
}

function lookOf(state: State, width: number, id: BlockId): BlockLook {
  return {
    width,
    expanded: isExpanded(state, id),
    selected: state.focus === 'conversation' && selectedCard(state) === id,
    first: id === 0,
    nowMs: shownNow(state),
    lex: state.lex,
    theme: state.theme,
  };
}

/** True for a block that can be shown whole or folded. */
export function isFoldable(block: Block): boolean {
  return block.kind === 'tool' || block.kind === 'reasoning' || (block.kind === 'user' && block.text.length > 200);
}

/** The card that Enter works on: the chosen one, or the last. -1: there is none. */
export function selectedCard(state: State): BlockId {
  return state.selected ?? findLast(state.transcript, (block) => block.kind === 'tool', 2000);
}

function isBefore(a: Place, b: Place): boolean {
  return a.block < b.block || (a.block === b.block && a.row < b.row);
}

function back(state: State, width: number, from: Place, rows: number): Place {
  let { block, row } = from;
  let left = rows;
  while (left > row && block > 0) {
    left -= row;
    block--;
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
    block++;
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
  for (let block = start.block; block < state.transcript.length && rows.length < size.rows; block++) {
    const laid = laidOut(state, size.cols, block).rows;
    for (let i = block === start.block ? start.row : 0; i < laid.length && rows.length < size.rows; i++) {
      const row = laid[i];
      if (row !== undefined) rows.push({ row, block });
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

/** The reading place with that block at the top, or as near as the end allows. */
export function atBlock(state: State, size: Size, block: BlockId): Reading {
  return readingAt(state, size, { block, row: 0 });
}

/** The place that is read now, said so that it holds while blocks below change; following ends unless nothing is hidden. */
export function pinned(state: State, size: Size): Reading {
  const place = top(state, size);
  const key = laidOut(state, size.cols, place.block).keys[place.row] ?? 0;
  return { kind: 'at', block: place.block, key, seen: state.reading.kind === 'at' ? state.reading.seen : state.transcript.length };
}

/** Following again when a pinned place turns out to show the end. */
export function settled(state: State, size: Size): Reading {
  return readingAt(state, size, top(state, size));
}
