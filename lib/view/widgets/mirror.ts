/** The mirror: what the shared pane shows, cell by cell, and what it is doing. */

import { type Row, rowOf, type Segment } from '../../base/style.js';
import type { PaneCursor, PaneState } from '../../protocol/panes.js';
import { isBack, partWords, type ShownPart, scrolledWords, shownPart } from '../pane-view.js';
import { runningFor } from '../rows/elapsed.js';
import { isTimeShown, type MirroredPane, type State, shownNow } from '../state.js';
import type { Theme } from '../theme.js';
import type { Size, Widget } from '../widget.js';
import { withCursor } from './pane-cursor.js';
import { fitted, piece, sliceRow } from './pieces.js';

/** The part of the pane around its cursor, or the one that the person went to. */
export const mirror: Widget = {
  id: 'mirror',
  inputs: (state) => [state.pane?.screen, state.pane?.view, isCursorDrawn(state), emptyWords(state)],
  rows(state, size, theme) {
    const part = state.pane === null ? null : shownPart(state.pane, size);
    if (part === null && size.rows === 0) return [];
    if (part === null) return [rowOf(...fitted([piece(emptyWords(state), theme.styles.muted)], size.cols))];
    const shown = partRows(part, size);
    const at = isCursorDrawn(state) ? (this.cursor?.(state, size) ?? null) : null;
    const under = at === null || !at.shown ? undefined : shown[at.y];
    if (at === null || under === undefined) return shown;
    return shown.with(at.y, withCursor(under, at.x, at.shape ?? 'block', theme.styles.cursor));
  },
  cursor(state, size): PaneCursor | null {
    const part = state.pane === null ? null : shownPart(state.pane, size);
    if (part === null || state.pane?.screen == null || isBack(state)) return null;
    const { cursor: at } = state.pane.screen;
    const cursor = { ...at, x: at.x - part.x, y: at.y - part.y };
    return cursor.x >= 0 && cursor.x < size.cols && cursor.y >= 0 && cursor.y < size.rows ? cursor : null;
  },
};

/** The rows of a part of a pane, without the cursor. */
export function partRows(part: ShownPart, size: Size): readonly Row[] {
  const rows = part.rows.slice(part.y, part.y + size.rows);
  return part.cols <= size.cols ? rows : rows.map((row) => sliceRow(row, part.x, size.cols));
}

/** The terminal has one cursor: while it is not in the pane, that of the pane is drawn. */
function isCursorDrawn({ takeover, focus, approvals, pane }: State): boolean {
  return takeover === null && (focus !== 'mirror' || approvals.length > 0) && pane !== null && !pane.closed && pane.state.kind !== 'dead';
}

function emptyWords({ pane, target }: State): string {
  if (target?.via === 'direct') return 'no pane: commands run as plain processes';
  return pane === null ? 'no pane yet' : 'nothing shown yet';
}

/** All that those words depend on. */
export function mirrorTitleInputs(state: State): readonly unknown[] {
  const { pane } = state;
  return pane === null
    ? []
    : [
        state.takeover,
        pane.title,
        pane.state,
        pane.lastExit,
        pane.closed,
        scrolledWords(state),
        partWords(state),
        isTimeShown(state) ? shownNow(state) : 0,
      ];
}

/** The words in the upper border: `pane shared · 12 lines up · running apt 12s · exit 0`; during a takeover who has the keyboard. */
export function mirrorTitle(state: State): readonly Segment[] {
  const { pane, theme } = state;
  if (pane === null) return [piece('pane', theme.styles.title)];
  const { takeover } = state;
  const scrolled = scrolledWords(state);
  const part = partWords(state);
  // Only the person may answer, and here is how.
  const asksHidden = takeover === null && pane.state.kind === 'password' && !pane.closed;
  const holder = takeover?.lost === true ? 'this pane is gone · F6 goes back to the draft' : 'you have the keyboard · F6 hands back';
  return [
    takeover === null ? piece(`pane ${pane.title}`, theme.styles.title) : piece(holder, theme.styles.takeover),
    piece(' · ', theme.styles.border),
    ...(scrolled === '' ? [] : [piece(` ${scrolled} `, theme.styles.pill), piece(' · ', theme.styles.border)]),
    badge(pane, shownNow(state), theme),
    piece(' · ', theme.styles.border),
    asksHidden ? piece('F6 to type it', theme.styles.warning) : exitPiece(pane.lastExit, theme),
    ...(part === '' ? [] : [piece(' · ', theme.styles.border), piece(part, theme.styles.accent)]),
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
