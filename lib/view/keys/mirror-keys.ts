/** What the keys of the mirror do: scroll back, move what is shown of a large pane, look at another one. */

import { type Step, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { backToLive, pageOf, panPane, scrollPane, scrollPaneToStart } from '../pane-view.js';
import { showPane } from '../panes.js';
import type { State } from '../state.js';
import type { Handler } from './editor-keys.js';

/** Columns that a key moves by. */
const PAN_COLS = 8;

function another(state: State, by: 1 | -1): Step {
  const { panes, pane } = state;
  const at = panes.findIndex((known) => known.id === pane?.id);
  const next = panes[(Math.max(0, at) + by + panes.length) % Math.max(1, panes.length)];
  return step(next === undefined ? state : showPane(state, next.id));
}

/** The ids this file answers for. */
export type MirrorAction = Extract<ActionId, `mirror.${string}`>;

/** What each of them does. */
export const mirrorHandlers: Readonly<Record<MirrorAction, Handler>> = {
  'mirror.live': (state) => step(backToLive(state)),
  'mirror.up': (state) => scrollPane(state, -1),
  'mirror.down': (state) => scrollPane(state, 1),
  'mirror.pageUp': (state) => scrollPane(state, -pageOf(state)),
  'mirror.pageDown': (state) => scrollPane(state, pageOf(state)),
  'mirror.start': scrollPaneToStart,
  'mirror.left': (state) => step(panPane(state, -PAN_COLS, 0)),
  'mirror.right': (state) => step(panPane(state, PAN_COLS, 0)),
  'mirror.higher': (state) => step(panPane(state, 0, -1)),
  'mirror.lower': (state) => step(panPane(state, 0, 1)),
  'mirror.next': (state) => another(state, 1),
  'mirror.previous': (state) => another(state, -1),
};
