/** `/ps`: what runs; and finding a running task by what a person wrote. */

import { formatElapsed } from '../base/duration.js';
import type { State, Task } from '../view/state.js';
import { type SlashCommand, says } from './command.js';

function line(task: Task, nowMs: number): string {
  const limit = task.deadlineMs === null ? '' : `, ends in ${formatElapsed(Math.max(0, task.deadlineMs - nowMs))}`;
  const where = task.pane === null ? '' : `, pane ${task.pane}`;
  const first = task.text.split('\n', 1)[0] ?? '';
  return `#${task.id}  ${task.kind}  ${formatElapsed(Math.max(0, nowMs - task.startedMs))}${limit}${where}  ${first}`;
}

/** What runs now. */
export const psCommand: SlashCommand = {
  name: 'ps',
  aliases: [],
  args: '',
  says: 'list what runs',
  whileBusy: true,
  run(_args, state) {
    const lines = runningTasks(state).map((task) => line(task, state.nowMs));
    const queued = state.queue.map((text) => `queued (${text.mode})  ${text.text.split('\n', 1)[0] ?? ''}`);
    return says([...lines, ...queued].join('\n') || 'Nothing runs.');
  },
};

/** The tasks that have not ended. */
export function runningTasks(state: State): readonly Task[] {
  return state.tasks.filter((task) => task.outcome === null);
}

/** The running task with the id that a person wrote (`12` or `#12`), or why there is none. */
export function findRunning(state: State, written: string): Task | string {
  const id = written.replace(/^#/, '');
  const running = runningTasks(state);
  const found = running.find((task) => task.id === id);
  if (found !== undefined) return found;
  if (running.length === 0) return 'Nothing runs.';
  return `No running task has the id "${id}"; running: ${running.map((task) => `#${task.id}`).join(', ')}.`;
}
