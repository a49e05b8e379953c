/** The windows over the task list: one task in detail, its time limit, the question before a prompt is stopped. */

import { formatBytes, formatElapsed } from '../../base/duration.js';
import { type Row, rowOf, type Segment } from '../../base/style.js';
import type { PaneCursor } from '../../protocol/panes.js';
import { inside } from '../layout.js';
import { runningFor } from '../rows/elapsed.js';
import { screenLayout } from '../screen.js';
import { type State, shownNow, type Task } from '../state.js';
import { commandRowsOf, type DetailPage, detailPageOf } from '../task-detail.js';
import { openWindow, taskOf } from '../task-list.js';
import type { LimitDraft, ShownOutput } from '../task-list-view.js';
import type { Theme } from '../theme.js';
import type { Frame, Rect } from '../widget.js';
import { border, fitted, piece } from './pieces.js';
import { paneTitle, taskState } from './tasks.js';

type Part = Frame['parts'][number];

/** Cells of a small window, when there is room. */
const SMALL_COLS = 70;

/** What is open, the smaller window over the larger one. */
export function taskWindowParts(state: State, theme: Theme): readonly Part[] {
  const open = openWindow(state);
  if (open === null) return [];
  return [...detailParts(state, theme), ...(open === 'limit' ? limitParts(state, theme) : []), ...stoppingParts(state, theme)];
}

/** Where the cursor stands while a time limit is written; null otherwise. */
export function taskWindowCursor(state: State): PaneCursor | null {
  const { limit } = state.taskList;
  if (limit === null || openWindow(state) !== 'limit') return null;
  const { x, y } = inside(smallRect(state, 2));
  return { x: x + 3 + limit.text.length, y, shown: true };
}

function smallRect(state: State, rows: number): Rect {
  const { cols } = state.size;
  const wide = Math.min(SMALL_COLS, cols);
  const room = screenLayout(state).editor.y;
  return { x: Math.floor((cols - wide) / 2), y: Math.max(1, Math.floor((room - rows - 2) / 2)), cols: wide, rows: rows + 2 };
}

function windowParts(outer: Rect, rows: readonly Row[], title: Segment, foot: readonly Segment[], theme: Theme): readonly Part[] {
  const inner = inside(outer);
  const shown = rows.slice(0, inner.rows).map((row): Row => ({ ...row, segments: fitted(row.segments, inner.cols) }));
  const padded = [...shown, ...Array.from({ length: Math.max(0, inner.rows - shown.length) }, (): Row => ({ segments: [] }))];
  return [{ rect: inner, rows: padded }, ...border(outer, { title: [title], foot, style: theme.styles.border_focused })];
}

function detailParts(state: State, theme: Theme): readonly Part[] {
  const page = detailPageOf(state);
  if (page === null) return [];
  const { styles } = theme;
  const { task, outer } = page;
  const command = commandRowsOf(state, task, inside(outer).cols);
  const cut = command.length > page.commandRows;
  const rows = [
    ...command.slice(0, cut ? page.commandRows - 1 : page.commandRows),
    ...(cut ? [rowOf(piece(`… ${command.length - page.commandRows + 1} more rows`, styles.muted))] : []),
    rowOf(piece(placeWords(state, task), styles.muted)),
    rowOf(...timePieces(state, task, theme)),
    rowOf(piece(outputWords(page), styles.muted)),
    ...page.rows,
  ];
  return windowParts(outer, rows, piece(`${task.kind} #${task.id}`, styles.title), footPieces(page, theme), theme);
}

function footPieces(page: DetailPage, theme: Theme): readonly Segment[] {
  const { muted, pill } = theme.styles;
  const rows = page.total > page.room ? [piece(`rows ${page.top + 1}–${page.top + page.rows.length} of ${page.total}`, muted)] : [];
  const still = page.follows
    ? []
    : [piece(' ', muted), piece(page.task.outcome === null ? ' stands still, End follows ' : ' more ↓ ', pill)];
  return [...rows, ...still];
}

function placeWords(state: State, task: Task): string {
  const { target } = state;
  const where = target === null ? [] : [`on ${target.label}`, `${target.user}@${target.host}`];
  return [...where, ...(task.pane === null ? [] : [`pane ${`${paneTitle(state, task.pane)} ${task.pane}`.trim()}`])].join(' · ');
}

function timePieces(state: State, task: Task, theme: Theme): readonly Segment[] {
  const { muted } = theme.styles;
  const { startedMs, endedMs, deadlineMs } = task;
  const nowMs = shownNow(state);
  const [word, style] = taskState(task, theme);
  const lasted =
    endedMs === null
      ? `for ${runningFor(startedMs, nowMs)}`
      : `${timeOfDay(endedMs)} after ${formatElapsed(Math.max(0, endedMs - startedMs))}`;
  const limit = deadlineMs === null ? '' : ` · time-out at ${timeOfDay(deadlineMs)}, in ${runningFor(nowMs, deadlineMs)}`;
  return [piece(`began ${timeOfDay(startedMs)} · `, muted), piece(word, style), piece(` ${lasted}${limit}`, muted)];
}

/** `14:03:12`, on this machine's own clock. */
function timeOfDay(ms: number): string {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

function outputWords({ output, total, task }: DetailPage): string {
  if (output === null) return task.kind === 'prompt' ? 'no call yet' : 'its output is not known';
  const what = task.kind === 'prompt' ? 'output of its newest call' : 'output';
  if (total === 0) return `${what}: nothing so far`;
  return output.before === 0 ? what : `${what} · ${beforeWords(output)}`;
}

function beforeWords({ before, unit, id }: ShownOutput): string {
  const size = unit === 'bytes' ? `${formatBytes(before)} (offset ${before})` : `${before} characters`;
  return `${size} before this${id === null ? '' : `: read_output ${id}`}`;
}

function limitParts(state: State, theme: Theme): readonly Part[] {
  const { limit } = state.taskList;
  if (limit === null) return [];
  const { styles } = theme;
  const input = rowOf(piece(' > ', styles.key_name), piece(limit.text, styles.text));
  return windowParts(smallRect(state, 2), [input, limitHint(limit, theme)], piece(`stop #${limit.task} after`, styles.title), [], theme);
}

function limitHint({ problem, text }: LimitDraft, theme: Theme): Row {
  if (problem !== '') return rowOf(piece(` ${problem}`, theme.styles.warning));
  return rowOf(
    piece(text === '' ? ' 90s, 10m, 1h30m; off takes a time-out away' : ' Enter sets it, Esc leaves it as it is', theme.styles.muted),
  );
}

function stoppingParts(state: State, theme: Theme): readonly Part[] {
  const { stopping } = state.taskList;
  const task = stopping === null ? null : taskOf(state, stopping);
  if (task === null || openWindow(state) !== 'stopping') return [];
  const { styles } = theme;
  const keys = rowOf(
    piece(' [y]', styles.approval_key),
    piece(' stop it  ', styles.text),
    piece('[n]', styles.approval_key),
    piece(' let it go on', styles.text),
  );
  const what = rowOf(piece(` ${task.text.split('\n', 1)[0] ?? ''}`, styles.text));
  return windowParts(smallRect(state, 2), [what, keys], piece(`stop the whole prompt #${task.id}?`, styles.title), [], theme);
}
