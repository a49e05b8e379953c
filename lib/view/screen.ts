/** The layout of a state: how much room the draft and the question want, and where everything stands. */

import type { PaneId } from '../protocol/panes.js';
import { kindOf } from './arrangement.js';
import { arrangementOf } from './arranging.js';
import { broughtText } from './attachment-words.js';
import { type ClaimPlan, claimPlan, claimRowWords } from './claim-words.js';
import { fileQuery } from './completion.js';
import { type EditorRow, editorRows, type WrappedLines } from './editor/wrap.js';
import { widgetRowCount } from './extensions.js';
import { inside, type Layout, layoutOf } from './layout.js';
import { questionInFront, questionRows, titleRows } from './question.js';
import type { State } from './state.js';
import type { Rect, Size } from './widget.js';

/** Cells before the draft: the prompt symbol. */
export const promptCells = 2;
/** Rows of the approval panel that are not the command: border, the keys. */
const approvalChrome = { border: 2, keys: 1 } as const;
/** Questions that are listed below the one in front. */
const MOST_BEHIND = 3;

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

/** What stands below the draft: what it would bring along; '' for nothing. */
export function broughtWords({ brought, editor }: State): string {
  if (brought === null) return '';
  const typed = fileQuery(editor.text);
  return broughtText(brought, typed === null ? null : `@${typed.query}`);
}

/** Rows around the command in the panel. */
export function chromeRows(state: State): number {
  const { border, keys } = approvalChrome;
  return border + titleRows(state).length + keys + claimRows(state);
}

/** Rows for what is thought of the command, by the program and by the model. */
export function claimRows(state: State): number {
  const request = questionInFront(state);
  return request === undefined ? 0 : claimRowWords(request, shownPlan(state)).length;
}

/** How both are shown. A rule is about more than this call: what is thought of the call stands beside it no longer. */
export function shownPlan(state: State): ClaimPlan {
  const request = questionInFront(state);
  if (state.ruling !== null || request === undefined) return 'none';
  return state.layouts.remember('claim plan', [request, state.size], () => claimPlan(request, state.size));
}

/** Rows that the list of the other questions would like: as many as there are, or the last one counts the rest. */
export function wantedBehind(state: State): number {
  return state.ruling !== null ? 0 : Math.min(MOST_BEHIND, state.approvals.length - 1);
}

/** Where everything stands now. */
export function screenLayout(state: State): Layout {
  const { size, shownPane, zoomed, approval, ruling } = state;
  // A window with room for a notice only: in rows of two cells a long draft or question would have no end.
  const isSmall = kindOf(size) === 'small';
  const editor = isSmall ? 1 : draftRows(state).length + (broughtWords(state) === '' ? 0 : 1);
  const asked = state.approvals.length > 0 && !isSmall ? chromeRows(state) + questionRows(state).length + wantedBehind(state) : 0;
  const expanded = approval?.expanded === true || ruling !== null;
  const arrangement = arrangementOf(state);
  const { extensionWidgets } = state;
  return state.layouts.remember('layout', [size, editor, asked, expanded, shownPane, zoomed, arrangement, extensionWidgets], () => {
    const widgetRows = { above: widgetRowCount(extensionWidgets, 'above-editor'), side: widgetRowCount(extensionWidgets, 'side') };
    return layoutOf({
      size,
      editorRows: editor,
      approvalRows: asked,
      approvalExpanded: expanded,
      shownPane,
      zoomed,
      arrangement,
      widgetRows,
    });
  });
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
