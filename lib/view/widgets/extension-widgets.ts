/** What extensions show: for each a title and its lines, as plain text. */

import { type Row, rowOf, type Segment } from '../../base/style.js';
import { cellWidthUpTo } from '../../base/width.js';
import type { ExtensionWidget } from '../../protocol/extensions.js';
import type { Layout } from '../layout.js';
import type { State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Frame, Rect } from '../widget.js';
import { blanks, fitted, piece } from './pieces.js';

/** The parts of a frame. What has no room is cut below, and the last row says so. */
export function extensionParts(state: State, { widgets: { above, side } }: Layout, theme: Theme): Frame['parts'] {
  const { extensionWidgets: all } = state;
  const inColumn = side === null ? [] : all.filter(({ place }) => place === 'side');
  const others = all.filter((widget) => !inColumn.includes(widget));
  const draw = (where: 'above' | 'side', widgets: readonly ExtensionWidget[], rect: Rect | null) =>
    rect === null
      ? []
      : [{ rect, rows: state.layouts.remember(`extensions ${where}`, [all, rect, theme], () => rowsOf(widgets, rect, theme)) }];
  return [...draw('above', others, above), ...draw('side', inColumn, side)];
}

function rowsOf(widgets: readonly ExtensionWidget[], { cols, rows }: Rect, { styles }: Theme): readonly Row[] {
  const rest = (title: Segment) => Math.max(0, cols - 3 - cellWidthUpTo(title.text, cols));
  const all = widgets.flatMap(({ title, lines }) => [
    rowOf(
      ...fitted(
        [piece('─ ', styles.border), piece(title, styles.title), piece(` ${'─'.repeat(rest(piece(title, styles.title)))}`, styles.border)],
        cols,
      ),
    ),
    ...lines.map((line) => rowOf(...fitted([blanks(2, styles.text), piece(line, styles.text)], cols))),
  ]);
  if (all.length <= rows) return all;
  const left = all.length - rows + 1;
  return [...all.slice(0, rows - 1), rowOf(...fitted([piece(`  … ${left} more lines`, styles.muted)], cols))];
}
