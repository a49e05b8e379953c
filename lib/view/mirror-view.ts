/** How a pane is looked at, as data (see pane-view.ts). */

import type { PaneScreen, PaneScrollback } from '../protocol/panes.js';

/** A look at what has scrolled off. It stands still, whatever the pane prints meanwhile. */
export interface ScrolledBack {
  /** Rows hidden below the shown part. */
  readonly up: number;
  /** Null: asked for, and not here yet; the pane is shown live until then. */
  readonly text: PaneScrollback | null;
  /** What the pane showed when it came. */
  readonly screen: PaneScreen | null;
}

/** The first column and row of the screen that are shown; null: they follow the cursor. */
export interface PaneView {
  readonly x: number | null;
  readonly y: number | null;
  readonly back: ScrolledBack | null;
}

/** As it is now, around the cursor. */
export const liveView: PaneView = Object.freeze({ x: null, y: null, back: null });
