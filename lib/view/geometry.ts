/** Sizes and rectangles on the screen, and what stands in them. */

/** Cells. */
export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** A rectangle of cells, from the top left of the screen. */
export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

/** The panes that can hold the keyboard. */
export type FocusId = 'editor' | 'conversation' | 'mirror' | 'tasks';
export type PaneName = Exclude<FocusId, 'editor'>;
