/** Changes of how the panes are arranged in the present size class of the terminal. Pure. */

import { type Arrangement, breakpoints, type HideablePane, kindOf, type PresetName, plainArrangement, presets } from './arrangement.js';
import type { PaneName, State } from './state.js';

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

/** The state with that preset in the present size class. */
export function withPreset(state: State, name: PresetName): State {
  const { arrangement } = presets[name];
  return withoutFocusOn(arranged(state, arrangement), arrangement.hidden);
}
