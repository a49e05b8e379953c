/** Scrollbars: a thumb in the right border of what is longer than its pane, in proportion. Pure. */

import { bodyView, scrollBody } from './approval.js';
import { inside } from './layout.js';
import { isBack, scrollPane, shownPart } from './pane-view.js';
import { conversationRect, screenLayout } from './screen.js';
import type { State } from './state.js';
import { atShare, extentOf } from './viewport.js';
import type { Rect } from './widget.js';

/** What can be scrolled with one. */
export type BarName = 'conversation' | 'mirror' | 'approval';

/** A bar: the cells that it runs along, and the part of them that is its thumb. */
export interface Scrollbar {
  readonly name: BarName;
  readonly track: Rect;
  /** Rows from the top of the track. */
  readonly thumb: { readonly top: number; readonly rows: number };
}

/** What is shown of something. `lastTop`: the top when its end is shown. */
interface Shown {
  readonly top: number;
  readonly bottom: number;
  readonly lastTop: number;
  readonly total: number;
}

/** The thumb touches an end only when that end is shown. */
function thumbOf({ top, bottom, lastTop, total }: Shown, track: number): Scrollbar['thumb'] {
  const rows = Math.max(1, Math.min(track - 1, Math.round((track * (bottom - top)) / Math.max(1, total))));
  const free = track - rows;
  const at = Math.round((free * top) / Math.max(lastTop, Number.MIN_VALUE));
  const least = top > 0 ? 1 : 0;
  const most = top < lastTop ? free - 1 : free;
  return { top: Math.max(0, Math.min(Math.max(at, Math.min(least, free)), Math.max(0, most))), rows };
}

/** The bars that are seen now. */
export function scrollbars(state: State): readonly Scrollbar[] {
  return [conversationBar(state), mirrorBar(state), approvalBar(state)].filter((bar) => bar !== null);
}

/** A bar needs a few rows to say anything. */
const LEAST_ROWS = 3;

function conversationBar(state: State): Scrollbar | null {
  const rect = conversationRect(state);
  if (rect === null || rect.rows < LEAST_ROWS || rect.cols < 1) return null;
  const { transcript, toggled, expandAll, reading, foldedBefore, search, lex, theme } = state;
  const inputs = [rect, transcript, toggled, expandAll, reading, foldedBefore, search, lex, theme];
  const extent = state.layouts.remember('extent', inputs, () => extentOf(state, rect));
  if (extent === null) return null;
  const track: Rect = { x: rect.x + rect.cols, y: rect.y, cols: 1, rows: rect.rows };
  return { name: 'conversation', track, thumb: thumbOf(extent, track.rows) };
}

/** While one is scrolled back: how much there is above a live pane is not known. */
function mirrorBar(state: State): Scrollbar | null {
  const outer = screenLayout(state).panes.mirror;
  if (outer === null || state.pane === null || !isBack(state)) return null;
  const room = inside(outer);
  const part = shownPart(state.pane, room);
  if (part === null || part.rows.length <= room.rows || room.rows < LEAST_ROWS) return null;
  const shown = { top: part.y, bottom: part.y + room.rows, lastTop: part.rows.length - room.rows, total: part.rows.length };
  const track: Rect = { x: room.x + room.cols, y: room.y, cols: 1, rows: room.rows };
  return { name: 'mirror', track, thumb: thumbOf(shown, room.rows) };
}

function approvalBar(state: State): Scrollbar | null {
  const outer = screenLayout(state).approval;
  const view = bodyView(state);
  if (outer === null || view === null || view.total <= view.room) return null;
  const { x, y, cols, rows } = inside(outer);
  if (rows < LEAST_ROWS) return null;
  const track: Rect = { x: x + cols, y, cols: 1, rows };
  const shown = { top: view.top, bottom: view.top + view.room, lastTop: view.total - view.room, total: view.total };
  return { name: 'approval', track, thumb: thumbOf(shown, rows) };
}

/** The state with the top of the thumb at that row of the track, or as near as there is something to show. */
export function draggedTo(state: State, bar: Scrollbar, top: number): State {
  const free = Math.max(1, bar.track.rows - bar.thumb.rows);
  const share = Math.max(0, Math.min(1, top / free));
  if (bar.name === 'conversation') {
    const rect = conversationRect(state);
    return rect === null ? state : { ...state, reading: atShare(state, rect, share) };
  }
  if (bar.name === 'mirror') return mirrorDraggedTo(state, share);
  const view = bodyView(state);
  return view === null ? state : scrollBody(state, Math.round(share * (view.total - view.room)) - view.top);
}

/** At its end the pane is live again. */
function mirrorDraggedTo(state: State, share: number): State {
  const outer = screenLayout(state).panes.mirror;
  const room = outer === null ? null : inside(outer);
  const part = state.pane === null || room === null ? null : shownPart(state.pane, room);
  if (part === null || room === null) return state;
  // What has scrolled off is here already: nothing has to be asked for.
  return scrollPane(state, Math.round(share * (part.rows.length - room.rows)) - part.y).state;
}
