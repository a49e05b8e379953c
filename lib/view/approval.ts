/** The question in front: what has been seen of it, and when it may be answered. */

import type { ApprovalRequest } from '../protocol/approvals.js';
import type { BodyRow } from './rows/command-body.js';
import { chromeRows, questionRows, screenLayout } from './screen.js';
import type { ApprovalReading, State } from './state.js';

/** A question takes no answer for so long after it appeared or another key was pressed: keys on their way meant something else. */
export const ARMED_AFTER_MS = 400;

function unread(request: ApprovalRequest | undefined): ApprovalReading | null {
  return request === undefined ? null : { id: request.id, shownAtMs: null, quietSinceMs: 0, top: 0, seen: 0, expanded: false };
}

/** The state with one more question, at the end of the line. */
export function withRequest(state: State, request: ApprovalRequest): State {
  return { ...state, approvals: [...state.approvals, request], approval: state.approval ?? unread(request) };
}

/** The state without that question; the next one starts anew: unseen and unarmed. */
export function withoutRequest(state: State, id: string): State {
  const approvals = state.approvals.filter((request) => request.id !== id);
  if (approvals.length === state.approvals.length) return state;
  const same = state.approval !== null && approvals[0]?.id === state.approval.id;
  return { ...state, approvals, approval: same ? state.approval : unread(approvals[0]) };
}

/** The rows of the command that the panel shows. */
export interface BodyView {
  readonly rows: readonly BodyRow[];
  readonly top: number;
  /** Rows that there is room for, and rows that there are. */
  readonly room: number;
  readonly total: number;
}

/** What the panel shows of the command; null when there is no panel on the screen. */
export function bodyView(state: State): BodyView | null {
  const rect = screenLayout(state).approval;
  if (rect === null || state.approval === null || screenLayout(state).kind === 'small') return null;
  const all = questionRows(state);
  const room = Math.max(0, rect.rows - chromeRows(state));
  const top = Math.max(0, Math.min(state.approval.top, all.length - room));
  return { rows: all.slice(top, top + room), top, room, total: all.length };
}

/** The state with the command scrolled by so many rows. */
export function scrollBody(state: State, rows: number): State {
  const view = bodyView(state);
  if (view === null || state.approval === null) return state;
  const top = Math.max(0, Math.min(view.top + rows, view.total - view.room));
  return { ...state, approval: { ...state.approval, top } };
}

/** A frame of this state is on the screen: the question's clock runs, and the rows it shows have been seen. */
export function markShown(state: State, nowMs: number): State {
  const { approval } = state;
  const view = bodyView(state);
  if (approval === null || view === null || view.rows.length === 0) return state;
  const from = view.rows[0]?.from ?? 0;
  const to = view.rows[view.rows.length - 1]?.to ?? 0;
  const seen = from <= approval.seen ? Math.max(approval.seen, to) : approval.seen;
  if (seen === approval.seen && approval.shownAtMs !== null) return state;
  return { ...state, nowMs: Math.max(nowMs, state.nowMs), approval: { ...approval, seen, shownAtMs: approval.shownAtMs ?? nowMs } };
}

/** Has the question been on the screen, and the keyboard quiet, long enough? */
export function isArmed(state: State, nowMs: number): boolean {
  const { approval } = state;
  if (approval === null || approval.shownAtMs === null || bodyView(state) === null) return false;
  return nowMs - Math.max(approval.shownAtMs, approval.quietSinceMs) >= ARMED_AFTER_MS;
}

/** Why "yes" cannot be said, apart from the first moment; null when it can. */
export function unseenReason(state: State): string | null {
  const request = state.approvals[0];
  const { approval } = state;
  if (request === undefined || approval === null) return 'nothing is asked';
  const view = bodyView(state);
  if (view === null) return 'it is not on the screen';
  if (approval.seen < request.body.length) return view.room === 0 ? 'the window is too small to show it' : 'scroll to its end first (PgDn)';
  return null;
}
