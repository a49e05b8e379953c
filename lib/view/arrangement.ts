/** How a person arranged the panes: what is moved, hidden and chosen, kept for each size class of the terminal. */

import type { PaneName, Size } from './geometry.js';

/** Two columns, a strip, one pane at a time, or a notice. */
export type LayoutKind = 'wide' | 'medium' | 'narrow' | 'small';

/** The size classes in which there is something to arrange: in the others one pane is seen at a time. */
export type ArrangedKind = Extract<LayoutKind, 'wide' | 'medium'>;

/** The borders that can be moved: of the right column, of the strip on top, between the mirror and the tasks. */
export type Edge = 'side' | 'strip' | 'tasks';

/** The pane that is never hidden is not among them. */
export type HideablePane = Exclude<PaneName, 'conversation'>;

/** Shares of the room between status line and draft, from 0 to 1; null: as much as suits the size. */
export interface Arrangement {
  /** Of the columns: the right column (wide). */
  readonly side: number | null;
  /** Of the rows: the strip on top (medium). */
  readonly strip: number | null;
  /** Of the rows of the right column: the tasks (wide). */
  readonly tasks: number | null;
  readonly hidden: readonly HideablePane[];
}

/** One for each size class that has any. */
export type Arrangements = Readonly<Record<ArrangedKind, Arrangement>>;

/** Nothing was moved, nothing is hidden. */
export const plainArrangement: Arrangement = Object.freeze({ side: null, strip: null, tasks: null, hidden: [] });

/** The same in every size class. */
export const plainArrangements: Arrangements = Object.freeze({ wide: plainArrangement, medium: plainArrangement });

/** From these columns on there is room for two columns, and for a strip. Below the least size only a notice is shown. */
export const breakpoints = { wide: 120, medium: 80, leastCols: 40, leastRows: 10 } as const;

/** A share is never less, and never more than what that leaves. */
export const leastShare = 0.05;

/** Which arrangement a size has room for. */
export function kindOf(size: Size): LayoutKind {
  if (size.cols < breakpoints.leastCols || size.rows < breakpoints.leastRows) return 'small';
  if (size.cols >= breakpoints.wide) return 'wide';
  return size.cols >= breakpoints.medium ? 'medium' : 'narrow';
}

/** An arrangement to choose, and what it is in a few words. */
interface Preset {
  readonly says: string;
  readonly arrangement: Arrangement;
}

/** The arrangements to choose from. */
export const presets = {
  1: { says: 'everything, as it suits the window', arrangement: plainArrangement },
  2: { says: 'the conversation alone', arrangement: { ...plainArrangement, hidden: ['mirror', 'tasks'] } },
  3: { says: 'a large pane', arrangement: { ...plainArrangement, side: 0.65, strip: 0.65, tasks: 0.2 } },
  4: { says: 'conversation and pane, half each', arrangement: { side: 0.5, strip: 0.5, tasks: null, hidden: ['tasks'] } },
} as const satisfies Readonly<Record<number, Preset>>;

/** Names of the presets. */
export type PresetName = keyof typeof presets;
