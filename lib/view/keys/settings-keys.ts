/** What the keys of the list of settings do besides those of any list. */

import { type Step, step } from '../effects.js';
import { settingDraft, settingOf, withSettings } from '../settings.js';
import type { SettingAction } from '../settings-keymap.js';
import type { State } from '../state.js';
import { chosenOf } from './picker-keys.js';

type SettingHandler = (state: State) => Step;

/** Words are chosen one after the other; behind the last one comes the first. */
const another =
  (by: number): SettingHandler =>
  (state) => {
    const draft = settingDraft(state);
    const words = draft === null ? [] : (settingOf(state, draft.key)?.words ?? []);
    if (draft === null || words.length === 0) return step(state);
    const at = words.indexOf(draft.text);
    const text = words[at < 0 ? (by > 0 ? 0 : words.length - 1) : (at + by + words.length) % words.length] ?? draft.text;
    return step(withSettings(state, { draft: { ...draft, text, problem: null } }));
  };

const reword =
  (to: (text: string) => string): SettingHandler =>
  (state) => {
    const draft = settingDraft(state);
    return step(draft === null ? state : withSettings(state, { draft: { ...draft, text: to(draft.text), problem: null } }));
  };

/** What each of them does. */
export const settingHandlers: Readonly<Record<SettingAction, SettingHandler>> = {
  'setting.change': (state) => {
    const entry = settingOf(state, chosenOf(state)?.id ?? '');
    if (entry === undefined) return step(state);
    if (!entry.isFlag) return step(withSettings(state, { draft: { key: entry.key, text: entry.typed, problem: null }, said: null }));
    // What the file says changes, also where something else stands above it.
    const text = (entry.hidden ?? entry.value) === 'true' ? 'false' : 'true';
    return step(state, { type: 'settings', ask: { kind: 'set', key: entry.key, text, by: 'list' } });
  },
  'setting.reset': (state) => {
    const entry = settingOf(state, chosenOf(state)?.id ?? '');
    return entry === undefined ? step(state) : step(state, { type: 'settings', ask: { kind: 'reset', key: entry.key, by: 'list' } });
  },
  'setting.save': (state) => {
    const draft = settingDraft(state);
    if (draft === null) return step(state);
    return step(state, { type: 'settings', ask: { kind: 'set', key: draft.key, text: draft.text, by: 'list' } });
  },
  'setting.leave': (state) => step(withSettings(state, { draft: null })),
  'setting.next': another(1),
  'setting.previous': another(-1),
  'setting.erase': reword((text) => Array.from(text).slice(0, -1).join('')),
  'setting.eraseWord': reword((text) => text.replace(/[^\s,]*[\s,]*$/, '')),
  'setting.clear': reword(() => ''),
};
