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

/** Where a cursor stands, in cells from the top left. */
export interface PaneCursor {
  readonly x: number;
  readonly y: number;
  readonly shown: boolean;
}

/** A whole picture of a pane at one moment; newer pictures replace older ones. */
export interface PaneScreen {
  readonly cols: number;
  readonly rows: readonly Row[];
  readonly cursor: PaneCursor;
}

/** Where and as whom commands run. */
export interface TargetSummary {
  readonly kind: 'local' | 'ssh' | 'container';
  readonly via: 'tmux' | 'direct';
  /** `this host`, `web-01 (ssh)`. */
  readonly label: string;
  readonly host: string;
  readonly user: string;
  readonly cwd: string;
  /** The command line with which a person joins the same terminal, or null. */
  readonly attach: string | null;
}
