/** How much the model in use can be told to think. */

import { withLevel } from '../../protocol/efforts.js';
import type { PickerItem } from '../picker.js';
import { busyReason, type State } from '../state.js';

export function effortItems(state: State): readonly PickerItem[] {
  const { model, profiles } = state;
  const disabled = busyReason(state);
  return (model?.efforts ?? []).map((level) => {
    const profile = model === null ? undefined : withLevel(model, level, profiles)?.profile;
    return { id: level, label: level, says: profile ?? '', note: level === model?.effort ? 'now' : '', disabled };
  });
}
