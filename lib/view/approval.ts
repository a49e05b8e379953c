/** The question in front: what has been seen of it, and when it may be answered. */

import type { ApprovalRequest } from '../protocol/approvals.js';
import { answeringAfter } from './answering.js';
import type { ApprovalReading } from './asked.js';
import { measureOf, type QuestionRow, questionInFront, questionRows, questionsBehind } from './question.js';
import { chromeRows, screenLayout, wantedBehind } from './screen.js';
import type { State } from './state.js';

/** A question takes no answer for so long after it appeared or another key was pressed: keys on their way meant something else. */
export const ARMED_AFTER_MS = 400;

function unread(request: ApprovalRequest | undefined): ApprovalReading | null {
  if (request === undefined) return null;
  const unseen = { shownAtMs: null, quietSinceMs: 0, top: 0, seen: 0, measure: '', read: false };
  return { id: request.id, ...unseen, expanded: false, whole: false };
}

/** The state with one more question, at the end of the line. */
export function withRequest(state: State, request: ApprovalRequest): State {
  return { ...state, approvals: [...state.approvals, request], approval: state.approval ?? unread(request) };
}

/** The state without that question; the next one starts anew: unseen and unarmed. */
export function withoutRequest(state: State, id: string): State {
  const approvals = state.approvals.filter((request) => request.id !== id);
  if (approvals.length === state.approvals.length) return state;
  const same = approvals.some((request) => request.id === state.approval?.id);
  const next = approvals[state.approvals.findIndex((request) => request.id === id)] ?? approvals[0];
  const ruling = state.ruling?.approval === id ? null : state.ruling;
  return answeringAfter({ ...state, approvals, ruling, approval: same ? state.approval : unread(next) });
}

/** The state with the next question in front: unseen and unarmed, as if it had just come. */
export function withNextInFront(state: State): State {
  const [next] = questionsBehind(state);
  return next === undefined ? state : { ...state, approval: unread(next) };
}

/** The state with the whole text of a file in the panel, or what changes in it. */
export function withOtherView(state: State): State {
  return state.approval === null ? state : { ...state, approval: { ...state.approval, top: 0, whole: !state.approval.whole } };
}

/** The rows of what is asked that the panel shows. */
export interface BodyView {
  readonly rows: readonly QuestionRow[];
  readonly top: number;
  /** Rows that there is room for, and rows that there are. */
  readonly room: number;
  readonly total: number;
  /** Rows for the other questions: what is left. */
  readonly behind: number;
}

/** What the panel shows of the question; null when there is no panel on the screen. */
export function bodyView(state: State): BodyView | null {
  const rect = screenLayout(state).approval;
  if (rect === null || state.approval === null || screenLayout(state).kind === 'small') return null;
  const all = questionRows(state);
  const space = Math.max(0, rect.rows - chromeRows(state));
  const behind = Math.max(0, Math.min(wantedBehind(state), space - all.length));
  const room = space - behind;
  const wanted = state.ruling === null ? state.approval.top : 0;
  const top = Math.max(0, Math.min(wanted, all.length - room, firstUnseen(all, state)));
  return { rows: all.slice(top, top + room), top, room, total: all.length, behind };
}

/** No row may be scrolled past before it was on the screen: keys that come faster than frames would skip it. */
function firstUnseen(rows: readonly QuestionRow[], state: State): number {
  if (state.approval?.read === true) return rows.length;
  const seen = seenOf(state);
  const found = rows.findIndex((row) => row.to > seen);
  return found < 0 ? rows.length : found;
}

/** What was seen in another view, or at another width, has to be seen anew. */
function seenOf(state: State): number {
  return state.approval?.measure === measureOf(state) ? state.approval.seen : 0;
}

/** The state with the command scrolled by so many rows, at most to the first one that was not on the screen yet. */
export function scrollBody(state: State, rows: number): State {
  const view = bodyView(state);
  // A rule is shown whole or not saved; the question behind it stays where it is.
  if (view === null || state.approval === null || state.ruling !== null) return state;
  const top = Math.max(0, Math.min(view.top + rows, view.total - view.room));
  return { ...state, approval: { ...state.approval, top } };
}

/**
 * A frame of this state is on the screen: the question's clock runs, and the rows that it shows have been seen. Help hides
 * the question; in a window too small for it only the notice that it waits is seen, which is enough to say no.
 */
export function markShown(state: State, nowMs: number): State {
  const { approval } = state;
  if (approval === null || state.help !== null) return state;
  const { ruling } = state;
  if (ruling !== null)
    return ruling.shownAtMs !== null ? state : { ...state, nowMs: Math.max(nowMs, state.nowMs), ruling: { ...ruling, shownAtMs: nowMs } };
  const view = bodyView(state);
  const rows = view?.rows ?? [];
  const seen = seenAfter(seenOf(state), rows);
  const measure = measureOf(state);
  // In another measure reading begins anew, from where it is now.
  const top = measure === approval.measure ? approval.top : (view?.top ?? 0);
  const read = approval.read || (rows.length > 0 && seen >= (questionRows(state).at(-1)?.to ?? 0));
  if (seen === approval.seen && measure === approval.measure && read === approval.read && approval.shownAtMs !== null) return state;
  const reading = { ...approval, top, seen, measure, read, shownAtMs: approval.shownAtMs ?? nowMs };
  return { ...state, nowMs: Math.max(nowMs, state.nowMs), approval: reading };
}

function seenAfter(seen: number, rows: readonly QuestionRow[]): number {
  const from = rows[0]?.from ?? Number.POSITIVE_INFINITY;
  return from <= seen ? Math.max(seen, rows[rows.length - 1]?.to ?? 0) : seen;
}

/** Has the question been on the screen, and the keyboard quiet, long enough? */
export function isArmed(state: State, nowMs: number): boolean {
  const { approval } = state;
  if (approval === null || approval.shownAtMs === null) return false;
  return nowMs - Math.max(approval.shownAtMs, approval.quietSinceMs) >= ARMED_AFTER_MS;
}

/** Why "yes" cannot be said, apart from the first moment; null when it can. */
export function unseenReason(state: State): string | null {
  const request = questionInFront(state);
  const { approval } = state;
  if (request === undefined || approval === null) return 'nothing is asked';
  if (state.takeover !== null) return 'you have the keyboard of the pane (F6 hands it back)';
  const view = bodyView(state);
  if (view === null) return 'it is not on the screen';
  if (approval.read) return null;
  if (view.room > 0) return 'scroll to its end (PgDn)';
  return approval.expanded ? 'the window is too small to show it' : 'there is no room for it yet (x)';
}

/** Why the command cannot be changed; null when it can. Who changes it must have seen all of it. */
export function uneditableReason(state: State): string | null {
  return questionInFront(state)?.editable !== true ? 'this cannot be changed' : unseenReason(state);
}
