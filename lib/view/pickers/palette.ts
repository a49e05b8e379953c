/** The command palette: everything that can be done, with its keys and, when it cannot be done now, the reason. */

import type { ActionId, KeyContext } from '../keymap.js';
import { keyLabel, keymap, keysOf } from '../keymap.js';
import type { PickerItem } from '../picker.js';
import type { State } from '../state.js';

/** Moving in a list, and answering: of no use from a list. */
const KEYS_ONLY: ReadonlySet<KeyContext> = new Set([
  'takeover',
  'help',
  'approval',
  'ruling',
  'completion',
  'search',
  'picker',
  'vi',
  'leaving',
  'usage',
]);
/** What only makes sense while the keys are typed. */
const NOT_LISTED = /^(?:draft\.(?:submit|up|down|left|right|erase|word|line|mark|quote)|vi\.|picker\.|palette\.open)/;

/** Actions of the keymap once each, then the slash commands. */
export function paletteItems(state: State): readonly PickerItem[] {
  const seen = new Set<ActionId>();
  const actions = keymap.flatMap((row): readonly PickerItem[] => {
    if (KEYS_ONLY.has(row.context) || NOT_LISTED.test(row.id) || seen.has(row.id)) return [];
    seen.add(row.id);
    const keys = keymap.filter((other) => other.id === row.id).flatMap((other) => keysOf(state.bindings, other));
    const note = [...new Set(keys)].slice(0, 3).map(keyLabel).join('  ');
    return [{ id: row.id, label: row.says, says: row.id, note, disabled: row.disabled?.(state) ?? null }];
  });
  const commands = state.commands.map((command) => ({
    id: `/${command.name}`,
    label: `/${command.name}${command.args === '' ? '' : ` ${command.args}`}`,
    says: command.says,
    note: '',
    disabled: null,
  }));
  return [...actions, ...commands];
}
