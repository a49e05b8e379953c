/** Walking through earlier prompts without losing the draft. */

import type { Paste } from './clusters.js';
import type { EditorText } from './text.js';

/** A text with the folded pastes that its marks stand for. */
export interface Draft {
  readonly text: EditorText;
  readonly pastes: readonly Paste[];
}

/** Where one is among the earlier prompts. */
export interface HistoryPlace {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** Which entry is shown; null: the draft. */
  readonly at: number | null;
  /** What was being written when the walk began. */
  readonly draft: Draft | null;
}

/** A step: the entry to show, or the draft again. Null at either end. */
export function browsing(
  place: HistoryPlace,
  by: -1 | 1,
  now: Draft,
): { readonly place: HistoryPlace; readonly entry: string; readonly draft: Draft | null } | null {
  const { entries, at } = place;
  const next = (at ?? entries.length) + by;
  if (next < 0 || next > entries.length || (at === null && by === 1)) return null;
  const draft = at === null ? now : place.draft;
  const entry = entries[next];
  if (entry === undefined) return { place: { entries, at: null, draft: null }, entry: '', draft };
  return { place: { entries, at: next, draft }, entry, draft: null };
}
