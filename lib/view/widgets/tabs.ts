/** The tabs of a narrow screen. */

import { rowOf } from '../../base/style.js';
import type { PaneName, State } from '../state.js';
import type { Widget } from '../widget.js';
import { fitted, piece } from './pieces.js';

const names: readonly (readonly [PaneName, string])[] = [
  ['conversation', ' conversation '],
  ['mirror', ' pane '],
  ['tasks', ' tasks '],
];

function label(state: State, pane: PaneName, word: string): string {
  const open = state.tasks.filter((task) => task.outcome === null).length;
  return pane === 'tasks' && open > 0 ? ` tasks ${open} ` : word;
}

/** One row of names, the shown pane marked. */
export const tabs: Widget = {
  id: 'tabs',
  inputs: (state) => [state.tasks, state.shownPane],
  rows(state, size, theme) {
    const { styles } = theme;
    const parts = names.map(([pane, word]) => piece(label(state, pane, word), pane === state.shownPane ? styles.tab_active : styles.muted));
    return [rowOf(...fitted(parts, size.cols))];
  },
};

/** The pane whose tab is in that column, or null. */
export function tabAt(state: State, x: number): PaneName | null {
  let from = 0;
  for (const [pane, word] of names) {
    const to = from + label(state, pane, word).length;
    if (x >= from && x < to) return pane;
    from = to;
  }
  return null;
}
