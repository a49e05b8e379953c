/** The borders between panes that can be moved: where they are, and what moving them makes of the arrangement. Pure. */

import { type Edge, kindOf, leastShare } from './arrangement.js';
import { arranged } from './arranging.js';
import type { Layout } from './layout.js';
import { screenLayout } from './screen.js';
import type { State } from './state.js';

/** The border under a cell, or null. */
export function edgeAt(state: State, x: number, y: number): Edge | null {
  const layout = screenLayout(state);
  const { conversation, mirror, tasks } = layout.panes;
  const column = mirror ?? tasks;
  if (layout.kind === 'medium' && conversation !== null && column !== null) {
    return y === conversation.y || y === conversation.y - 1 ? 'strip' : null;
  }
  if (layout.kind !== 'wide' || column === null) return null;
  const bottom = (tasks ?? column).y + (tasks ?? column).rows;
  if (conversation !== null && (x === column.x || x === column.x - 1) && y >= column.y && y < bottom) return 'side';
  return mirror !== null && tasks !== null && y === tasks.y && x > column.x ? 'tasks' : null;
}

/** The rows and columns between status line, question and draft. */
function roomOf(layout: Layout): { readonly x: number; readonly y: number; readonly cols: number; readonly rows: number } {
  const y = layout.status.y + layout.status.rows + (layout.tabs?.rows ?? 0);
  return { x: 0, y, cols: layout.status.cols, rows: (layout.approval ?? layout.editor).y - y };
}

/** The state with that border at a cell, or as near as the panes beside it allow. */
export function edgeMovedTo(state: State, edge: Edge, x: number, y: number): State {
  const room = roomOf(screenLayout(state));
  if (edge === 'side') return withShare(state, edge, (room.cols - x) / room.cols);
  if (edge === 'strip') return withShare(state, edge, (y - room.y + 1) / room.rows);
  return withShare(state, edge, (room.y + room.rows - y) / room.rows);
}

function withShare(state: State, edge: Edge, share: number): State {
  const kept = Math.max(leastShare, Math.min(1 - leastShare, Math.round(share * 10_000) / 10_000));
  return arranged(state, { [edge]: kept });
}

/** Which way a border is moved. */
export type Direction = 'left' | 'right' | 'up' | 'down';

/** Columns that a key moves a border by; rows are moved one by one. */
const COLUMNS = 4;

/** The state with the border that can be moved that way moved by a step; null when there is none. */
export function edgeMoved(state: State, direction: Direction): State | null {
  const layout = screenLayout(state);
  const { conversation, mirror, tasks } = layout.panes;
  const column = mirror ?? tasks;
  if (conversation === null || column === null) return null;
  const by = direction === 'left' ? -COLUMNS : direction === 'right' ? COLUMNS : direction === 'up' ? -1 : 1;
  const isSideways = direction === 'left' || direction === 'right';
  if (kindOf(state.size) === 'medium') return isSideways ? null : edgeMovedTo(state, 'strip', 0, conversation.y - 1 + by);
  if (isSideways) return edgeMovedTo(state, 'side', column.x + by, 0);
  return mirror === null || tasks === null ? null : edgeMovedTo(state, 'tasks', 0, tasks.y + by);
}
