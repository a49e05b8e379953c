/** How the task list is walked through and what is open over it, as data (see task-list.ts). */

import type { TaskOutput } from '../protocol/events.js';

/** A task that is looked at. */
export interface TaskDetail {
  readonly task: string;
  /** Of a job, as far as it was told. */
  readonly output: TaskOutput | null;
  /** Null: the end of the output is followed. Else the first row that is shown, of the output as it was when following stopped. */
  readonly held: { readonly top: number; readonly output: ShownOutput } | null;
}

/** The end of a task's output, as it is shown. */
export interface ShownOutput {
  /** Raw. */
  readonly text: string;
  /** What came before it. */
  readonly before: number;
  readonly unit: 'bytes' | 'characters';
  /** Where all of it can be read. */
  readonly id: string | null;
}

/** A time limit that is being written. */
export interface LimitDraft {
  readonly task: string;
  readonly text: string;
  /** Why it cannot be taken; '' when nothing was tried. */
  readonly problem: string;
}

/** How the list is walked through. */
export interface TaskListView {
  /** Key of the chosen entry; null: the first one. */
  readonly selected: string | null;
  readonly detail: TaskDetail | null;
  readonly limit: LimitDraft | null;
  /** The prompt that is asked about before it is stopped. */
  readonly stopping: string | null;
}

/** Nothing chosen and nothing open. */
export const freshTaskList: TaskListView = Object.freeze({ selected: null, detail: null, limit: null, stopping: null });
