/** Leaving: what is left behind when the program ends, and whether a person has to be asked about it. */

import type { PaneState } from '../protocol/panes.js';
import { ARMED_AFTER_MS } from './approval.js';
import { type Step, step } from './effects.js';
import type { OnExit, State, Task } from './state.js';

/** Name of the session that could be kept, or null when there is none, or none with a shell in it. */
export function keepableSession(state: State): string | null {
  const { target, pane } = state;
  if (target?.via !== 'tmux' || target.attach === null || pane === null || pane.closed) return null;
  if (pane.state.kind === 'dead' || pane.state.kind === 'starting') return null;
  return target.attach.split(' ').at(-1) ?? null;
}

const working: readonly PaneState['kind'][] = ['running', 'fullscreen', 'password', 'continuation', 'unknown-shell'];

/** Jobs that have not ended. */
export function runningJobs(state: State): readonly Task[] {
  return state.tasks.filter((task) => task.kind === 'job' && task.outcome === null);
}

/** Does anything run in the session that would be ended with it? What cannot be told counts. */
export function isWorking(state: State): boolean {
  return keepableSession(state) !== null && (working.includes(state.pane?.state.kind ?? 'idle') || runningJobs(state).length > 0);
}

/** What is done without asking; `ask` where a person has to say. */
function howToLeave(state: State): OnExit {
  return keepableSession(state) === null ? 'kill' : state.onExit;
}

/** The person wants to leave: the end, or the question about the session. */
export function leave(state: State): Step {
  const how = howToLeave(state);
  if (how === 'ask') return step({ ...state, leaving: { shownAtMs: null } });
  return leaveWith(state, how === 'keep');
}

/** The end, with the session kept or ended. */
export function leaveWith(state: State, keep: boolean): Step {
  return step({ ...state, leaving: null }, { type: 'quit', keep });
}

/** Whether the session is kept when nobody can be asked: a signal, a closed terminal. What runs is not ended behind a person's back. */
export function keepsUnasked(state: State): boolean {
  const how = howToLeave(state);
  return how === 'keep' || (how === 'ask' && isWorking(state));
}

/** "End it" ends what runs: a key that was on its way when the question came up does not count. */
export function mayEnd(state: State, nowMs: number): boolean {
  const shownAtMs = state.leaving?.shownAtMs ?? null;
  return !isWorking(state) || (shownAtMs !== null && nowMs - shownAtMs >= ARMED_AFTER_MS);
}
