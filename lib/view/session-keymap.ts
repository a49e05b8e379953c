/** The keys of the list of sessions besides those of any list, as rows of the key table. */

import type { KeyMeaning } from './key-meaning.js';
import { isSessionsOpen } from './session-look.js';

/** They stand before those of any list: some of its other keys mean something else here. */
export const sessionRows = [
  { id: 'session.rename', keys: ['C-r'], context: 'picker', says: 'of /session: give it a name', hint: 'rename', when: isSessionsOpen },
  {
    id: 'session.delete',
    keys: ['C-d', 'delete'],
    context: 'picker',
    says: 'of /session: delete it',
    hint: 'delete',
    when: isSessionsOpen,
  },
  { id: 'session.order', keys: ['C-s'], context: 'picker', says: 'of /session: another order', hint: 'order', when: isSessionsOpen },
  {
    id: 'session.named',
    keys: ['C-t'],
    context: 'picker',
    says: 'of /session: only those with a name',
    hint: 'named',
    when: isSessionsOpen,
  },

  { id: 'renaming.set', keys: ['enter'], context: 'renaming', says: 'give it that name', hint: 'name it' },
  { id: 'renaming.close', keys: ['escape', 'C-c'], context: 'renaming', says: 'leave it as it is', hint: 'back' },
  { id: 'renaming.erase', keys: ['backspace', 'C-h', 'S-backspace'], context: 'renaming', says: 'erase a letter' },
  { id: 'renaming.clear', keys: ['C-u', 'C-w'], context: 'renaming', says: 'erase all of it' },

  {
    id: 'deleting.yes',
    keys: ['y'],
    context: 'deleting',
    says: 'delete it: its file is moved into the folder "trash" beside it',
    hint: 'delete it',
  },
  { id: 'deleting.no', keys: ['escape', 'n', 'C-c'], context: 'deleting', says: 'keep it', hint: 'keep it' },
] as const satisfies readonly KeyMeaning[];

/** The ids they name. */
export type SessionAction = (typeof sessionRows)[number]['id'];
