/** What vi keys remember besides the draft itself. */

import type { Draft } from '../history.js';
import type { Cursor, EditorText } from '../text.js';

/** As vim names them. */
export type ViMode = 'insert' | 'normal' | 'visual' | 'visual-line' | 'replace';

/** What `p` puts. */
export interface Register {
  readonly text: string;
  /** Whole lines, without a line end behind the last one. */
  readonly linewise: boolean;
}

/** A search in the line: what `;` and `,` do again. */
export interface Find {
  readonly key: 'f' | 'F' | 't' | 'T';
  readonly cluster: string;
}

/** What an operator works on. */
export type Target =
  | { readonly kind: 'motion'; readonly key: string; readonly arg: string }
  | { readonly kind: 'object'; readonly key: string }
  /** The operator's key twice: so many whole lines. */
  | { readonly kind: 'lines' };

/** A whole command of normal or visual mode. */
export interface Command {
  /** Null when none was typed; counts before and after an operator are multiplied. */
  readonly count: number | null;
  readonly key: string;
  /** Only of operators in normal mode. */
  readonly target: Target | null;
  /** The character behind `r`, `f` and their kin. */
  readonly arg: string;
}

/** What a visual command worked on, for `.` elsewhere. */
export interface Extent {
  readonly linewise: boolean;
  readonly lines: number;
  /** Clusters in the last line. */
  readonly clusters: number;
}

/** What `.` does again. */
export interface Change {
  readonly command: Command;
  /** What was typed in insert or replace mode after it. */
  readonly typed: string;
  readonly extent: Extent | null;
}

/** Begun and not ended yet: an insert or replace that Esc ends. */
export interface Open {
  /** The draft and its past when the command came: all of it is undone in one step. */
  readonly before: Draft;
  readonly past: readonly Draft[];
  /** The text as it was when typing began, the cursor where it began. */
  readonly start: EditorText;
  readonly command: Command;
  readonly extent: Extent | null;
}

/** The state of vi keys. */
export interface Vi {
  readonly mode: ViMode;
  /** Keys of a command that is not whole yet. */
  readonly keys: readonly string[];
  /** The other end of the selection in a visual mode. */
  readonly anchor: Cursor | null;
  readonly register: Register;
  readonly find: Find | null;
  readonly change: Change | null;
  readonly open: Open | null;
  /** The column that j and k keep to, in cells; Infinity after `$`. */
  readonly column: number | null;
}

/** A new draft begins in insert mode, as in a shell with vi keys. */
export const freshVi: Vi = Object.freeze({
  mode: 'insert',
  keys: [],
  anchor: null,
  register: { text: '', linewise: false },
  find: null,
  change: null,
  open: null,
  column: null,
});

/** A visual mode of either kind. */
export function isVisual(vi: Vi): boolean {
  return vi.mode === 'visual' || vi.mode === 'visual-line';
}
