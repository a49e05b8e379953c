/** A list that is searched by typing: what is in it, what is chosen, and what choosing does. */

import { type FuzzyMatch, fuzzyFilter } from '../base/fuzzy.js';
import type { Picker, PickerKind, State } from './state.js';

/** One entry of a list. */
export interface PickerItem {
  readonly id: string;
  readonly label: string;
  /** What it is or does, beside the label. */
  readonly says: string;
  /** At the right end: keys, a state. */
  readonly note: string;
  /** Why it cannot be chosen now; null when it can. */
  readonly disabled: string | null;
}

/** An entry that fits what was typed. */
export interface PickerChoice {
  readonly entry: PickerItem;
  readonly match: FuzzyMatch;
}

/** Characters of a text that are searched: enough to find any that a person wrote. */
const SEARCHED = 2000;

/** What a person wrote as the label of an entry: its beginning (`most` UTF-16 units), on one line. */
export function labelOf(text: string, most = SEARCHED): string {
  return text.slice(0, most).replace(/\s+/g, ' ').trim();
}

/** The list open, with nothing typed. */
export function openPicker(state: State, kind: PickerKind): State {
  const look = { ...state.kept.look, change: null, asked: null, preview: null };
  const settings = { ...state.settings, draft: null, said: null };
  return { ...state, picker: { kind, query: '', selected: 0 }, kept: { ...state.kept, look }, settings };
}

/** The entries that fit, the best first. Remembered until the list or the query changes. */
export function choicesOf(state: State, picker: Picker, items: readonly PickerItem[]): readonly PickerChoice[] {
  return state.layouts.remember('picker', [picker.kind, picker.query, items], () =>
    picker.kind === 'settings'
      ? byNameOrWords(picker.query, items)
      : fuzzyFilter(picker.query, items, (item) => `${item.label} ${item.says}`),
  );
}

/** Long descriptions hold the letters of nearly everything: in them whole words and parts of words are searched for, after the names. */
function byNameOrWords(query: string, items: readonly PickerItem[]): readonly PickerChoice[] {
  const named = fuzzyFilter(query, items, ({ label }) => label);
  const words = query.toLowerCase().split(/\s+/);
  const told = items.filter(
    (item) =>
      !named.some(({ entry }) => entry === item) && words.every((word) => `${item.label} ${item.says}`.toLowerCase().includes(word)),
  );
  return [...named, ...told.map((entry) => ({ entry, match: { score: 0, at: [] } }))];
}

/** The number of the chosen entry of so many. */
export function selectedOf(picker: Picker, count: number): number {
  return Math.max(0, Math.min(picker.selected, count - 1));
}
