/** What is selected, inverted, over the pane that it belongs to. */

import type { Row } from '../../base/style.js';
import { seenSelection } from '../selection/selection.js';
import type { State } from '../state.js';
import type { Frame } from '../widget.js';
import { sliceRow } from './pieces.js';

/** One part for each row of which something is selected. */
export function selectionParts(state: State): Frame['parts'] {
  if (state.pointer.selection === null) return [];
  const seen = seenSelection(state);
  if (seen === null) return [];
  const { rect, spans, still } = seen;
  const held = still === null ? [] : [{ rect, rows: padded(still, rect.rows) }];
  const parts = spans.map(({ row, y, from, to }) => ({
    rect: { x: rect.x + from, y: rect.y + y, cols: to - from, rows: 1 },
    rows: [inverted(sliceRow(row, from, to - from))],
  }));
  return [...held, ...parts];
}

function inverted({ segments }: Row): Row {
  return { segments: segments.map(({ text, style }) => ({ text, style: { ...style, inverse: style.inverse !== true } })) };
}

/** Whatever lies below must not be seen through it. */
function padded(rows: readonly Row[], count: number): readonly Row[] {
  return [...rows.slice(0, count), ...Array.from({ length: Math.max(0, count - rows.length) }, (): Row => ({ segments: [] }))];
}
