/** What lies over the panes for a while, as data: lists, choices, short messages. */

import type { NoticeLevel } from './transcript.js';

/** A short message that goes away at `untilMs`. */
export interface Toast {
  readonly text: string;
  readonly level: NoticeLevel;
  readonly untilMs: number;
}

/** The files that are offered behind `@`. */
export interface FileChoices {
  /** The folder that they are relative to. */
  readonly folder: string;
  /** As far as they have been found; folders end with `/`. */
  readonly paths: readonly string[];
  readonly looking: boolean;
  /** There are more than are listed. */
  readonly more: boolean;
}

/** The lists that can be opened. */
export type PickerKind = 'palette' | 'theme' | 'model' | 'history' | 'copy' | 'queue' | 'effort' | 'session' | 'settings' | 'trust' | 'mcp';

/** An open list: what was typed, and which entry of those that fit is chosen. */
export interface Picker {
  readonly kind: PickerKind;
  readonly query: string;
  readonly selected: number;
}
