/** How a person arranged the panes: what is moved, hidden and chosen, kept for each size class of the terminal. */

import type { PaneName, State } from './state.js';
import type { Size } from './widget.js';

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

/** The arrangement of the size class that the terminal has now. */
export function arrangementOf(state: Pick<State, 'size' | 'arrangements'>): Arrangement {
  const kind = kindOf(state.size);
  return kind === 'wide' || kind === 'medium' ? state.arrangements[kind] : plainArrangement;
}

/** The state with that arrangement for the present size class; the very same one where there is nothing to arrange. */
export function arranged(state: State, change: Partial<Arrangement>): State {
  const kind = kindOf(state.size);
  if (kind !== 'wide' && kind !== 'medium') return state;
  return { ...state, arrangements: { ...state.arrangements, [kind]: { ...state.arrangements[kind], ...change } } };
}

/** Why there is nothing to arrange; null when there is. */
export function unarrangeableReason(state: State): string | null {
  const kind = kindOf(state.size);
  if (kind !== 'wide' && kind !== 'medium') return `one pane is shown at a time below ${breakpoints.medium} columns`;
  return state.zoomed ? 'one pane is zoomed' : null;
}

/** Is the pane put away? */
export function isHidden(state: State, pane: PaneName): boolean {
  return arrangementOf(state).hidden.some((hidden) => hidden === pane);
}

/** The state with that pane where it can be seen. */
export function unhidden(state: State, pane: PaneName): State {
  if (!isHidden(state, pane)) return state;
  return arranged(state, { hidden: arrangementOf(state).hidden.filter((hidden) => hidden !== pane) });
}

/** The pane put away; whoever had the keyboard in it is back in the draft. */
export function hidden(state: State, pane: HideablePane): State {
  const isStrip = kindOf(state.size) === 'medium';
  // In the strip the tasks only stand in for the mirror.
  const away = isStrip && pane === 'tasks' ? state : arranged(state, { hidden: [...new Set([...arrangementOf(state).hidden, pane])] });
  return withoutFocusOn(away, [pane]);
}

/** The keyboard and the only place of a narrow screen leave those panes. */
function withoutFocusOn(state: State, panes: readonly PaneName[]): State {
  const isIn = (pane: State['focus']) => panes.some((other) => other === pane);
  const focus = isIn(state.focus) ? 'editor' : state.focus;
  return { ...state, focus, shownPane: isIn(state.shownPane) ? 'conversation' : state.shownPane };
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

/** The state with that preset in the present size class. */
export function withPreset(state: State, name: PresetName): State {
  const { arrangement } = presets[name];
  return withoutFocusOn(arranged(state, arrangement), arrangement.hidden);
}
