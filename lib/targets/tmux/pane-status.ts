/** What tmux itself knows of a pane, and the state that follows from it and the shell's phase. */

import type { PaneState } from '../../protocol/panes.js';
import { tmuxWord } from './quoting.js';
import type { PanePhase } from './shell-pane.js';

/** One line of `list-panes`. */
export interface PaneStatus {
  readonly pane: string;
  readonly dead: boolean;
  /** Exit status of the pane's shell, null while it lives or after a signal. */
  readonly deadStatus: number | null;
  /** Signal that ended it, null when none or not told (it is told from tmux 3.3 on). */
  readonly deadSignal: number | null;
  readonly alternateScreen: boolean;
  readonly copyMode: boolean;
  readonly cols: number;
  readonly rows: number;
  readonly cursorX: number;
  /** 0 is the top row. */
  readonly cursorY: number;
  /** Process id of the pane's shell. */
  readonly pid: number;
  readonly tty: string;
  /** Program in the foreground. */
  readonly program: string;
}

const FIELDS =
  '#{pane_id}|#{pane_dead}|#{pane_dead_status}|#{pane_dead_signal}|#{alternate_on}|#{pane_in_mode}|#{pane_width}|#{pane_height}|#{cursor_x}|#{cursor_y}|#{pane_pid}|#{pane_tty}|#{pane_current_command}';

/** The command line that lists all panes of a session. */
export function listPanes(session: string): string {
  return `list-panes -s -t ${tmuxWord(`=${session}`)} -F ${tmuxWord(FIELDS)}`;
}

/** A line of its reply, or null when it is none. */
export function parsePaneStatus(line: string): PaneStatus | null {
  const [pane, dead, deadStatus, deadSignal, alternate, mode, cols, rows, cursorX, cursorY, pid, tty, ...program] = line.split('|');
  if (pane === undefined || tty === undefined) return null;
  return {
    pane,
    dead: dead === '1',
    deadStatus: numberOrNull(deadStatus),
    deadSignal: numberOrNull(deadSignal),
    alternateScreen: alternate === '1',
    copyMode: mode !== '0' && mode !== '',
    cols: Number(cols),
    rows: Number(rows),
    cursorX: Number(cursorX),
    cursorY: Number(cursorY),
    pid: Number(pid),
    tty,
    program: program.join('|'),
  };
}

function numberOrNull(text: string | undefined): number | null {
  return text === undefined || !/^\d+$/.test(text) ? null : Number(text);
}

/** How the shell of a dead pane ended, in words. tmux sometimes never learns it. */
export function endWords(status: PaneStatus): string {
  if (status.deadStatus !== null) return `exit status ${status.deadStatus}`;
  return status.deadSignal === null ? 'exit status unknown' : `killed by signal ${status.deadSignal}`;
}

/** What a pane is doing. `program` and `sinceMs` are of the running command. */
export function paneState(
  phase: PanePhase,
  status: PaneStatus | null,
  running: { readonly program: string; readonly sinceMs: number; readonly password: boolean; readonly unknownShell: boolean },
): PaneState {
  const { program, sinceMs } = running;
  switch (phase) {
    case 'dead':
    case 'lost':
      return { kind: 'dead', status: status?.deadStatus ?? null };
    case 'starting':
      return { kind: 'starting' };
    case 'unknown':
      return { kind: 'unknown-shell' };
    case 'continuation':
      return { kind: 'continuation' };
    case 'prompt':
    case 'settling':
      return status?.copyMode === true ? { kind: 'copy-mode' } : { kind: 'idle' };
    case 'typing':
    case 'running':
      if (running.unknownShell) return { kind: 'unknown-shell' };
      if (running.password) return { kind: 'password', program };
      return { kind: status?.alternateScreen === true ? 'fullscreen' : 'running', program, sinceMs };
  }
}

/** The state in words for a model or a person. */
export function stateWords(state: PaneState): string {
  switch (state.kind) {
    case 'starting':
      return 'the shell is still starting';
    case 'idle':
      return 'the pane is idle';
    case 'running':
      return `${state.program || 'a command'} is running in the pane`;
    case 'fullscreen':
      return `${state.program || 'a program'} has taken the whole screen of the pane`;
    case 'password':
      return `${state.program || 'a program'} waits for a password: only the user may type it`;
    case 'continuation':
      return 'the shell waits for the rest of an unfinished command';
    case 'copy-mode':
      return 'the pane is scrolled back (copy mode)';
    case 'dead':
      return 'the shell of the pane has ended';
    case 'unknown-shell':
      return 'a shell without our marks runs in the pane: the user can put them in with /integrate, or a pane of its own can be made with tmux-create-pane';
  }
}
