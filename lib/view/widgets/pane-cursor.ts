/** The cursor of the pane, drawn into its row while the terminal's own cursor stands elsewhere. */

import { type Row, rowOf, type Segment, type Style } from '../../base/style.js';
import type { Visible } from '../../base/visible.js';
import type { CursorShape } from '../../protocol/panes.js';
import { segmentsWidth } from '../rows/lines.js';
import { blanks, sliceRow } from './pieces.js';

/** A bar stands at the left edge of its cell, where nothing else is written. */
const BAR = '▏' as Visible;

/** The row with the cursor in that column; `look` is that of a block. */
export function withCursor(row: Row, x: number, shape: CursorShape, look: Style): Row {
  const before = sliceRow(row, 0, x).segments;
  // A wide character is whole, or it is not there: the cursor stands on its first half.
  const wide = sliceRow(row, x, 2).segments;
  const single = sliceRow(row, x, 1).segments;
  const under = isSplit(single, wide) ? wide : single;
  const cells = Math.max(1, segmentsWidth(under));
  const after = sliceRow(row, x + cells, Number.MAX_SAFE_INTEGER).segments;
  const gap = blanks(x - segmentsWidth(before), {});
  const shown = rowOf(...before, gap, marked(under, shape, look), ...after);
  return row.fill === undefined ? shown : { ...shown, fill: row.fill };
}

/** Is the first cell the first half of a wide character? */
function isSplit(single: readonly Segment[], wide: readonly Segment[]): boolean {
  const text = (segments: readonly Segment[]) => segments.map((segment) => segment.text).join('');
  return text(single) === ' ' && wide.length === 1 && segmentsWidth(wide) === 2 && !text(wide).startsWith(' ');
}

function marked(under: readonly Segment[], shape: CursorShape, look: Style): Segment {
  const { text, style } = under[0] ?? { text: ' ' as Visible, style: {} };
  if (shape === 'bar' && text === ' ') return { text: BAR, style };
  if (shape !== 'block') return { text, style: { ...style, underline: true } };
  // On an inverted cell the cursor is the one that is not.
  return { text, style: style.inverse === true ? { ...style, inverse: false } : { ...style, ...look } };
}
