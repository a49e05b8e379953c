/** The door of the view room: a widget is a pure function from state to rows. */

import type { Row, Style } from '../base/style.js';
import type { PaneCursor } from '../protocol/panes.js';
import type { Rect, Size } from './geometry.js';
import type { State } from './state.js';
import type { Theme } from './theme.js';

/** Sizes belong to the door as well. */
export type { Rect, Size };

/** Pure: the same state, size and theme give the same rows. At most `size.rows` rows, each at most `size.cols` cells. */
export interface Widget {
  readonly id: string;
  rows(state: State, size: Size, theme: Theme): readonly Row[];
  /** All of the state that the rows depend on: while these are the very same, the rows are not made again. */
  inputs(state: State): readonly unknown[];
  /** Where the terminal's cursor belongs, relative to the widget; null: not here. */
  cursor?(state: State, size: Size): PaneCursor | null;
}

/** A finished picture: what the printer gets. Later parts lie on top of earlier ones. */
export interface Frame {
  readonly size: Size;
  readonly parts: readonly { readonly rect: Rect; readonly rows: readonly Row[] }[];
  readonly cursor: PaneCursor | null;
  /** Colours of cells that have none of their own; left out, they are the terminal's. */
  readonly ground?: Style;
}
