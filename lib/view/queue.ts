/** The texts that wait for their turn: which one is chosen, in the list of /queue or among the tasks, and what news of them changes. */

import type { QueuedText } from '../protocol/events.js';
import { bringBack } from './editor/editor.js';
import type { State } from './state.js';
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
  return chosenInTasks(chosenInList({ ...state, queue: waiting }, state.queue), state.queue);
}

function chosenInList(state: State, before: readonly QueuedText[]): State {
  const { picker, queue } = state;
  if (picker === null || !isQueueOpen(state)) return state;
  if (queue.length === 0) return { ...state, picker: null };
  const at = picker.query === '' ? queue.findIndex(({ id }) => id === before[picker.selected]?.id) : -1;
  return at < 0 ? state : { ...state, picker: { ...picker, selected: at } };
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
