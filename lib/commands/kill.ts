/** `/kill`: stops a task. */

import { type SlashCommand, says, sends } from './command.js';
import { findRunning, runningTasks } from './ps.js';

/** Stops one task. */
export const killCommand: SlashCommand = {
  name: 'kill',
  aliases: [],
  args: '<id>',
  says: 'stop a running task',
  whileBusy: true,
  complete: (_typed, state) => runningTasks(state).map((task) => ({ value: task.id, says: task.text })),
  run(args, state) {
    if (args === '') return says('Which one? Write /kill and an id from /ps.', 'warning');
    const task = findRunning(state, args);
    return typeof task === 'string' ? says(task, 'warning') : sends({ type: 'task.cancel', task: task.id });
  },
};
