/** `/timeout`: a time limit for a task. */

import { parseDuration } from '../base/duration.js';
import { BuddyError } from '../base/errors.js';
import type { State, Task } from '../view/state.js';
import { runningPrompt } from '../view/state.js';
import { type SlashCommand, says, sends } from './command.js';
import { findRunning, runningTasks } from './ps.js';

/** Gives a running task a time limit, or takes it away. */
export const timeoutCommand: SlashCommand = {
  name: 'timeout',
  aliases: [],
  args: '<dur> [id]',
  says: 'stop a task after a time (10m, 90s); off takes the limit away',
  whileBusy: true,
  run(args, state) {
    const [time = '', id = ''] = args.split(/\s+/);
    if (time === '') return says('How long? Write for example /timeout 10m, or /timeout 10m 12 for task #12.', 'warning');
    const task = id === '' ? onlyTask(state) : findRunning(state, id);
    if (typeof task === 'string') return says(task, 'warning');
    if (time === 'off') return sends({ type: 'task.deadline', task: task.id, afterMs: null });
    try {
      return sends({ type: 'task.deadline', task: task.id, afterMs: parseDuration(time) });
    } catch (thrown) {
      if (!(thrown instanceof BuddyError)) throw thrown;
      return says(`${thrown.message}. ${thrown.hint ?? ''}`.trim(), 'warning');
    }
  },
};

/** Without an id: the running prompt, or the one task that runs. */
function onlyTask(state: State): Task | string {
  const prompt = runningPrompt(state);
  if (prompt !== null) return prompt;
  const [first, ...others] = runningTasks(state);
  if (first === undefined) return 'Nothing runs.';
  return others.length === 0 ? first : 'Several tasks run; name one: /timeout 10m <id>.';
}
