/** The question at the end: what is in the tmux session, and what becomes of it. */

import { formatElapsed } from '../../base/duration.js';
import { type Row, rowOf, type Segment } from '../../base/style.js';
import { padEnd } from '../../base/width.js';
import type { PaneState } from '../../protocol/panes.js';
import { inside } from '../layout.js';
import { isWorking, keepableSession, runningJobs } from '../leaving.js';
import { runningTurn, type State, shownNow, type Task } from '../state.js';
import type { Theme } from '../theme.js';
import type { Frame, Rect } from '../widget.js';
import { border, exactPiece, fitted, piece } from './pieces.js';

type Part = Frame['parts'][number];

/** Cells of the window, when there is room. */
const MOST_COLS = 76;
/** Cells of the names of keys, and of the words behind them. */
const KEY_CELLS = 6;
const WORD_CELLS = 6;

/** The window in the middle of the screen; none when nothing is asked. */
export function leavingParts(state: State, theme: Theme): readonly Part[] {
  if (state.leaving === null) return [];
  const { cols, rows } = state.size;
  const wide = Math.min(MOST_COLS, cols);
  const choices = choiceRows(state, theme);
  const there = thereRows(state, theme);
  const room = Math.max(0, rows - 2 - choices.length - 2);
  const shown = there.slice(0, room);
  const gap: readonly Row[] = room > there.length ? [{ segments: [] }] : [];
  const body = [...shown, ...gap, ...choices].map((row): Row => ({ segments: fitted(row.segments, wide - 2) }));
  const high = body.length + 2;
  const outer: Rect = { x: Math.floor((cols - wide) / 2), y: Math.max(0, Math.floor((rows - high) / 2)), cols: wide, rows: high };
  const title = [exactPiece(`leave · tmux session ${keepableSession(state) ?? ''}`, theme.styles.title)];
  return [{ rect: inside(outer), rows: body }, ...border(outer, { title, style: theme.styles.approval_border })];
}

/** The panes with what they do, the jobs, and what is interrupted. */
function thereRows(state: State, theme: Theme): readonly Row[] {
  const { pane } = state;
  const { text, muted, warning } = theme.styles;
  const jobs = runningJobs(state);
  const own = jobs.find((job) => job.pane === pane?.id);
  const row = (name: string, doing: string, busy: boolean, command: string): Row =>
    rowOf(piece(` ${padEnd(name, 12)} `, muted), piece(doing, busy ? warning : text), exactPiece(command, text));
  const nowMs = shownNow(state);
  const first = pane === null ? [] : [row(`pane ${pane.title}`, doing(pane.state, own, nowMs), isWorking(state), named(own))];
  const others = jobs
    .filter((job) => job !== own)
    .map((job) => row(`#${job.id}`, `running ${elapsed(job.startedMs, nowMs)}`, true, named(job)));
  const turn = runningTurn(state);
  const interrupted = turn === null ? [] : [rowOf(piece(interruptedWords(turn), muted))];
  return [...first, ...others, ...interrupted];
}

function interruptedWords({ kind }: Task): string {
  return kind === 'prompt' ? ' The prompt that runs is interrupted.' : ' The summary that is being written is given up.';
}

function elapsed(sinceMs: number, nowMs: number): string {
  return formatElapsed(Math.max(0, nowMs - sinceMs));
}

function named(job: Task | undefined): string {
  return job === undefined ? '' : `  ${job.text.split('\n', 1)[0] ?? ''}`;
}

function doing(pane: PaneState, job: Task | undefined, nowMs: number): string {
  switch (pane.kind) {
    case 'running':
    case 'fullscreen':
      return `running ${pane.program} ${elapsed(pane.sinceMs, nowMs)}`.replace('  ', ' ');
    case 'password':
      return `${pane.program || 'a program'} waits for a password`;
    case 'continuation':
      return 'an unfinished command stands at the prompt';
    case 'unknown-shell':
      return 'what runs there is not known';
    default:
      return job === undefined ? 'idle, nothing runs' : `running ${elapsed(job.startedMs, nowMs)}`;
  }
}

function choiceRows(state: State, theme: Theme): readonly Row[] {
  const { approval_key: key, text, muted } = theme.styles;
  const busy = isWorking(state);
  const choice = (name: string, word: string, says: string): Row => {
    const parts: readonly Segment[] = [
      piece(` ${padEnd(name, KEY_CELLS)}`, key),
      piece(padEnd(word, WORD_CELLS), text),
      piece(says, muted),
    ];
    return { segments: parts };
  };
  return [
    choice('Enter', 'keep', busy ? 'it goes on, and the next start continues in it' : 'the next start continues in this shell'),
    choice('e', 'end', busy ? 'what runs there is ended' : 'the shell is ended'),
    choice('Esc', 'stay', 'back to the dashboard'),
  ];
}
