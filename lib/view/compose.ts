/** One state as one picture. Rows that have not changed are the very same objects as before, so that the printer can skip them. */

import { type Row, rowOf, type Segment } from '../base/style.js';
import type { PaneCursor } from '../protocol/panes.js';
import { isPicking } from './keymap.js';
import { inside, type Layout } from './layout.js';
import { keepRows } from './layout-memory.js';
import { screenLayout } from './screen.js';
import type { PaneName, State } from './state.js';
import { openWindow } from './task-list.js';
import type { Theme } from './theme.js';
import type { Frame, Rect, Widget } from './widget.js';
import { approval, approvalTitle } from './widgets/approval.js';
import { conversation, pill } from './widgets/conversation.js';
import { editor } from './widgets/editor.js';
import { extensionParts } from './widgets/extension-widgets.js';
import { leavingParts } from './widgets/leaving.js';
import { mirror, mirrorTitle, mirrorTitleInputs } from './widgets/mirror.js';
import { completionParts, continuationRows, helpParts, toastParts } from './widgets/overlays.js';
import { pickerCursor, pickerParts, prefixParts } from './widgets/picker.js';
import { border, piece } from './widgets/pieces.js';
import { scrollbarParts } from './widgets/scrollbar.js';
import { selectionParts } from './widgets/selection.js';
import { footer, status } from './widgets/status.js';
import { tabs } from './widgets/tabs.js';
import { taskWindowCursor, taskWindowParts } from './widgets/task-windows.js';
import { tasks } from './widgets/tasks.js';
import { treeCursor, treeParts } from './widgets/tree.js';
import { usageParts } from './widgets/usage.js';

type Part = Frame['parts'][number];

/** Gives the function from state to picture. It remembers the last picture, to give the same rows again. */
export function createComposer(): (state: State) => Frame {
  let last: readonly Part[] = [];
  return (state) => {
    const frame = compose(state, state.theme);
    last = frame.parts.map((part, i) => keepPart(part, last[i]));
    return { ...frame, parts: last };
  };
}

function keepPart(part: Part, known: Part | undefined): Part {
  if (part === known) return part;
  if (known === undefined || !sameRect(part.rect, known.rect)) return part;
  const rows = keepRows(part.rows, known.rows);
  return rows === known.rows ? known : { rect: part.rect, rows };
}

function sameRect(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.cols === b.cols && a.rows === b.rows;
}

/** The picture of `state`. Later parts lie on top of earlier ones. Pure. */
export function compose(state: State, theme: Theme): Frame {
  const { size } = state;
  const layout = screenLayout(state);
  if (layout.kind === 'small') return tooSmall(state, theme);
  const draw = (widget: Widget, rect: Rect | null): Part[] => (rect === null ? [] : [{ rect, rows: rowsOf(widget, state, rect, theme) }]);
  const parts: Part[] = [
    ...draw(status, layout.status),
    ...draw(tabs, layout.tabs),
    ...paneParts(state, layout, theme, 'conversation', conversation),
    ...paneParts(state, layout, theme, 'mirror', mirror),
    ...paneParts(state, layout, theme, 'tasks', tasks),
    ...selectionParts(state),
    ...approvalParts(state, layout, theme),
    ...scrollbarParts(state, theme),
    ...extensionParts(state, layout, theme),
    ...draw(editor, layout.editor),
    ...draw(footer, layout.hints),
    ...taskWindowParts(state, theme),
    ...completionParts(state, layout, theme),
    ...usageParts(state, theme),
    ...treeParts(state, theme),
    ...prefixParts(layout, theme, continuationRows(state)),
    ...(isPicking(state) ? pickerParts(state, layout, theme) : []),
    ...toastParts(state, layout, theme),
    ...helpParts(state, theme),
    ...leavingParts(state, theme),
  ];
  return { size, parts, cursor: cursorOf(state, layout), ...(theme.ground === null ? {} : { ground: theme.ground }) };
}

function rowsOf(widget: Widget, state: State, rect: Rect, theme: Theme): readonly Row[] {
  const { cols, rows } = rect;
  return state.layouts.remember(`rows ${widget.id}`, [cols, rows, theme, ...widget.inputs(state)], () => widget.rows(state, rect, theme));
}

