/** Models: the profiles that can be switched to. */

import type { PickerItem } from '../picker.js';
import { isBusy, type State } from '../state.js';

export function modelItems(state: State): readonly PickerItem[] {
  return state.profiles.map(({ profile, model, api, contextTokens }) => ({
    id: profile,
    label: profile,
    says: `${model} · ${api} · ${Math.round(contextTokens / 1000)}k`,
    note: profile === state.model?.profile ? 'now' : '',
    disabled: isBusy(state) ? 'a prompt is running' : null,
  }));
}
