/** The table of lists that can be searched: one line each. */

import type { PickerItem } from '../picker.js';
import type { PickerKind, State } from '../state.js';
import { paletteItems } from './palette.js';

/** What a list is called and what is in it. */
export interface PickerSource {
  readonly title: string;
  items(state: State): readonly PickerItem[];
}

export const pickers: Readonly<Record<PickerKind, PickerSource>> = {
  palette: { title: 'commands', items: paletteItems },
};

/** The entries of the open list; they stay the same objects while what they are made from does. */
export function itemsOf(state: State): readonly PickerItem[] {
  const { picker } = state;
  if (picker === null) return [];
  const inputs = [
    picker.kind,
    state.commands,
    state.bindings,
    state.tasks,
    state.panes,
    state.pane,
    state.profiles,
    state.editor,
    state.approvals,
  ];
  return state.layouts.remember('picker-items', inputs, () => pickers[picker.kind].items(state));
}
