/** Where everything stands on a screen of a size: pure arithmetic in cells. */

import { type Arrangement, kindOf, type LayoutKind } from './arrangement.js';
import type { PaneName } from './state.js';
import type { Rect, Size } from './widget.js';

/** All that a layout depends on. */
export interface LayoutInput {
  readonly size: Size;
  /** Rows that the editor would like. */
  readonly editorRows: number;
  /** Rows that the approval panel would like with its border; 0: none. */
  readonly approvalRows: number;
  readonly approvalExpanded: boolean;
  readonly shownPane: PaneName;
  readonly zoomed: boolean;
  /** What the person moved and hid. */
  readonly arrangement: Arrangement;
  /** Rows that extensions would like above the editor, and in the right column; left out: none. */
  readonly widgetRows?: { readonly above: number; readonly side: number };
}

/** Outer rectangles, borders included. A pane that is not shown is null. */
export interface Layout {
  readonly kind: LayoutKind;
  readonly status: Rect;
  readonly tabs: Rect | null;
  readonly panes: Readonly<Record<PaneName, Rect | null>>;
  readonly approval: Rect | null;
  /** What extensions show: above the editor, and at the bottom of the right column. */
  readonly widgets: { readonly above: Rect | null; readonly side: Rect | null };
  readonly editor: Rect;
  readonly hints: Rect;
}

/** No border can be moved further: what is left of a pane could not be read. */
export const least = { column: 24, conversation: 30, strip: 3, tasks: 3, mirror: 5 } as const;

/** The layout for `input`. */
export function layoutOf(input: LayoutInput): Layout {
  const { cols, rows } = input.size;
  const kind = kindOf(input.size);
  const line = (y: number): Rect => ({ x: 0, y, cols, rows: 1 });
  const tabbed = kind === 'narrow';
  const top = tabbed ? 2 : 1;
  // A question to answer needs the room more than the draft does.
  const mostEditor = input.approvalRows === 0 ? Math.floor(rows / 3) : rows < 20 ? 1 : 3;
  const editorRows = Math.max(1, Math.min(input.editorRows, mostEditor));
  const editorY = rows - 1 - editorRows;
  const wanted = input.widgetRows ?? { above: 0, side: 0 };
  const hasColumn = isSplit(kind, input);
  // A question comes before what extensions show.
  const mostAbove = input.approvalRows > 0 || kind === 'small' ? 0 : Math.floor(rows / 4);
  const above = Math.min(hasColumn ? wanted.above : wanted.above + wanted.side, mostAbove);
  const room = Math.max(0, editorY - top - above);
  const most = input.approvalExpanded ? room : Math.max(Math.floor(room * 0.6), Math.min(room, 8));
  const approvalRows = Math.min(input.approvalRows, most);
  const main: Rect = { x: 0, y: top, cols, rows: room - approvalRows };
  const side = hasColumn ? Math.min(wanted.side, Math.max(0, Math.min(Math.floor(main.rows / 3), main.rows - 3))) : 0;
  const panes = panesOf(kind, main, input, side);
  return {
    kind,
    status: line(0),
    tabs: tabbed ? line(1) : null,
    panes,
    approval: approvalRows > 0 ? { x: 0, y: top + main.rows, cols, rows: approvalRows } : null,
    widgets: {
      above: above > 0 ? { x: 0, y: editorY - above, cols, rows: above } : null,
      side: side > 0 ? belowColumn(panes, main, side) : null,
    },
    editor: { x: 0, y: editorY, cols, rows: editorRows },
    hints: line(rows - 1),
  };
}

/** Is there a right column? */
function isSplit(kind: LayoutKind, { zoomed, arrangement: { hidden } }: LayoutInput): boolean {
  return kind === 'wide' && !zoomed && !(hidden.includes('mirror') && hidden.includes('tasks'));
}

/** The lowest rows of the right column, which the panes in it have left. */
function belowColumn({ mirror, tasks }: Layout['panes'], main: Rect, rows: number): Rect | null {
  const above = tasks ?? mirror;
  return above === null ? null : { x: above.x, y: main.y + main.rows - rows, cols: above.cols, rows };
}

function panesOf(kind: LayoutKind, main: Rect, input: LayoutInput, side: number): Layout['panes'] {
  const { shownPane, arrangement } = input;
  const none = { conversation: null, mirror: null, tasks: null };
  if (kind === 'small' || main.rows < 3) return none;
  if (kind === 'narrow' || input.zoomed) return { ...none, [shownPane]: main };
  const isHidden = (pane: PaneName) => arrangement.hidden.some((hidden) => hidden === pane);
  const second = shownPane === 'tasks' ? 'tasks' : 'mirror';
  if (kind === 'medium') {
    if (isHidden(second)) return { ...none, conversation: main };
    const wanted = sized(arrangement.strip, main.rows, Math.min(Math.floor(main.rows * 0.4), 16));
    const strip = clamp(wanted, least.strip, arrangement.strip === null ? 16 : main.rows - 3);
    if (main.rows - strip < 3) return { ...none, [shownPane]: main };
    const upper: Rect = { ...main, rows: strip };
    const lower: Rect = { ...main, y: main.y + strip, rows: main.rows - strip };
    return { ...none, conversation: lower, [second]: upper };
  }
  if (isHidden('mirror') && isHidden('tasks')) return { ...none, conversation: main };
  const right = clamp(sized(arrangement.side, main.cols, columnOf(main.cols)), least.column, main.cols - least.conversation);
  const column: Rect = { x: main.cols - right, y: main.y, cols: right, rows: main.rows - side };
  const conversation: Rect = { ...main, cols: main.cols - right };
  if (isHidden('mirror')) return { ...none, conversation, tasks: column };
  if (isHidden('tasks')) return { ...none, conversation, mirror: column };
  const mostTasks = Math.max(5, column.rows - least.mirror);
  const tasks = clamp(sized(arrangement.tasks, column.rows, clamp(Math.floor(column.rows * 0.3), 5, 14)), least.tasks, mostTasks);
  if (column.rows - tasks < least.mirror) return { ...none, conversation, [second]: column };
  // The two boxes share one border line.
  const mirror: Rect = { ...column, rows: column.rows - tasks + 1 };
  return { conversation, mirror, tasks: { ...column, y: mirror.y + mirror.rows - 1, rows: tasks } };
}

/** Columns of the right column when nobody said how many. */
function columnOf(cols: number): number {
  return clamp(Math.floor(cols * 0.45), 54, 100);
}

/** The cells that a share of `whole` means. */
function sized(share: number | null, whole: number, otherwise: number): number {
  return share === null ? otherwise : Math.round(share * whole);
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** A window over the panes: as wide as the screen, from below the status line to above row `end`; by default that of the hints. */
export function windowRect({ cols, rows }: Size, end = rows - 1): Rect {
  return { x: 0, y: 1, cols, rows: end - 1 };
}

/** What is left of a rectangle inside its border. */
export function inside(rect: Rect): Rect {
  return { x: rect.x + 1, y: rect.y + 1, cols: Math.max(0, rect.cols - 2), rows: Math.max(0, rect.rows - 2) };
}

/** Does the cell lie in the rectangle? */
export function contains(rect: Rect | null, x: number, y: number): rect is Rect {
  return rect !== null && x >= rect.x && x < rect.x + rect.cols && y >= rect.y && y < rect.y + rect.rows;
}
