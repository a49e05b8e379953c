/** How the list of sessions is looked at: its order, what is seen of the chosen one, and what is being changed of it. Pure. */

import type { SessionId, SessionSummary } from '../protocol/sessions.js';
import { type Step, send, step } from './effects.js';
import type { SessionChange, SessionLook, SessionOrder, SessionState } from './session-state.js';
import type { State } from './state.js';

/** The list of sessions is open. */
export function isSessionsOpen({ picker }: State): boolean {
  return picker?.kind === 'session';
}

/** What is being changed in the open list; null: nothing. */
export function sessionChange(state: State): SessionChange | null {
  return isSessionsOpen(state) ? state.kept.look.change : null;
}

/** The state with the list looked at in another way. */
export function withLook(state: State, change: Partial<SessionLook>): State {
  return { ...state, kept: { ...state.kept, look: { ...state.kept.look, ...change } } };
}

/** The sessions as they are to be listed. */
export function orderedSessions({ listed, look }: SessionState): readonly SessionSummary[] {
  const shown = (listed ?? []).filter(({ name }) => !look.namedOnly || name !== null);
  const orders: Readonly<Record<SessionOrder, (a: SessionSummary, b: SessionSummary) => number>> = {
    'newest first': (a, b) => b.updatedMs - a.updatedMs,
    'oldest first': (a, b) => a.updatedMs - b.updatedMs,
    // What has no name stands behind what has one.
    'by name': (a, b) => Number(a.name === null) - Number(b.name === null) || calledBy(a).localeCompare(calledBy(b)),
    'largest first': (a, b) => b.bytes - a.bytes,
  };
  return shown.toSorted(orders[look.order]);
}

function calledBy({ name, title }: SessionSummary): string {
  return name ?? title;
}

/** Asks for the end of the chosen session; null when it is known, or none is chosen. */
export function previewWanted(state: State, chosen: SessionId | null): Step | null {
  if (chosen === null || chosen === state.kept.look.asked) return null;
  return step(withLook(state, { asked: chosen }), send({ type: 'session.preview', session: chosen }));
}
