/** What the keys of the task list do: choose, look at one in detail, stop it, limit its time. */

import { type Step, send, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import type { State } from '../state.js';
import { detailPage, scrolledDetail } from '../task-detail.js';
import { chosenTask, moveSelection, notRunningReason, readLimit, selectedEntry, taskEntries, taskOf } from '../task-list.js';
import type { TaskListView } from '../task-list-view.js';
import { withToast } from '../toasts.js';
import type { Handler } from './editor-keys.js';

function changed(state: State, change: Partial<TaskListView>): State {
  return { ...state, taskList: { ...state.taskList, ...change } };
}

/** The chosen task in detail; its output is told from now on. */
function open(state: State, nowMs: number): Step {
  const entry = taskEntries(state)[selectedEntry(state)];
  if (entry === undefined) return step(state);
  if (entry.kind === 'approval') return step(withToast(state, 'It is the question below.', 'info', nowMs));
  // It has keys of its own.
  if (entry.kind === 'queued') return step(state);
  const next = changed(state, { selected: entry.key, detail: { task: entry.task.id, output: null, held: null } });
  return entry.task.kind === 'job' ? step(next, send({ type: 'task.watch', task: entry.task.id })) : step(next);
}

function close(state: State): Step {
  const { detail } = state.taskList;
  const isJob = detail !== null && taskOf(state, detail.task)?.kind !== 'prompt';
  return step(changed(state, { detail: null }), ...(isJob ? [send({ type: 'task.watch', task: null })] : []));
}

function stop(state: State, nowMs: number): Step {
  const task = chosenTask(state);
  const reason = notRunningReason(state);
  if (task === null || reason !== null) return step(withToast(state, `Not now: ${reason}.`, 'warning', nowMs));
  return task.kind === 'prompt' ? step(changed(state, { stopping: task.id })) : cancelled(state, task.id);
}

function cancelled(state: State, id: string): Step {
  const task = taskOf(state, id);
  const closed = changed(state, { stopping: null });
  if (task === null || task.outcome !== null || task.cancelling) return step(closed);
  const tasks = state.tasks.map((known) => (known === task ? { ...known, cancelling: true } : known));
  return step({ ...closed, tasks }, send({ type: 'task.cancel', task: id }));
}

function limit(state: State, nowMs: number): Step {
  const task = chosenTask(state);
  const reason = notRunningReason(state);
  if (task === null || reason !== null) return step(withToast(state, `Not now: ${reason}.`, 'warning', nowMs));
  return step(changed(state, { limit: { task: task.id, text: '', problem: '' } }));
}

function setLimit(state: State): Step {
  const draft = state.taskList.limit;
  if (draft === null) return step(state);
  const afterMs = readLimit(draft.text);
  if (typeof afterMs === 'string') return step(changed(state, { limit: { ...draft, problem: afterMs } }));
  const closed = changed(state, { limit: null });
  const runs = taskOf(state, draft.task)?.outcome === null;
  return runs ? step(closed, send({ type: 'task.deadline', task: draft.task, afterMs })) : step(closed);
}

function written(state: State, to: (text: string) => string): State {
  const draft = state.taskList.limit;
  return draft === null ? state : changed(state, { limit: { ...draft, text: to(draft.text), problem: '' } });
}

/** Characters that a time limit can have: more is no duration. */
const MOST_TYPED = 20;

/** Letters of a key, or a paste, while a time limit is written. */
export function limitTyped(state: State, text: string): State {
  const letters = text.replace(/[^\x20-\x7e]/g, '');
  return letters === '' ? state : written(state, (before) => (before + letters).slice(0, MOST_TYPED));
}

const move = (by: number): Handler => {
  return (state) => step(moveSelection(state, by));
};

/** The ids this file answers for. */
export type TaskAction = Extract<ActionId, `tasks.${string}` | `detail.${string}` | `limit.${string}` | `stopping.${string}`>;

/** What each of them does. */
export const taskHandlers: Readonly<Record<TaskAction, Handler>> = {
  'tasks.up': move(-1),
  'tasks.down': move(1),
  'tasks.first': move(Number.NEGATIVE_INFINITY),
  'tasks.last': move(Number.POSITIVE_INFINITY),
  'tasks.open': open,
  'tasks.stop': stop,
  'tasks.limit': limit,
  'detail.close': close,
  'detail.up': (state) => step(scrolledDetail(state, -1)),
  'detail.down': (state) => step(scrolledDetail(state, 1)),
  'detail.pageUp': (state) => step(scrolledDetail(state, -detailPage(state))),
  'detail.pageDown': (state) => step(scrolledDetail(state, detailPage(state))),
  'detail.start': (state) => step(scrolledDetail(state, Number.NEGATIVE_INFINITY)),
  'detail.end': (state) => step(scrolledDetail(state, Number.POSITIVE_INFINITY)),
  'limit.set': setLimit,
  'limit.close': (state) => step(changed(state, { limit: null })),
  'limit.erase': (state) => step(written(state, (text) => text.slice(0, -1))),
  'limit.clear': (state) => step(written(state, () => '')),
  'stopping.yes': (state) => cancelled(state, state.taskList.stopping ?? ''),
  'stopping.no': (state) => step(changed(state, { stopping: null })),
};