function paneParts(state: State, layout: Layout, theme: Theme, name: PaneName, widget: Widget): readonly Part[] {
  const outer = layout.panes[name];
  if (outer === null) return [];
  const inner = inside(outer);
  const taken = name === 'mirror' && state.takeover !== null;
  const style = taken ? theme.styles.takeover : state.focus === name ? theme.styles.border_focused : theme.styles.border;
  const joined = name === 'tasks' && layout.panes.mirror !== null;
  const sides = state.layouts.remember(`border ${name}`, [outer, style, joined, theme, ...titleInputs(state, name)], () =>
    border(outer, { title: titleOf(state, name, theme), foot: name === 'conversation' ? pill(state, inner) : [], style, joined }),
  );
  return [...sides, { rect: inner, rows: rowsOf(widget, state, inner, theme) }];
}

/** All that the words in a pane's border depend on. */
function titleInputs(state: State, name: PaneName): readonly unknown[] {
  if (name === 'conversation') return state.reading.kind === 'follow' ? [] : conversation.inputs(state);
  return name === 'mirror' ? mirrorTitleInputs(state) : [state.approvals.length, state.queue.length];
}

function titleOf(state: State, name: PaneName, theme: Theme): readonly Segment[] {
  if (name === 'mirror') return mirrorTitle(state);
  if (name === 'conversation') return [piece('conversation', theme.styles.title)];
  const waiting = state.approvals.length + state.queue.length;
  return [piece(waiting > 0 ? `tasks · ${waiting} waiting` : 'tasks', theme.styles.title)];
}

function approvalParts(state: State, layout: Layout, theme: Theme): readonly Part[] {
  if (layout.approval === null) return [];
  const outer = layout.approval;
  const inner = inside(outer);
  const sides = state.layouts.remember('border approval', [outer, theme, state.approvals, state.approval?.id], () =>
    border(outer, { title: approvalTitle(state), style: theme.styles.approval_border }),
  );
  return [...sides, { rect: inner, rows: rowsOf(approval, state, inner, theme) }];
}

function cursorOf(state: State, layout: Layout): PaneCursor | null {
  const place = (widget: Widget, rect: Rect | null): PaneCursor | null => {
    const at = rect === null ? null : (widget.cursor?.(state, rect) ?? null);
    return at === null || rect === null ? null : { ...at, x: rect.x + at.x, y: rect.y + at.y };
  };
  const onMirror = () => place(mirror, layout.panes.mirror === null ? null : inside(layout.panes.mirror));
  if (state.takeover !== null) return onMirror();
  if (state.leaving !== null) return null;
  if (isPicking(state)) {
    const at = pickerCursor(state, layout);
    return at === null ? null : { ...at, shown: true };
  }
  if (state.answering !== null) return place(editor, layout.editor);
  if (state.help !== null || state.approvals.length > 0 || state.usage.page !== null) return null;
  if (state.tree !== null) return treeCursor(state);
  if (openWindow(state) !== null) return taskWindowCursor(state);
  if (state.focus === 'editor') return place(editor, layout.editor);
  if (state.focus === 'conversation')
    return place(conversation, layout.panes.conversation === null ? null : inside(layout.panes.conversation));
  return state.focus === 'mirror' ? onMirror() : null;
}

function tooSmall(state: State, theme: Theme): Frame {
  const { cols, rows } = state.size;
  const words = [
    `This window is ${cols}×${rows}.`,
    'buddy-tui needs 40×10.',
    ...(state.leaving === null ? [] : ['Leave? Enter keeps the session,', 'e ends it, Esc stays.']),
    ...(state.approvals.length > 0 ? ['A question waits.'] : []),
    ...(state.takeover === null ? [] : ['F6 goes back to the draft.']),
  ];
  const lines: Row[] = words.slice(0, rows).map((text) => rowOf(piece(text.slice(0, cols), theme.styles.warning)));
  return { size: state.size, parts: [{ rect: { x: 0, y: 0, cols, rows }, rows: lines }], cursor: null };
}
