/** The texts that wait, in their order. */

import { labelOf, type PickerItem } from '../picker.js';
import type { State } from '../state.js';

export function queueItems({ queue }: State): readonly PickerItem[] {
  return queue.map(({ id, text, mode }, at) => ({
    id,
    label: labelOf(text),
    says: '',
    note: `${mode} ${at + 1}`,
    disabled: null,
  }));
}
