/** The task list: what waits for an answer first, then what runs, what is queued, and what has ended. */

import { formatElapsed } from '../../base/duration.js';
import { type Row, rowOf, type Style } from '../../base/style.js';
import { runningFor } from '../rows/elapsed.js';
import { isTimeShown, type State, shownNow, type Task } from '../state.js';
import type { Theme } from '../theme.js';
import type { Widget } from '../widget.js';
import { ends, fitted, piece } from './pieces.js';

/** As many rows as there is room for, the urgent ones first. */
export const tasks: Widget = {
  id: 'tasks',
  inputs: (state) => [state.tasks, state.queue, state.approvals, isTimeShown(state) ? shownNow(state) : 0],
  rows(state, size, theme) {
    const all = [
      ...approvalRows(state, size.cols, theme),
      ...runningRows(state, size.cols, theme),
      ...queueRows(state, size.cols, theme),
      ...endedRows(state, size, theme),
    ];
    return all.length > 0 ? all.slice(0, size.rows) : [rowOf(...fitted([piece('nothing runs', theme.styles.muted)], size.cols))];
  },
};

function approvalRows(state: State, cols: number, theme: Theme): readonly Row[] {
  return state.approvals.map((request) =>
    rowOf(
      ...fitted(
        [piece('? ', theme.styles.warning), piece(`#${request.task} waits for your answer: ${request.title}`, theme.styles.warning)],
        cols,
      ),
    ),
  );
}

function runningRows(state: State, cols: number, theme: Theme): readonly Row[] {
  const running = state.tasks.filter((task) => task.outcome === null);
  const order = [...running.filter((task) => task.kind === 'prompt'), ...running.filter((task) => task.kind !== 'prompt')];
  return order.flatMap((task) => {
    const rows = [taskRow(task, shownNow(state), cols, theme)];
    if (task.kind === 'job' && task.lastLine !== '') rows.push(rowOf(...fitted([piece(`    ${task.lastLine}`, theme.styles.muted)], cols)));
    return rows;
  });
}

function queueRows(state: State, cols: number, theme: Theme): readonly Row[] {
  return state.queue.map((queued) =>
    rowOf(
      ...fitted(
        [piece(queued.mode === 'steer' ? '↳ ' : '… ', theme.styles.accent), piece(`${queued.mode}  ${queued.text}`, theme.styles.text)],
        cols,
      ),
    ),
  );
}

function endedRows(state: State, size: { readonly cols: number; readonly rows: number }, theme: Theme): readonly Row[] {
  const ended = state.tasks.filter((task) => task.outcome !== null).slice(-size.rows);
  return ended.reverse().map((task) => taskRow(task, shownNow(state), size.cols, theme));
}

function taskRow(task: Task, nowMs: number, cols: number, theme: Theme): Row {
  const [glyph, style] = glyphOf(task, theme);
  const left = [piece(`${glyph} `, style), piece(`#${task.id} `, theme.styles.muted), piece(firstLine(task.text), theme.styles.text)];
  const elapsed = task.endedMs === null ? runningFor(task.startedMs, nowMs) : formatElapsed(Math.max(0, task.endedMs - task.startedMs));
  const limit = task.deadlineMs === null ? '' : ` of ${formatElapsed(Math.max(0, task.deadlineMs - task.startedMs))}`;
  const pane = task.kind !== 'prompt' && task.pane !== null ? `  pane ${task.pane}` : '';
  return ends(left, [piece(stateWord(task), style), piece(`  ${elapsed}${limit}${pane}`, theme.styles.muted)], cols, theme.styles.text);
}

function firstLine(text: string): string {
  return text.slice(0, 400).split('\n', 1)[0] ?? '';
}

function glyphOf(task: Task, theme: Theme): readonly [string, Style] {
  const { styles } = theme;
  if (task.outcome === null) return task.kind !== 'job' ? ['▶', styles.progress] : ['⧗', styles.progress];
  if (task.outcome === 'completed' && (task.exitCode ?? 0) === 0) return ['✓', styles.success];
  return task.outcome === 'cancelled' ? ['∅', styles.warning] : ['✗', styles.error];
}

function stateWord(task: Task): string {
  if (task.outcome === null) return task.cancelling ? 'stopping' : task.kind === 'job' ? 'job' : 'running';
  if (task.exitCode !== null) return `exit ${task.exitCode}`;
  return task.outcome === 'completed' ? 'done' : task.outcome;
}
