/** The task list: what waits for an answer first, then the prompt, what is queued, what else runs, and what has ended. */

import { formatElapsed } from '../../base/duration.js';
import { type Row, rowOf, type Style } from '../../base/style.js';
import type { PaneId } from '../../protocol/panes.js';
import { isPastTask } from '../past-tasks.js';
import { runningFor } from '../rows/elapsed.js';
import { tailLines } from '../rows/output.js';
import { isTimeShown, type State, shownNow, type Task } from '../state.js';
import { newestCall, selectedEntry, type TaskEntry, taskEntries } from '../task-list.js';
import type { Theme } from '../theme.js';
import type { Size, Widget } from '../widget.js';
import { ends, fitted, piece } from './pieces.js';

/** As many rows as there is room for, the urgent ones first; while it has the keyboard, with the chosen one among them. */
export const tasks: Widget = {
  id: 'tasks',
  inputs: (state) => [
    taskEntries(state),
    state.panes,
    state.focus === 'tasks' ? selectedEntry(state) : -1,
    ownLastLine(state),
    isTimeShown(state) ? shownNow(state) : 0,
  ],
  rows(state, size, theme) {
    const listed = listedRows(state, size, theme);
    if (listed.length === 0) return [rowOf(...fitted([piece('nothing runs', theme.styles.muted)], size.cols))];
    return listed.map(({ row }) => row);
  },
};

/** The entry that a row of a list of that size belongs to; null when there is none. */
export function entryUnder(state: State, size: Size, row: number): TaskEntry | null {
  return listedRows(state, size, state.theme)[row]?.entry ?? null;
}

function listedRows(state: State, size: Size, theme: Theme): readonly { readonly row: Row; readonly entry: TaskEntry }[] {
  const chosen = state.focus === 'tasks' ? selectedEntry(state) : -1;
  const entries = taskEntries(state).slice(0, Math.max(chosen + 1, 0) + size.rows);
  const blocks = entries.map((entry, i) => entryRows(state, entry, i === chosen, size.cols, theme).map((row) => ({ row, entry })));
  const below = blocks.slice(0, chosen + 1).reduce((sum, rows) => sum + rows.length, 0);
  const top = Math.max(0, below - size.rows);
  return blocks.flat().slice(top, top + size.rows);
}

function entryRows(state: State, entry: TaskEntry, isChosen: boolean, cols: Size['cols'], theme: Theme): readonly Row[] {
  const { styles } = theme;
  switch (entry.kind) {
    case 'approval': {
      const { task, title } = entry.request;
      const text = piece(`#${task} waits for your answer: ${title}`, styles.warning);
      return [chosenRow(ends([piece('? ', styles.warning), text], [], cols, styles.text), isChosen, theme)];
    }
    case 'queued': {
      const { mode, text } = entry.queued;
      const left = [piece(mode === 'steer' ? '↳ ' : '… ', styles.accent), piece(`${mode}  ${firstLine(text)}`, styles.text)];
      return [chosenRow(ends(left, [], cols, styles.text), isChosen, theme)];
    }
    case 'task': {
      const row = chosenRow(taskRow(state, entry.task, cols, theme), isChosen, theme);
      const line = lastLine(state, entry.task);
      return line === '' ? [row] : [row, rowOf(...fitted([piece(`    ${line}`, styles.muted)], cols))];
    }
  }
}

/** The chosen entry in one look, so that it is found without colours as well. */
function chosenRow(row: Row, isChosen: boolean, theme: Theme): Row {
  if (!isChosen) return row;
  const style = theme.styles.selected;
  return { segments: row.segments.map((segment) => ({ ...segment, style })), fill: style };
}

/** What it printed last, while it runs. */
function lastLine(state: State, task: Task): string {
  if (task.outcome !== null || task.kind === 'prompt') return '';
  return task.kind === 'job' ? task.lastLine : ownLastLine(state);
}

/** The last line of the person's own command, which is told with the conversation. */
function ownLastLine(state: State): string {
  const own = state.tasks.findLast((task) => task.kind === 'command' && task.outcome === null);
  return own === undefined ? '' : (tailLines(newestCall(state, own.id)?.tail ?? '', 1)[0] ?? '');
}

function taskRow(state: State, task: Task, cols: number, theme: Theme): Row {
  const { styles } = theme;
  const nowMs = shownNow(state);
  const [word, style] = taskState(task, theme);
  const left = [
    piece(`${glyphOf(task)} `, style),
    piece(isPastTask(task) ? 'earlier ' : `#${task.id} `, styles.muted),
    piece(`${task.kind} `, styles.muted),
    piece(firstLine(task.text), styles.text),
  ];
  const elapsed = task.endedMs === null ? runningFor(task.startedMs, nowMs) : formatElapsed(Math.max(0, task.endedMs - task.startedMs));
  const limit = task.deadlineMs === null ? '' : ` of ${formatElapsed(Math.max(0, task.deadlineMs - task.startedMs))}`;
  const pane = task.kind === 'prompt' || task.pane === null ? '' : `  pane ${paneTitle(state, task.pane) || task.pane}`;
  return ends(left, [piece(word, style), piece(`  ${elapsed}${limit}${pane}`, styles.muted)], cols, styles.text);
}

/** '' for a pane that is gone. */
export function paneTitle(state: State, id: PaneId): string {
  return state.panes.find((pane) => pane.id === id)?.title ?? '';
}

function firstLine(text: string): string {
  return text.slice(0, 400).split('\n', 1)[0] ?? '';
}

function glyphOf(task: Task): string {
  if (task.outcome === null) return task.kind === 'job' ? '⧗' : '▶';
  if (task.outcome === 'completed') return (task.exitCode ?? 0) === 0 ? '✓' : '✗';
  return task.outcome === 'cancelled' ? '∅' : '✗';
}

/** How it stands, in a word or two, and the look of that. */
export function taskState(task: Task, theme: Theme): readonly [string, Style] {
  const { styles } = theme;
  if (task.outcome === null) return [task.cancelling ? 'stopping' : 'running', styles.progress];
  const word = task.exitCode !== null ? `exit ${task.exitCode}` : task.outcome === 'completed' ? 'done' : task.outcome;
  if (task.outcome === 'completed' && (task.exitCode ?? 0) === 0) return [word, styles.success];
  return [word, task.outcome === 'cancelled' ? styles.warning : styles.error];
}
