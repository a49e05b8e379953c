/** A large list with what the chosen entry is beside it, or below it: how its window is parted. */

import { type Row, rowOf } from '../../base/style.js';
import type { Layout } from '../layout.js';
import type { State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Frame, Rect } from '../widget.js';
import { piece } from './pieces.js';

const WIDEST = 160;
/** With so many cells the preview stands beside the list, with so many rows below it; else there is none. */
const BESIDE = 90;
const BELOW = 14;

/** The two parts of the window. */
export interface ListAndPreview {
  readonly list: Rect;
  /** Null: there is no room. */
  readonly preview: Rect | null;
  readonly isBeside: boolean;
}

/** The window, above a question or the draft; null when there is no room. */
export function listWindow(state: State, layout: Layout): Rect | null {
  const cols = Math.min(WIDEST, state.size.cols);
  const rows = (layout.approval ?? layout.editor).y - 1;
  return rows < 4 || cols < 10 ? null : { x: Math.floor((state.size.cols - cols) / 2), y: 1, cols, rows };
}

/** Its inside, for a list of so many entries. */
export function parted(all: Rect, count: number): ListAndPreview {
  if (all.cols >= BESIDE) {
    const cols = Math.floor(all.cols / 2);
    return { list: { ...all, cols }, preview: { ...all, x: all.x + cols, cols: all.cols - cols }, isBeside: true };
  }
  if (all.rows < BELOW) return { list: all, preview: null, isBeside: false };
  const rows = Math.max(3, Math.min(count, Math.floor(all.rows / 2)));
  return { list: { ...all, rows }, preview: { ...all, y: all.y + rows, rows: all.rows - rows }, isBeside: false };
}

/** Exactly so many rows. */
export function filled(rows: readonly Row[], count: number): readonly Row[] {
  return [...rows.slice(0, count), ...Array.from({ length: Math.max(0, count - rows.length) }, (): Row => ({ segments: [] }))];
}

/** The line between both, and the room that is left for the preview. */
export function previewBorder(
  rect: Rect,
  isBeside: boolean,
  { styles: { border } }: Theme,
): { readonly between: Frame['parts'][number]; readonly body: Rect } {
  const body: Rect = isBeside ? { ...rect, x: rect.x + 2, cols: rect.cols - 2 } : { ...rect, y: rect.y + 1, rows: rect.rows - 1 };
  const between = isBeside
    ? { rect: { ...rect, cols: 2 }, rows: Array.from({ length: rect.rows }, () => rowOf(piece('│ ', border))) }
    : { rect: { ...rect, rows: 1 }, rows: [rowOf(piece('─'.repeat(rect.cols), border))] };
  return { between, body };
}
