/** The mirror: what the shared pane shows, cell by cell, and what it is doing. */

import { type Row, rowOf, type Segment } from '../../base/style.js';
import type { PaneCursor, PaneScreen, PaneState } from '../../protocol/panes.js';
import { runningFor } from '../rows/elapsed.js';
import { isTimeShown, type MirroredPane, type State, shownNow } from '../state.js';
import type { Theme } from '../theme.js';
import type { Size, Widget } from '../widget.js';
import { fitted, piece, sliceRow } from './pieces.js';

/** The part of the pane around its cursor. */
export const mirror: Widget = {
  id: 'mirror',
  inputs: (state) => [state.pane?.screen, emptyWords(state)],
  rows(state, size, theme) {
    const screen = state.pane?.screen ?? null;
    if (screen === null) return [rowOf(...fitted([piece(emptyWords(state), theme.styles.muted)], size.cols))];
    return clipped(screen, size);
  },
  cursor(state, size): PaneCursor | null {
    const screen = state.pane?.screen ?? null;
    if (screen === null) return null;
    const { x, y } = mirrorOffset(screen, size);
    const cursor = { x: screen.cursor.x - x, y: screen.cursor.y - y, shown: screen.cursor.shown };
    return cursor.x >= 0 && cursor.x < size.cols && cursor.y >= 0 && cursor.y < size.rows ? cursor : null;
  },
};

function emptyWords({ pane, target }: State): string {
  if (target?.via === 'direct') return 'no pane: commands run as plain processes';
  return pane === null ? 'no pane yet' : 'nothing shown yet';
}

/** Where the shown part begins: as far up and left as the cursor allows. */
export function mirrorOffset(screen: PaneScreen, size: Size): { readonly x: number; readonly y: number } {
  const over = (at: number, whole: number, room: number) => (whole <= room ? 0 : Math.max(0, Math.min(at - room + 1, whole - room)));
  return { x: over(screen.cursor.x, screen.cols, size.cols), y: over(screen.cursor.y, screen.rows.length, size.rows) };
}

function clipped(screen: PaneScreen, size: Size): readonly Row[] {
  const { x, y } = mirrorOffset(screen, size);
  const rows = screen.rows.slice(y, y + size.rows);
  return screen.cols <= size.cols ? rows : rows.map((row) => sliceRow(row, x, size.cols));
}

/** All that those words depend on. */
export function mirrorTitleInputs(state: State): readonly unknown[] {
  const { pane } = state;
  return pane === null
    ? []
    : [state.takeover, pane.title, pane.state, pane.lastExit, pane.closed, isTimeShown(state) ? shownNow(state) : 0];
}

/** The words in the upper border: `pane shared · running apt 12s · exit 0`; during a takeover who has the keyboard. */
export function mirrorTitle(state: State): readonly Segment[] {
  const { pane, theme } = state;
  if (pane === null) return [piece('pane', theme.styles.title)];
  const { takeover } = state;
  // Only the person may answer, and here is how.
  const asksHidden = takeover === null && pane.state.kind === 'password' && !pane.closed;
  const holder = takeover?.lost === true ? 'this pane is gone · F6 goes back to the draft' : 'you have the keyboard · F6 hands back';
  return [
    takeover === null ? piece(`pane ${pane.title}`, theme.styles.title) : piece(holder, theme.styles.takeover),
    piece(' · ', theme.styles.border),
    badge(pane, shownNow(state), theme),
    piece(' · ', theme.styles.border),
    asksHidden ? piece('F6 to type it', theme.styles.warning) : exitPiece(pane.lastExit, theme),
  ];
}

function exitPiece(code: number | null, theme: Theme): Segment {
  return piece(`exit ${code ?? '–'}`, code === null ? theme.styles.muted : code === 0 ? theme.styles.success : theme.styles.error);
}

function badge(pane: MirroredPane, nowMs: number, theme: Theme): Segment {
  const { styles } = theme;
  if (pane.closed) return piece('closed', styles.error);
  const look = {
    idle: styles.success,
    running: styles.progress,
    fullscreen: styles.progress,
    password: styles.warning,
    dead: styles.error,
  };
  const { kind } = pane.state;
  return piece(stateText(pane.state, nowMs), kind in look ? look[kind as keyof typeof look] : styles.warning);
}

/** What a pane is doing, in a few words. */
export function stateText(state: PaneState, nowMs: number): string {
  const since = (ms: number) => runningFor(ms, nowMs).replace(' s', 's');
  switch (state.kind) {
    case 'starting':
    case 'idle':
    case 'continuation':
      return state.kind;
    case 'running':
      return `running ${state.program} ${since(state.sinceMs)}`;
    case 'fullscreen':
      return `full-screen ${state.program} ${since(state.sinceMs)}`;
    case 'password':
      return `${state.program} asks for a password`;
    case 'copy-mode':
      return 'copy mode';
    case 'dead':
      return state.status === null ? 'dead' : `dead (${state.status})`;
    case 'unknown-shell':
      return 'unknown shell';
  }
}
