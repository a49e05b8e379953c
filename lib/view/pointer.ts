/** The mouse as the screen knows it: what is held with it, what was selected, and how it is set up. */

import type { Row } from '../base/style.js';
import type { Edge } from './arrangement.js';
import type { PaneName, Size } from './geometry.js';
import type { Reading } from './reading.js';
import type { BlockId } from './transcript.js';

/** How the mouse is set up (`[mouse]`). */
export interface MouseSettings {
  /** The mouse is ours from the start; otherwise the terminal selects with it. */
  readonly enabled: boolean;
  /** Rows that one notch of the wheel moves. */
  readonly wheelRows: number;
  /** What was selected is copied as soon as the button is let go. */
  readonly copyOnRelease: boolean;
}

/** The mouse as it is set up when nobody said anything: the wheel moves what terminals move in their own scrollback. */
export const usualMouse: MouseSettings = Object.freeze({ enabled: true, wheelRows: 3, copyOnRelease: true });

/** A cell in what a pane shows. `block` and `key` name a row as in rows/lines.ts; outside of the conversation `key` counts rows. */
export interface PanePlace {
  readonly block: BlockId;
  readonly key: number;
  readonly x: number;
}

/** What is selected in one pane: both cells belong to it, and all between them as one reads. */
export interface Selection {
  readonly pane: PaneName;
  readonly from: PanePlace;
  readonly to: PanePlace;
  /** The inside of the pane; in one of another size the places mean nothing. */
  readonly size: Size;
  /** What the pane showed when the button went down; null for the conversation, whose places hold while it grows. */
  readonly rows: readonly Row[] | null;
}

/** What a press of the left button began and its release ends. */
export type Held =
  | {
      readonly kind: 'select';
      readonly pane: PaneName;
      readonly x: number;
      readonly y: number;
      /** 1: a click, or a selection by cells; 2: a word; 3: a line. */
      readonly count: number;
      readonly moved: boolean;
      /** The terminal's window had just got the focus. */
      readonly waking: boolean;
      /** What is read again after the release; null: the place that was scrolled to. */
      readonly back: Reading | null;
    }
  | { readonly kind: 'border'; readonly edge: Edge }
  /** `grip`: rows between the top of the thumb and the pointer. */
  | { readonly kind: 'scrollbar'; readonly bar: 'conversation' | 'mirror' | 'approval'; readonly grip: number }
  | { readonly kind: 'button'; readonly key: string };

/** The last click: another one at the same place is a double click, and takes back what the first one did. */
export interface Clicked {
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
  readonly count: number;
  readonly before: { readonly toggled: ReadonlySet<BlockId>; readonly reading: Reading; readonly selected: BlockId | null };
}

/** All of it. */
export interface Pointer {
  readonly settings: MouseSettings;
  /** The terminal has the mouse, for its own selection. */
  readonly released: boolean;
  /** The window got the focus and has not been clicked into since: the click that gave it the focus meant nothing else. */
  readonly waking: boolean;
  readonly held: Held | null;
  readonly selection: Selection | null;
  readonly clicked: Clicked | null;
}

/** A mouse that nothing was done with. */
export function freshPointer(settings: MouseSettings): Pointer {
  return { settings, released: !settings.enabled, waking: false, held: null, selection: null, clicked: null };
}
