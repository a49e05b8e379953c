/** When a person who looks elsewhere should be told, and what the window is called. */

import { isBusy, runningPrompt, type State } from './state.js';

/** A prompt that took less was watched (milliseconds). */
const WATCHED_MS = 5000;

/** What a change from `before` to `after` calls for; null: nothing, or the window has the focus. */
export function attention(before: State, after: State): string | null {
  if (after.focused) return null;
  const { approvals } = after;
  if (approvals.length > before.approvals.length) {
    const asked = approvals.at(-1);
    return `needs you: ${asked?.tool ?? ''} on ${asked?.target ?? ''}`;
  }
  const ran = runningPrompt(before);
  const ended = ran === null ? undefined : after.tasks.find((task) => task.id === ran.id);
  if (ran === null || ended === undefined || ended.outcome === null || isBusy(after)) return null;
  if ((ended.endedMs ?? 0) - ended.startedMs < WATCHED_MS) return null;
  return ended.outcome === 'completed' ? 'finished' : ended.outcome === 'failed' ? 'failed' : 'stopped';
}

/** What the window is called. */
export function windowTitle(state: State): string {
  const doing = state.approvals.length > 0 ? 'needs you' : isBusy(state) ? 'working' : 'ready';
  const where = state.target === null || state.target.kind === 'local' ? '' : ` · ${state.target.label}`;
  return `buddy-tui · ${doing}${where}`;
}

/** What the taskbar shows. */
export function progressOf(state: State): 'none' | 'busy' | 'waiting' {
  if (state.approvals.length > 0) return 'waiting';
  return isBusy(state) ? 'busy' : 'none';
}
