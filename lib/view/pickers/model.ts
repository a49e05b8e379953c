/** Models: the profiles that can be switched to, what they cost and hold, and how much the one in use can think. */

import type { ModelSummary } from '../../protocol/events.js';
import type { PickerItem } from '../picker.js';
import { busyReason, type State } from '../state.js';

export function modelItems(state: State): readonly PickerItem[] {
  const { profiles, model } = state;
  const base = model?.variantOf ?? model?.profile;
  const disabled = busyReason(state);
  // Efforts of all of them would be a long list: those of the others are there once they are in use, or by name.
  const shown = profiles.filter(({ variantOf }) => variantOf === undefined || variantOf === base);
  return shown.map((of) => ({
    id: of.profile,
    label: of.profile,
    says: of.variantOf === undefined ? modelWords(of) : `thinks ${of.effort ?? ''}`,
    note: of.profile === model?.profile ? 'now' : '',
    disabled,
  }));
}

/** What one wants to know of a model before it is chosen, on one line. */
export function modelWords({ model, api, contextTokens, prices, effort, efforts }: ModelSummary): string {
  const thinks = (efforts ?? []).map((level) => (level === effort ? `[${level}]` : level)).join(' ');
  return [
    model,
    api,
    tokens(contextTokens),
    ...(prices === undefined ? [] : [`$${prices.input} in, $${prices.output} out`]),
    ...(thinks !== '' ? [`thinks ${thinks}`] : effort === undefined ? [] : [`thinks [${effort}]`]),
  ].join(' · ');
}

function tokens(count: number): string {
  return count >= 1_000_000 ? `${(count / 1_000_000).toFixed(count % 1_000_000 < 50_000 ? 0 : 1)}M` : `${Math.round(count / 1000)}k`;
}
