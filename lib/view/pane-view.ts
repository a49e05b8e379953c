/** How the mirrored pane is looked at: live or back in what has scrolled off, and which part of it where it has more room than its mirror. */

import type { PaneScreen, PaneScrollback } from '../protocol/panes.js';
import { type Step, send, step } from './effects.js';
import type { Size } from './geometry.js';
import { inside } from './layout.js';
import { liveView, type PaneView } from './mirror-view.js';
import { screenLayout } from './screen.js';
import type { MirroredPane, State } from './state.js';
import { withToast } from './toasts.js';

/** The part of a pane that is shown. */
export interface ShownPart {
  /** The rows it is cut from, and their columns. */
  readonly rows: PaneScreen['rows'];
  readonly cols: number;
  readonly x: number;
  readonly y: number;
}

/** The part that a mirror of that inner size shows; null while nothing is there. */
export function shownPart({ screen, view }: MirroredPane, room: Size): ShownPart | null {
  if (screen === null) return null;
  const text = view.back?.text ?? null;
  if (view.back === null || text === null) {
    const { cols, rows, cursor } = screen;
    return { rows, cols, x: offset(view.x, cursor.x, cols, room.cols), y: offset(view.y, cursor.y, rows.length, room.rows) };
  }
  const up = Math.min(view.back.up, mostUp(text, room));
  const y = Math.max(0, text.rows.length - room.rows - up);
  return { rows: text.rows, cols: text.cols, x: offset(view.x ?? 0, 0, text.cols, room.cols), y };
}

/** Where the shown part begins: where the person put it, else as far up and left as the cursor allows. */
function offset(chosen: number | null, cursor: number, whole: number, room: number): number {
  const most = Math.max(0, whole - room);
  return Math.max(0, Math.min(chosen ?? cursor - room + 1, most));
}

/** Rows that can be hidden below. */
function mostUp(text: PaneScrollback, room: Size): number {
  return Math.max(0, text.rows.length - room.rows);
}

/** Is the pane looked at as it was? */
export function isBack(state: State): boolean {
  return state.pane?.view.back?.text != null;
}

/** Is it looked at in another way than around its cursor, live? */
export function isMoved(state: State): boolean {
  const { view = liveView } = state.pane ?? {};
  return view.back !== null || view.x !== null || view.y !== null;
}

/** The inside of the mirror; null when it is not on the screen. */
export function mirrorRoom(state: State): Size | null {
  const { panes, kind } = screenLayout(state);
  return panes.mirror === null || kind === 'small' ? null : inside(panes.mirror);
}

function withView(state: State, view: PaneView): State {
  return state.pane === null ? state : { ...state, pane: { ...state.pane, view } };
}

/** Live again, around the cursor. */
export function backToLive(state: State): State {
  return isMoved(state) ? withView(state, liveView) : state;
}

/**
 * The pane scrolled by rows (negative: up); a wheel may call this as well as a key. The first step up asks for what has scrolled off;
 * past the end it is live again.
 */
export function scrollPane(state: State, rows: number): Step {
  const { pane } = state;
  const room = mirrorRoom(state);
  if (pane === null || pane.screen === null || room === null || rows === 0) return step(state);
  const { back } = pane.view;
  if (back === null) {
    if (rows > 0) return step(state);
    const asked = withView(state, { ...pane.view, back: { up: -rows, text: null, screen: null } });
    return step(asked, send({ type: 'pane.scrollback', pane: pane.id }));
  }
  const most = back.text === null ? Number.POSITIVE_INFINITY : mostUp(back.text, room);
  const up = Math.max(0, Math.min(most, Math.min(back.up, most) - rows));
  return step(withView(state, { ...pane.view, back: up === 0 ? null : { ...back, up } }));
}

/** The oldest rows that there are. */
export function scrollPaneToStart(state: State): Step {
  return scrollPane(state, Number.NEGATIVE_INFINITY);
}

/** Rows of a page of the mirror. */
export function pageOf(state: State): number {
  return Math.max(1, (mirrorRoom(state)?.rows ?? 2) - 1);
}

/** What was asked for has come; nothing when nobody waits for it any more. */
export function withScrollback(state: State, id: string, text: PaneScrollback | null): State {
  const { pane } = state;
  const back = pane?.view.back ?? null;
  const room = mirrorRoom(state);
  if (pane === null || pane.id !== id || back === null || back.text !== null) return state;
  const none = (words: string): State => withToast(withView(state, { ...pane.view, back: null }), words, 'info', state.nowMs);
  if (text === null) return none('tmux does not tell what has scrolled off.');
  const up = Math.min(back.up, room === null ? 0 : mostUp(text, room));
  return up === 0 ? none('Nothing has scrolled off yet.') : withView(state, { ...pane.view, back: { up, text, screen: pane.screen } });
}

/** The shown part moved by columns and rows, where there is more of the pane than its mirror has room for. */
export function panPane(state: State, cols: number, rows: number): State {
  const { pane } = state;
  const room = mirrorRoom(state);
  const part = pane === null || room === null ? null : shownPart(pane, room);
  if (pane === null || room === null || part === null || allShownReason(state) !== null) return state;
  const x = offset(part.x + cols, 0, part.cols, room.cols);
  if (isBack(state)) return withView(state, { ...pane.view, x });
  const y = offset(part.y + rows, 0, part.rows.length, room.rows);
  // A direction that was not asked for goes on to follow the cursor.
  return withView(state, { ...pane.view, x: cols === 0 ? pane.view.x : x, y: rows === 0 ? pane.view.y : y });
}

/** Why the shown part cannot be moved; null when it can. */
export function allShownReason(state: State): string | null {
  const room = mirrorRoom(state);
  const screen = state.pane?.screen ?? null;
  if (screen === null || room === null) return 'no pane is shown';
  return screen.cols > room.cols || screen.rows.length > room.rows ? null : 'all of the pane is shown';
}

/** Why nothing can be scrolled; null when it can. */
export function noScrollReason(state: State): string | null {
  return state.pane?.screen == null || mirrorRoom(state) === null ? 'no pane is shown' : null;
}

/** `12 lines up`, and whether the pane has gone on since; '' while it is live. */
export function scrolledWords(state: State): string {
  const back = state.pane?.view.back ?? null;
  const room = mirrorRoom(state);
  if (back === null || room === null) return '';
  if (back.text === null) return 'scrolling back …';
  const most = mostUp(back.text, room);
  const up = Math.min(back.up, most);
  const start = up < most ? '' : back.text.more ? ', the oldest that are shown' : ', the start';
  return `${up} ${up === 1 ? 'line' : 'lines'} up${start}${back.screen === state.pane?.screen ? '' : ', it has gone on'}`;
}

/** `cols 21–80/100, rows 5–14/30`: the part that is shown of a pane that is larger than its mirror; '' when all of it is, or is about to be. */
export function partWords(state: State): string {
  const { pane } = state;
  const room = mirrorRoom(state);
  const part = pane === null || room === null ? null : shownPart(pane, room);
  if (room === null || part === null || state.paneSizeSent !== state.paneSizeShown) return '';
  const span = (what: string, from: number, size: number, whole: number) =>
    whole <= size ? [] : [`${what} ${from + 1}–${from + size}/${whole}`];
  const down = isBack(state) ? [] : span('rows', part.y, room.rows, part.rows.length);
  return [...span('cols', part.x, room.cols, part.cols), ...down].join(', ');
}
