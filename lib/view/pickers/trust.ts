/** The question about the working folder: what can be answered, and what it is about. */

import type { FolderState } from '../../protocol/project.js';
import type { PickerItem } from '../picker.js';
import { type ProjectAnswer, projectAnswers } from '../project.js';
import type { State } from '../state.js';

/** The answers, and below them what they are about. */
export function projectItems({ project: { listing } }: State): readonly PickerItem[] {
  if (listing === null) return [];
  const plain = { note: '', disabled: null };
  const about = (label: string, says: string, note: string, at: number): PickerItem => ({
    id: `leave ${label} ${at}`,
    label,
    says,
    ...plain,
    note,
  });
  return [
    ...projectAnswers(listing).map(([id, label]) => ({ id, label, says: '', ...plain })),
    ...listing.changes.map((text, at) => about('changed', text, '', at)),
    // What a yes would bring comes before what is refused whatever is said.
    ...[...listing.lines]
      .sort((one, other) => Number(other.applies) - Number(one.applies))
      .map(({ key, says, where }, at) => about(key, says, where === key ? '' : where, at)),
    ...listing.notes.map((text, at) => about('note', text, '', at)),
  ];
}

/** What the entry with that id answers; those that only tell something leave all as it is. */
export function answerOf(id: string, listing: FolderState | null): ProjectAnswer {
  return (listing === null ? [] : projectAnswers(listing)).find(([answer]) => answer === id)?.[0] ?? 'leave';
}
