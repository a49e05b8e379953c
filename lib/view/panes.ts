/** The panes there are, and the one that the mirror shows. */

import type { RuntimeEvent } from '../protocol/events.js';
import type { PaneId } from '../protocol/panes.js';
import { liveView } from './mirror-view.js';
import type { MirroredPane, PaneEntry, State } from './state.js';

/** What tells of panes. */
export type PaneEvent = Extract<RuntimeEvent, { type: 'pane.opened' | 'pane.screen' | 'pane.state' | 'pane.closed' }>;

/** The state after such an event. */
export function withPaneEvent(state: State, event: PaneEvent): State {
  const panes = listAfter(state.panes, event);
  const pane = mirroredAfter(state.pane, event);
  // The first pane that is shown is watched without having been asked for.
  const watched = state.watched ?? pane?.id ?? null;
  const next = withSizeShown({ ...state, panes, pane, watched });
  if (event.type !== 'pane.closed' || pane?.id !== event.pane || isFirst(state, event.pane)) return next;
  const [first] = panes;
  return first === undefined ? next : showPane(next, first.id);
}

/** Remembers that the pane has come to the size that it was sent. */
export function withSizeShown(state: State): State {
  const { pane, paneSizeSent: sent, paneSizeShown } = state;
  if (sent === null || sent === paneSizeShown || pane?.screen == null || pane.id !== sent.pane) return state;
  return pane.screen.cols === sent.cols && pane.screen.rows.length === sent.rows ? { ...state, paneSizeShown: sent } : state;
}

/** The mirror shows that pane now; the very same state when it does already, or when there is none. */
export function showPane(state: State, id: PaneId): State {
  const entry = state.panes.find((pane) => pane.id === id);
  if (entry === undefined || (state.pane?.id === id && !state.pane.closed)) return state;
  return { ...state, pane: { ...entry, screen: null, closed: false, view: liveView } };
}

/** The pane that a person means by its name, its tmux id or its number in the list; null when there is none. */
export function findPane(state: State, written: string): PaneEntry | null {
  const { panes } = state;
  const wanted = written.trim().toLowerCase();
  const byName = panes.find((pane) => pane.id === wanted || pane.title.toLowerCase() === wanted);
  return byName ?? (/^\d+$/.test(wanted) ? (panes[Number(wanted) - 1] ?? null) : null);
}

/** The first one is the shared pane: its place is kept while it is gone, since the next command brings it back. */
function isFirst(state: State, id: PaneId): boolean {
  return state.panes[0]?.id === id;
}

function listAfter(panes: readonly PaneEntry[], event: PaneEvent): readonly PaneEntry[] {
  switch (event.type) {
    case 'pane.screen':
      return panes;
    case 'pane.closed':
      return panes.filter((pane) => pane.id !== event.pane);
    case 'pane.opened': {
      const others = panes.filter((pane) => pane.id !== event.pane);
      const opened: PaneEntry = { id: event.pane, title: event.title, state: { kind: 'starting' }, lastExit: null };
      return event.title === SHARED ? [opened, ...others] : [...others, opened];
    }
    case 'pane.state':
      return panes.map((pane) => (pane.id === event.pane ? { ...pane, state: event.state, lastExit: event.lastExit } : pane));
  }
}

/** Title of the pane that is there from the beginning. */
const SHARED = 'shared';

/** The mirror follows the first pane; when that has closed, the one that takes its place. */
function mirroredAfter(pane: MirroredPane | null, event: PaneEvent): MirroredPane | null {
  const fresh: MirroredPane = {
    id: event.pane,
    title: event.pane,
    screen: null,
    state: { kind: 'starting' },
    lastExit: null,
    closed: false,
    view: liveView,
  };
  const isOther = pane !== null && pane.id !== event.pane;
  if (event.type === 'pane.opened') {
    const replaces = isOther && pane.closed && (pane.title === event.title || pane.title === pane.id);
    return isOther && !replaces ? pane : { ...fresh, title: event.title };
  }
  if (isOther) return pane;
  const now = pane ?? fresh;
  if (event.type === 'pane.closed') return { ...now, closed: true };
  if (event.type === 'pane.screen') return { ...now, screen: event.screen, closed: false };
  return { ...now, state: event.state, lastExit: event.lastExit, closed: false };
}
