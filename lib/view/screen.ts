/** The layout of a state: how much room the draft and the question want, and where everything stands. */

import type { PaneId } from '../protocol/panes.js';
import { arrangementOf } from './arranging.js';
import { type EditorRow, editorRows, type WrappedLines } from './editor/wrap.js';
import { inside, type Layout, layoutOf } from './layout.js';
import { questionInFront } from './question.js';
import { type BodyRow, bodyRows } from './rows/command-body.js';
import type { State } from './state.js';
import type { Rect, Size } from './widget.js';

/** Cells before the draft: the prompt symbol. */
export const promptCells = 2;
/** Rows of the approval panel that are not the command: border, what is asked, the claim, the keys. */
export const approvalChrome = { border: 2, head: 1, claim: 1, keys: 1 } as const;
/** Cells before a row of the command: the mark that tells a wrapped line from a new one. */
export const bodyGutter = 2;

/** Cells that the draft has in a row; the last one is kept free for the cursor. */
export function editorWidth(size: Size): number {
  return Math.max(1, size.cols - promptCells - 1);
}

/** The rows of the draft. */
export function draftRows(state: State): readonly EditorRow[] {
  const { text, pastes } = state.editor;
  const width = editorWidth(state.size);
  const known = state.layouts.remember('draft lines', [pastes, width], (): WrappedLines => new Map());
  return state.layouts.remember('draft', [text.lines, pastes, width], () => editorRows(text, width, pastes, known));
}

/** The rows of the command that is asked about; none when nothing is asked. */
export function questionRows(state: State): readonly BodyRow[] {
  const request = questionInFront(state);
  if (request === undefined) return [];
  const width = Math.max(2, state.size.cols - 2 - bodyGutter);
  return state.layouts.remember('question', [request, width], () => bodyRows(request.body, width));
}

/** Rows around the command in the panel. */
export function chromeRows(state: State): number {
  const { border, head, claim, keys } = approvalChrome;
  return border + head + keys + (questionInFront(state)?.claim == null ? 0 : claim);
}

/** Where everything stands now. */
export function screenLayout(state: State): Layout {
  const { size, shownPane, zoomed, approval } = state;
  const editor = draftRows(state).length;
  const asked = state.approvals.length > 0 ? chromeRows(state) + questionRows(state).length : 0;
  const expanded = approval?.expanded === true;
  const arrangement = arrangementOf(state);
  return state.layouts.remember('layout', [size, editor, asked, expanded, shownPane, zoomed, arrangement], () =>
    layoutOf({ size, editorRows: editor, approvalRows: asked, approvalExpanded: expanded, shownPane, zoomed, arrangement }),
  );
}

/** Where the rows of the conversation stand; null when it is not shown. */
export function conversationRect(state: State): Rect | null {
  const outer = screenLayout(state).panes.conversation;
  return outer === null ? null : readingRoom(state, inside(outer));
}

/** What is left of the inside of the conversation pane for its rows: a search has the lowest one. */
export function readingRoom<T extends Size>(state: State, inner: T): T {
  return state.search === null || inner.rows < 2 ? inner : { ...inner, rows: inner.rows - 1 };
}

/** No program is shown a smaller terminal than this: the mirror clips instead. */
const leastPane: Size = { cols: 40, rows: 10 };

/**
 * The size that the mirrored pane should have, or null when the mirror is not shown. A question or a long draft that covers
 * a part of the mirror for a while does not count: programs would redraw for nothing. While attached it is that of the terminal.
 */
export function mirrorSize(state: State): { readonly pane: PaneId; readonly cols: number; readonly rows: number } | null {
  const { size, shownPane, zoomed, pane } = state;
  // The real tmux has the whole terminal, but for its status line.
  if (state.attached && pane !== null && !pane.closed) return { pane: pane.id, cols: size.cols, rows: Math.max(1, size.rows - 1) };
  // Programs draw anew once, not for each cell that a border is dragged by.
  if (state.pointer.held?.kind === 'border') return null;
  const undisturbed = { size, editorRows: 1, approvalRows: 0, approvalExpanded: false, shownPane, zoomed };
  const { mirror } = layoutOf({ ...undisturbed, arrangement: arrangementOf(state) }).panes;
  if (mirror === null || pane === null || pane.closed) return null;
  const { cols, rows } = inside(mirror);
  return { pane: pane.id, cols: Math.max(cols, leastPane.cols), rows: Math.max(rows, leastPane.rows) };
}
