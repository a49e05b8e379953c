/** Tasks of an earlier run, as far as a kept session tells of them. Pure. */

import type { PastEvent } from '../protocol/events.js';
import type { Task } from './state.js';

/** Tasks of before that stay in the list. */
const KEPT = 50;
/** Their ids are of no use any more: the runtime of now knows none of them. */
const PAST = /^past-/;

/** True for one that ran in an earlier run. */
export function isPastTask({ id }: Task): boolean {
  return PAST.test(id);
}

/** What ran then, the oldest first; nothing happened after `tsMs`. What was cut off runs no more. */
export function pastTasks(past: readonly PastEvent[], tsMs: number): readonly Task[] {
  const tasks = new Map<string, Task>();
  for (const { event, tsMs: then } of past) {
    const atMs = Math.min(then, tsMs);
    if (event.type === 'task.started') {
      const { task: id, kind, text } = event;
      const begun = { id, kind, text, pane: null, startedMs: atMs, endedMs: atMs, deadlineMs: null };
      tasks.set(id, { ...begun, outcome: 'cancelled', exitCode: null, lastLine: '', cancelling: false });
    }
    const known = event.type === 'task.ended' ? tasks.get(event.task) : undefined;
    if (event.type === 'task.ended' && known !== undefined) {
      const { outcome, exitCode } = event;
      tasks.set(known.id, { ...known, outcome, exitCode, endedMs: atMs });
    }
  }
  return [...tasks.values()];
}

/** The list with those of the session that goes on; those of another one are not of it. */
export function withPastTasks(now: readonly Task[], past: readonly Task[]): readonly Task[] {
  return [...past.slice(-KEPT), ...now.filter((task) => !isPastTask(task))];
}
