/** The keys of the task list and of the windows over it, as rows of the key table. */

import type { KeyMeaning } from './key-meaning.js';
import type { State } from './state.js';
import { notRunningReason, taskEntries } from './task-list.js';

const isEmpty = (state: State): string | null => (taskEntries(state).length > 0 ? null : 'there is no task');

/** They count while the tasks have the keyboard, or a task is shown in detail. */
export const taskRows = [
  { id: 'tasks.up', keys: ['up'], context: 'tasks', says: 'the task before' },
  { id: 'tasks.down', keys: ['down', 'j'], context: 'tasks', says: 'the next task' },
  { id: 'tasks.first', keys: ['home', 'g'], context: 'tasks', says: 'the first task' },
  { id: 'tasks.last', keys: ['end', 'G'], context: 'tasks', says: 'the last task' },
  {
    id: 'tasks.open',
    keys: ['enter', 'space'],
    context: 'tasks',
    says: 'show it in detail, with its output',
    hint: 'detail',
    disabled: isEmpty,
  },
  { id: 'tasks.stop', keys: ['k', 'delete'], context: 'tasks', says: 'stop it', hint: 'stop', disabled: notRunningReason },
  { id: 'tasks.limit', keys: ['t'], context: 'tasks', says: 'stop it after a time', hint: 'time-out', disabled: notRunningReason },

  { id: 'detail.close', keys: ['escape', 'q', 'enter', 'C-c'], context: 'detail', says: 'close it', hint: 'close' },
  { id: 'detail.up', keys: ['up'], context: 'detail', says: 'output: up a row; it stands still then' },
  { id: 'detail.down', keys: ['down', 'j'], context: 'detail', says: 'output: down a row' },
  { id: 'detail.pageUp', keys: ['pageup', 'b'], context: 'detail', says: 'output: up a page', hint: 'scroll' },
  { id: 'detail.pageDown', keys: ['pagedown', 'space'], context: 'detail', says: 'output: down a page' },
  { id: 'detail.start', keys: ['home', 'g'], context: 'detail', says: 'output: the first row that is kept' },
  { id: 'detail.end', keys: ['end', 'G'], context: 'detail', says: 'output: the end, and follow it' },
  { id: 'tasks.stop', keys: ['k', 'delete'], context: 'detail', says: 'stop this task', hint: 'stop', disabled: notRunningReason },
  { id: 'tasks.limit', keys: ['t'], context: 'detail', says: 'stop this task after a time', hint: 'time-out', disabled: notRunningReason },

  { id: 'limit.set', keys: ['enter'], context: 'limit', says: 'set the time-out; with nothing written: take it away', hint: 'set it' },
  { id: 'limit.close', keys: ['escape', 'C-c'], context: 'limit', says: 'leave it as it is', hint: 'back' },
  { id: 'limit.erase', keys: ['backspace', 'C-h'], context: 'limit', says: 'erase a character' },
  { id: 'limit.clear', keys: ['C-u', 'C-w'], context: 'limit', says: 'erase all of it' },

  { id: 'stopping.yes', keys: ['y', 'enter'], context: 'stopping', says: 'stop the prompt', hint: 'stop it' },
  { id: 'stopping.no', keys: ['escape', 'n', 'C-c'], context: 'stopping', says: 'let it go on', hint: 'go on' },
] as const satisfies readonly KeyMeaning[];
