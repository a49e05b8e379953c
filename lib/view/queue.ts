/** The texts that wait for their turn: which one is chosen, in the list of /queue or among the tasks, and what news of them changes. */

import type { QueuedText } from '../protocol/events.js';
import { bringBack } from './editor/editor.js';
import { choicesOf, selectedOf } from './picker.js';
import { queueItems } from './pickers/queue.js';
import type { Picker, State } from './state.js';
import { selectedEntry, taskEntries } from './task-list.js';

/** The list of them is open. */
export function isQueueOpen({ picker }: State): boolean {
  return picker?.kind === 'queue';
}

/** The one that is chosen among the tasks; null when another entry is. */
export function queuedEntry(state: State): QueuedText | null {
  const entry = taskEntries(state)[selectedEntry(state)];
  return entry?.kind === 'queued' ? entry.queued : null;
}

/** Why there is nothing to show; null when there is. */
export function nothingWaits(state: State): string | null {
  return state.queue.length > 0 ? null : 'nothing waits';
}

/** The state with what waits now. What was chosen stays so; where it has gone the next one is, and an empty list is closed. */
export function withQueue(state: State, waiting: readonly QueuedText[]): State {
  return chosenInTasks(chosenInList({ ...state, queue: waiting }, state), state.queue);
}

function chosenInList(state: State, before: State): State {
  const { picker } = state;
  if (picker === null || !isQueueOpen(state)) return state;
  if (state.queue.length === 0) return { ...state, picker: null };
  const was = found(before, picker);
  const now = found(state, picker);
  // By its name: its number is another one among those that are left, or among those that fit what was typed.
  const at = now.indexOf(was[selectedOf(picker, was.length)] ?? '');
  return { ...state, picker: { ...picker, selected: at < 0 ? selectedOf(picker, now.length) : at } };
}

/** The ids in the list, as it stands there. */
function found(state: State, picker: Picker): readonly string[] {
  return choicesOf(state, picker, queueItems(state)).map(({ entry }) => entry.id);
}

function chosenInTasks(state: State, before: readonly QueuedText[]): State {
  const { taskList, queue } = state;
  const at = before.findIndex(({ id }) => taskList.selected === keyOf(id));
  if (at < 0 || queue.some(({ id }) => taskList.selected === keyOf(id))) return state;
  const next = queue[Math.min(at, queue.length - 1)];
  return { ...state, taskList: { ...taskList, selected: next === undefined ? null : keyOf(next.id) } };
}

/** Texts that did not get their turn stand in the draft again, also while an answer to a question is written. */
export function withReturned(state: State, texts: readonly string[]): State {
  const { answering, editor } = state;
  if (answering === null) return { ...state, editor: bringBack(editor, texts) };
  return { ...state, answering: { ...answering, draft: bringBack(answering.draft, texts) } };
}

function keyOf(id: string): string {
  return `queued ${id}`;
}
