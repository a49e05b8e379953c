/** The words about terminal panes: where commands run and what a pane is doing. */

import type { Row } from '../base/style.js';

/** A tmux pane id (`%3`), or `direct` for a target without tmux. */
export type PaneId = string;

/** What a pane is doing now, from marks and tmux's own formats, never from screen text. */
export type PaneState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'idle' }
  /** `program` is the foreground program; the time is when the command began (clock.now()). */
  | { readonly kind: 'running'; readonly program: string; readonly sinceMs: number }
  | { readonly kind: 'continuation' }
  | { readonly kind: 'password'; readonly program: string }
  | { readonly kind: 'fullscreen'; readonly program: string; readonly sinceMs: number }
  | { readonly kind: 'copy-mode' }
  | { readonly kind: 'dead'; readonly status: number | null }
  | { readonly kind: 'unknown-shell' };

/** What a program made of the cursor (DECSCUSR, xterm "ctlseqs"); blinking is left out. */
export type CursorShape = 'block' | 'underline' | 'bar';

/** Where a cursor stands, in cells from the top left. */
export interface PaneCursor {
  readonly x: number;
  readonly y: number;
  readonly shown: boolean;
  /** Left out: the one that the terminal has by itself. */
  readonly shape?: CursorShape;
}

/** What the program in a pane asked of its terminal's keyboard side (xterm "ctlseqs", DEC private modes). */
export interface PaneModes {
  /** DECCKM (1): cursor keys as SS3 sequences. */
  readonly applicationCursor: boolean;
  /** 9, 1000, 1002, 1003: which mouse events are wanted. */
  readonly mouse: 'none' | 'x10' | 'vt200' | 'drag' | 'any';
  /** 1006: they are told in the SGR form. */
  readonly mouseSgr: boolean;
}

/** A terminal that nobody has asked for anything. */
export const freshModes: PaneModes = Object.freeze({ applicationCursor: false, mouse: 'none', mouseSgr: false });

/** A whole picture of a pane at one moment; newer pictures replace older ones. */
export interface PaneScreen {
  readonly cols: number;
  readonly rows: readonly Row[];
  readonly cursor: PaneCursor;
  readonly modes: PaneModes;
}

/** The rows of a pane at one moment, oldest first: what has scrolled off, then what it shows. */
export interface PaneScrollback {
  readonly cols: number;
  readonly rows: readonly Row[];
  /** The pane has older ones, which are left out. */
  readonly more: boolean;
}

/** A command that a person, not the agent, ran in a pane. */
export interface PaneCommand {
  /** As it stood at the prompt; `privateCommand` when it began with a blank. */
  readonly text: string;
  /** Null: the shell did not tell. */
  readonly exitCode: number | null;
  /** The shell's folder after it; '' when not told. */
  readonly cwd: string;
}

/** Stands for a command that began with a blank: as in a shell's history, it is nobody's business. */
export const privateCommand = '(private)';

/** Where and as whom commands run. */
export interface TargetSummary {
  readonly kind: 'local' | 'ssh' | 'container';
  readonly via: 'tmux' | 'direct';
  /** `this host`, `web-01 (ssh)`. */
  readonly label: string;
  readonly host: string;
  readonly user: string;
  readonly cwd: string;
  /** Name of the shell that reads commands: `bash`, `fish`, or `sh` for a plain POSIX shell. */
  readonly shell: string;
  /** The command line with which a person joins the same terminal, or null. */
  readonly attach: string | null;
}
