/** Themes: the one that is chosen is worn while it is looked at. */

import type { PickerItem } from '../picker.js';
import type { State } from '../state.js';

export function themeItems(state: State): readonly PickerItem[] {
  return state.themeNames.map((name) => ({
    id: name,
    label: name,
    says: name === 'auto' ? 'dark or light, as the terminal is' : '',
    note: name === state.themeName ? 'now' : '',
    disabled: null,
  }));
}
