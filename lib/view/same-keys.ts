/** Keys that are one byte in terminals of old, and two keys where the terminal tells them apart (Kitty's protocol, modifyOtherKeys). */

import { continuations, rowFor } from './keymap.js';
import type { State } from './state.js';

/** ASCII: Ctrl+[ is ESC, Ctrl+I is HT, Ctrl+M is CR; Ctrl+/ is sent as US by every terminal. */
const sameKeys: Readonly<Record<string, string>> = { 'C-[': 'escape', 'C-i': 'tab', 'C-m': 'enter', 'C-/': 'C-_' };

/** The key that is meant by `key`: itself where it has a meaning, else the one that it is in a terminal of old. */
export function meantKey(state: State, key: string): string {
  const same = sameKeys[key];
  if (same === undefined || rowFor(state, key) !== null) return key;
  const begun = state.prefix === '' ? key : `${state.prefix} ${key}`;
  return continuations(state, begun).length > 0 ? key : same;
}
