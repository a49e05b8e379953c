/** The settings, in the order of their table. */

import type { PickerItem } from '../picker.js';
import { originOf, sessionValue } from '../settings.js';
import type { State } from '../state.js';

/** Of a value so many characters stand beside its key. */
const SHOWN = 24;

export function settingItems(state: State): readonly PickerItem[] {
  return (state.settings.listing?.entries ?? []).map((entry) => {
    const value = sessionValue(state, entry) ?? entry.value;
    const short = value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
    return { id: entry.key, label: entry.key, says: entry.says, note: `${short} · ${shortOrigin(originOf(state, entry))}`, disabled: null };
  });
}

/** Of a path the last part; the whole of it stands beside the list. */
function shortOrigin(origin: string): string {
  return origin.slice(origin.lastIndexOf('/') + 1);
}
