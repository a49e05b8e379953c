/** The command palette: everything that can be done, with its keys and, when it cannot be done now, the reason. */

import type { ActionId, KeyContext } from '../keymap.js';
import { keyLabel, keymap, keysOf } from '../keymap.js';
import { knownCommands } from '../known-commands.js';
import type { PickerItem } from '../picker.js';
import type { State } from '../state.js';

/** What is of use from a list, the most wanted first; what moves in windows of their own and answers questions is not. */
const LISTED: readonly KeyContext[] = ['global', 'pane', 'conversation', 'mirror', 'tasks', 'editor'];
/** What only makes sense while the keys are typed. */
const NOT_LISTED = /^(?:draft\.(?:submit|up|down|left|right|erase|word|line|mark|quote)|vi\.|picker\.|palette\.open)/;

/** The slash commands, then the actions of the keymap once each. */
export function paletteItems(state: State): readonly PickerItem[] {
  const commands = knownCommands(state).map((command) => ({
    id: `/${command.name}`,
    label: `/${command.name}${command.args === '' ? '' : ` ${command.args}`}`,
    says: command.says,
    note: '',
    disabled: null,
  }));
  const seen = new Set<ActionId>();
  const rows = LISTED.flatMap((context) => keymap.filter((row) => row.context === context));
  const actions = rows.flatMap((row): readonly PickerItem[] => {
    if (NOT_LISTED.test(row.id) || seen.has(row.id)) return [];
    seen.add(row.id);
    const keys = keymap.filter((other) => other.id === row.id).flatMap((other) => keysOf(state.bindings, other));
    const note = [...new Set(keys)].slice(0, 3).map(keyLabel).join('  ');
    return [{ id: row.id, label: row.says, says: row.id, note, disabled: row.disabled?.(state) ?? null }];
  });
  return [...commands, ...actions];
}
