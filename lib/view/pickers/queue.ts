/** The texts that wait, in their order. */

import type { PickerItem } from '../picker.js';
import type { State } from '../state.js';

/** Characters of a text that are searched. */
const SEARCHED = 2000;

export function queueItems({ queue }: State): readonly PickerItem[] {
  return queue.map(({ id, text, mode }, at) => ({
    id,
    label: text.slice(0, SEARCHED).replace(/\s+/g, ' '),
    says: '',
    note: `${mode} ${at + 1}`,
    disabled: null,
  }));
}
