/** The window with one task: where it stands, the rows of its output, and how they are scrolled. */

import type { Row } from '../base/style.js';
import { inside, windowRect } from './layout.js';
import { layOut, textLines } from './rows/lines.js';
import { cleanOutput } from './rows/output.js';
import { screenLayout } from './screen.js';
import type { State, Task } from './state.js';
import { outputOf, taskOf } from './task-list.js';
import type { ShownOutput } from './task-list-view.js';
import type { Rect } from './widget.js';

/** The window of the task that is looked at. */
export interface DetailPage {
  readonly task: Task;
  readonly outer: Rect;
  /** Rows of the command at most. */
  readonly commandRows: number;
  /** What the rows below are of; null: nothing is known of its output. */
  readonly output: ShownOutput | null;
  /** The rows of the output that are shown, the number of the first, and how many there are. */
  readonly rows: readonly Row[];
  readonly top: number;
  readonly total: number;
  readonly room: number;
  readonly follows: boolean;
}

/** Rows of the window that are neither command nor output: where, when, and what the output is. */
const WORDS = 3;

/** What is shown of the task that is looked at; null when none is, or when there is no room. */
export function detailPageOf(state: State): DetailPage | null {
  const { detail } = state.taskList;
  const task = detail === null ? null : taskOf(state, detail.task);
  const layout = screenLayout(state);
  if (detail === null || task === null || layout.kind === 'small') return null;
  const outer = windowRect(state.size, layout.editor.y);
  const inner = inside(outer);
  const commandRows = Math.max(1, Math.min(6, Math.floor(inner.rows / 3), commandRowsOf(state, task, inner.cols).length));
  const room = Math.max(0, inner.rows - commandRows - WORDS);
  const output = detail.held?.output ?? outputOf(state, task);
  const all = outputRows(state, output, inner.cols);
  const end = Math.max(0, all.length - room);
  const top = detail.held === null ? end : Math.min(detail.held.top, end);
  const rows = all.slice(top, top + room);
  return { task, outer, commandRows, output, rows, top, total: all.length, room, follows: detail.held === null };
}

/** The rows of the whole command at that width. */
export function commandRowsOf(state: State, task: Task, cols: number): readonly Row[] {
  const { theme } = state;
  const make = () => layOut(textLines(task.text.slice(0, 20_000), theme.styles.title), Math.max(1, cols), null, null).rows;
  return state.layouts.remember('task command', [task.text, cols, theme], make);
}

function outputRows(state: State, output: ShownOutput | null, cols: number): readonly Row[] {
  const { theme } = state;
  const text = output?.text ?? '';
  return state.layouts.remember('task output', [text, cols, theme], () => {
    const clean = cleanOutput(text).replace(/\n+$/, '');
    return clean === '' ? [] : layOut(textLines(clean, theme.styles.text, true), Math.max(1, cols), null, null).rows;
  });
}

/** The output scrolled by rows (negative: up; a wheel may call this as well): it stands still then, and is followed again at its end. */
export function scrolledDetail(state: State, rows: number): State {
  const page = detailPageOf(state);
  const { detail } = state.taskList;
  if (page === null || detail === null || page.output === null) return state;
  const end = Math.max(0, page.total - page.room);
  const top = Math.max(0, Math.min(end, page.top + rows));
  const held = top >= end ? null : { top, output: page.output };
  return { ...state, taskList: { ...state.taskList, detail: { ...detail, held } } };
}

/** Rows of a page of the output. */
export function detailPage(state: State): number {
  return Math.max(1, (detailPageOf(state)?.room ?? 2) - 1);
}
