/** Markdown tables in cells: columns as wide as they need, made narrower in turn until the table fits. */

import type { Tokens } from 'marked';
import type { Segment, Style } from '../../base/style.js';
import type { Visible } from '../../base/visible.js';
import type { Theme } from '../theme.js';
import { inlineLines } from './inline.js';
import { type Line, segmentsWidth, wrapLine } from './lines.js';

const NARROWEST = 3;

/** The lines of a table for `width` cells. */
export function tableLines(table: Tokens.Table, width: number, theme: Theme, base: Style): readonly Line[] {
  const header = table.header.map((cell) => cellOf(cell, theme, { ...base, ...theme.styles.markdown_strong }));
  const body = table.rows.map((row) => row.map((cell) => cellOf(cell, theme, base)));
  const wanted = header.map((_, column) => Math.max(NARROWEST, ...[header, ...body].map((row) => segmentsWidth(row[column] ?? []))));
  const widths = narrowed(wanted, width - 3 * (wanted.length - 1));
  const rule: Segment = { text: widths.map((cells) => '─'.repeat(cells)).join('─┼─') as Visible, style: theme.styles.border };
  const draw = (row: readonly (readonly Segment[])[]) => rowLines(row, widths, table.align, theme);
  return [...draw(header), { segments: [rule], hard: true }, ...body.flatMap(draw)];
}

function cellOf(cell: Tokens.TableCell, theme: Theme, style: Style): readonly Segment[] {
  return inlineLines(cell.tokens, theme, style).flatMap((line) => line.segments);
}

/** Column widths that fit together into `room`: the widest gives first. */
function narrowed(wanted: readonly number[], room: number): readonly number[] {
  const widths = [...wanted];
  let over = widths.reduce((sum, cells) => sum + cells, 0) - room;
  while (over > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const now = widths[widest] ?? 0;
    if (now <= NARROWEST) break;
    const next = Math.max(NARROWEST, ...widths.filter((cells) => cells < now));
    const step = Math.max(1, Math.min(over, now - next));
    widths[widest] = now - step;
    over -= step;
  }
  return widths;
}

function rowLines(
  row: readonly (readonly Segment[])[],
  widths: readonly number[],
  align: readonly (string | null)[],
  theme: Theme,
): readonly Line[] {
  const wrapped = widths.map((cells, column) => {
    const rows: (readonly Segment[])[] = [];
    wrapLine({ segments: row[column] ?? [] }, cells, (segments) => rows.push(segments));
    return rows;
  });
  const height = Math.max(1, ...wrapped.map((rows) => rows.length));
  const bar: Segment = { text: ' │ ' as Visible, style: theme.styles.border };
  return Array.from({ length: height }, (_, y) => ({
    hard: true,
    segments: widths.flatMap((cells, column) => [
      ...(column > 0 ? [bar] : []),
      ...aligned(wrapped[column]?.[y] ?? [], cells, align[column] ?? null, column === widths.length - 1),
    ]),
  }));
}

function aligned(segments: readonly Segment[], cells: number, align: string | null, last: boolean): readonly Segment[] {
  const free = Math.max(0, cells - segmentsWidth(segments));
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
  const blank = (count: number): readonly Segment[] => (count > 0 ? [{ text: ' '.repeat(count) as Visible, style: {} }] : []);
  return [...blank(before), ...segments, ...(last ? [] : blank(free - before))];
}
