/** The keys of texts that wait, as rows of the key table: in the list of /queue, and among the tasks. */

import type { KeyMeaning } from './key-meaning.js';
import { isQueueOpen, nothingWaits, queuedEntry } from './queue.js';
import type { State } from './state.js';

const isChosen = (state: State): boolean => queuedEntry(state) !== null;
const notChosen = (state: State): string | null => (isChosen(state) ? null : 'no waiting text is chosen');

/** They stand before the rows of tasks and of lists: a text that waits is no task, and is edited instead of done. */
export const queueRows = [
  { id: 'queue.edit', keys: ['enter'], context: 'picker', says: 'of /queue: take it back into the draft', hint: 'edit', when: isQueueOpen },
  { id: 'queue.delete', keys: ['delete'], context: 'picker', says: 'of /queue: delete it', hint: 'delete', when: isQueueOpen },
  { id: 'queue.earlier', keys: ['S-up'], context: 'picker', says: 'of /queue: earlier', hint: 'earlier', when: isQueueOpen },
  { id: 'queue.later', keys: ['S-down'], context: 'picker', says: 'of /queue: later', hint: 'later', when: isQueueOpen },

  {
    id: 'queue.edit',
    keys: ['enter', 'space', 'e'],
    context: 'tasks',
    says: 'a text that waits: take it back into the draft',
    hint: 'edit',
    when: isChosen,
    disabled: notChosen,
  },
  {
    id: 'queue.delete',
    keys: ['k', 'delete'],
    context: 'tasks',
    says: 'a text that waits: delete it',
    hint: 'delete',
    when: isChosen,
    disabled: notChosen,
  },
  {
    id: 'queue.earlier',
    keys: ['K', 'S-up'],
    context: 'tasks',
    says: 'a text that waits: earlier',
    hint: 'earlier',
    when: isChosen,
    disabled: notChosen,
  },
  {
    id: 'queue.later',
    keys: ['J', 'S-down'],
    context: 'tasks',
    says: 'a text that waits: later',
    hint: 'later',
    when: isChosen,
    disabled: notChosen,
  },
] as const satisfies readonly KeyMeaning[];

/** The way to the list from the draft. */
export const queueOpenRow = {
  id: 'queue.open',
  keys: ['M-up'],
  context: 'editor',
  says: 'the texts that wait: edit, delete or move them',
  when: (state: State) => nothingWaits(state) === null,
  disabled: nothingWaits,
} as const satisfies KeyMeaning;
