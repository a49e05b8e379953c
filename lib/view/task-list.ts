/** The tasks as a list that can be walked through, and the windows that open over it: a task in detail, its time limit, a question. */

import { parseDuration } from '../base/duration.js';
import { BuddyError } from '../base/errors.js';
import type { ApprovalRequest } from '../protocol/approvals.js';
import type { QueuedText, TaskOutput } from '../protocol/events.js';
import type { State, Task } from './state.js';
import type { ShownOutput } from './task-list-view.js';
import { blockAt, findLast, type ToolBlock } from './transcript.js';

/** One entry of the list. */
export type TaskEntry =
  | { readonly kind: 'approval'; readonly key: string; readonly request: ApprovalRequest }
  | { readonly kind: 'queued'; readonly key: string; readonly queued: QueuedText }
  | { readonly kind: 'task'; readonly key: string; readonly task: Task };

/** What waits for an answer, the prompt that runs, what is queued, what else runs, what has ended (the last first). */
export function taskEntries(state: State): readonly TaskEntry[] {
  const { approvals, queue, tasks } = state;
  return state.layouts.remember('task entries', [approvals, queue, tasks], () => {
    const entry = (task: Task): TaskEntry => ({ kind: 'task', key: `task ${task.id}`, task });
    const running = tasks.filter((task) => task.outcome === null);
    return [
      ...approvals.map((request): TaskEntry => ({ kind: 'approval', key: `approval ${request.id}`, request })),
      ...running.filter((task) => task.kind === 'prompt').map(entry),
      ...queue.map((queued): TaskEntry => ({ kind: 'queued', key: `queued ${queued.id}`, queued })),
      ...running.filter((task) => task.kind !== 'prompt').map(entry),
      ...tasks
        .filter((task) => task.outcome !== null)
        .reverse()
        .map(entry),
    ];
  });
}

/** The number of the chosen entry; -1 when there is none. */
export function selectedEntry(state: State): number {
  const entries = taskEntries(state);
  const at = entries.findIndex((entry) => entry.key === state.taskList.selected);
  return at < 0 && entries.length > 0 ? 0 : at;
}

/** The task of the chosen entry, or of the detail view that lies over the list; null when it is none. */
export function chosenTask(state: State): Task | null {
  const { detail } = state.taskList;
  if (detail !== null) return taskOf(state, detail.task);
  const entry = taskEntries(state)[selectedEntry(state)];
  return entry?.kind === 'task' ? entry.task : null;
}

/** The task with that id; null when it is forgotten. */
export function taskOf(state: State, id: string): Task | null {
  return state.tasks.find((task) => task.id === id) ?? null;
}

/** Another entry chosen, so many further down. */
export function moveSelection(state: State, by: number): State {
  const entries = taskEntries(state);
  const at = Math.max(0, Math.min(entries.length - 1, selectedEntry(state) + by));
  const selected = entries[at]?.key ?? null;
  return selected === state.taskList.selected ? state : { ...state, taskList: { ...state.taskList, selected } };
}

/** Why the chosen entry cannot be stopped or limited; null when it can. */
export function notRunningReason(state: State): string | null {
  const task = chosenTask(state);
  if (task === null) return 'this is no task';
  return task.outcome === null ? null : 'it has ended';
}

/** What a written time limit says: milliseconds, null for none, or why it is no limit. */
export function readLimit(text: string): number | null | string {
  const written = text.trim();
  if (written === 'off' || written === '') return null;
  try {
    return parseDuration(written);
  } catch (thrown) {
    if (!(thrown instanceof BuddyError)) throw thrown;
    return `${thrown.message}. ${thrown.hint ?? ''}`.trim();
  }
}

/** The state after news of the watched job's output. */
export function withTaskOutput(state: State, id: string, output: TaskOutput): State {
  const { detail } = state.taskList;
  return detail?.task === id ? { ...state, taskList: { ...state.taskList, detail: { ...detail, output } } } : state;
}

/** A question is open over the list, and nothing more pressing lies over it. */
export function openWindow(state: State): 'limit' | 'stopping' | 'detail' | null {
  const { limit, stopping, detail } = state.taskList;
  if (state.approvals.length > 0) return null;
  return limit !== null ? 'limit' : stopping !== null ? 'stopping' : detail !== null ? 'detail' : null;
}

/** Blocks that are looked through for the calls of a task. */
const RECENT = 2000;

/** The newest call of a task; undefined when the conversation has none. */
export function newestCall(state: State, task: string): ToolBlock | undefined {
  const id = findLast(state.transcript, (block) => block.kind === 'tool' && block.task === task, RECENT);
  const block = blockAt(state.transcript, id);
  return block?.kind === 'tool' ? block : undefined;
}

/** The end of what the task has printed; of a prompt, what its newest call has. Null: nothing is known. */
export function outputOf(state: State, task: Task): ShownOutput | null {
  if (task.kind === 'job') {
    const output = state.taskList.detail?.task === task.id ? state.taskList.detail.output : null;
    return output === null ? null : { text: output.text, before: output.offset, unit: 'bytes', id: output.id };
  }
  const call = newestCall(state, task.id);
  if (call === undefined) return null;
  const ended = call.status !== 'running' && call.status !== 'requested';
  const text = ended ? call.result : call.tail;
  return { text, before: ended ? 0 : Math.max(0, call.outputChars - text.length), unit: 'characters', id: null };
}
