/** Sizes and rectangles on the screen. */

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
