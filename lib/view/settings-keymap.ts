/** The keys of the list of settings besides those of any list, as rows of the key table. */

import type { KeyMeaning } from './key-meaning.js';
import { isSettingsOpen, settingDraft } from './settings.js';
import type { State } from './state.js';

const hasWords = (state: State): boolean => {
  const draft = settingDraft(state);
  return draft !== null && state.settings.listing?.entries.some(({ key, words }) => key === draft.key && words.length > 0) === true;
};

/** They stand before those of any list: some of its other keys mean something else here. */
export const settingsRows = [
  {
    id: 'setting.change',
    keys: ['enter'],
    context: 'picker',
    says: 'of /settings: change it; true becomes false, and back',
    hint: 'change',
    when: isSettingsOpen,
  },
  {
    id: 'setting.reset',
    keys: ['C-d', 'delete'],
    context: 'picker',
    says: 'of /settings: back to the default; its line is taken out of your file',
    hint: 'default',
    when: isSettingsOpen,
  },

  { id: 'setting.save', keys: ['enter'], context: 'setting', says: 'write it into your file', hint: 'save' },
  { id: 'setting.leave', keys: ['escape', 'C-c'], context: 'setting', says: 'leave it as it is', hint: 'back' },
  {
    id: 'setting.next',
    keys: ['down', 'tab', 'C-n'],
    context: 'setting',
    says: 'the next of its words',
    hint: 'next word',
    when: hasWords,
  },
  { id: 'setting.previous', keys: ['up', 'S-tab', 'C-p'], context: 'setting', says: 'the word before', when: hasWords },
  { id: 'setting.erase', keys: ['backspace', 'C-h', 'S-backspace'], context: 'setting', says: 'erase a letter' },
  { id: 'setting.eraseWord', keys: ['C-w', 'M-backspace'], context: 'setting', says: 'erase a word' },
  { id: 'setting.clear', keys: ['C-u'], context: 'setting', says: 'erase all of it' },
] as const satisfies readonly KeyMeaning[];

/** The ids they name. */
export type SettingAction = (typeof settingsRows)[number]['id'];
