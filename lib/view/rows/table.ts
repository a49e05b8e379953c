/**
 * Markdown tables in cells: columns as wide as they need, made narrower in turn until the table fits, their cells wrapped. Where even
 * that would leave slivers, each row becomes a stack of `name: value` lines.
 */

import type { Tokens } from 'marked';
import type { Segment, Style } from '../../base/style.js';
import type { Visible } from '../../base/visible.js';
import type { Theme } from '../theme.js';
import { inlineLines, over } from './inline.js';
import { type Line, segmentsWidth, wrapLine } from './lines.js';

/** No column is made narrower than this, or than what is in it. */
const NARROWEST = 6;
const SEPARATOR = ' │ ';

/** A cell: the lines that its author made (`<br>`). */
type Cell = readonly (readonly Segment[])[];

/** The lines of a table for `width` cells. */
export function tableLines(table: Tokens.Table, width: number, theme: Theme, base: Style): readonly Line[] {
  const header = table.header.map((cell) => cellOf(cell, theme, over(base, theme.styles.markdown_strong)));
  const body = table.rows.map((row) => row.map((cell) => cellOf(cell, theme, base)));
  const wanted = header.map(() => 1);
  for (const row of [header, ...body]) {
    for (let column = 0; column < wanted.length; column++) {
      for (const line of row[column] ?? []) wanted[column] = Math.max(wanted[column] ?? 1, segmentsWidth(line));
    }
  }
  const widths = narrowed(wanted, width - SEPARATOR.length * (wanted.length - 1));
  if (widths === null) return stacked(header, body, width, theme);
  const rule: Segment = { text: widths.map((cells) => '─'.repeat(cells)).join('─┼─') as Visible, style: theme.styles.border };
  const draw = (row: readonly Cell[]) => rowLines(row, widths, table.align, theme);
  return [...draw(header), { segments: [rule], hard: true }, ...body.flatMap(draw)];
}

function cellOf(cell: Tokens.TableCell, theme: Theme, style: Style): Cell {
  return inlineLines(cell.tokens, theme, style).map((line) => line.segments);
}

/** Column widths that fit together into `room`, the widest giving first; null when some would become slivers. */
function narrowed(wanted: readonly number[], room: number): readonly number[] | null {
  const widths = [...wanted];
  let over = widths.reduce((sum, cells) => sum + cells, 0) - room;
  while (over > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const now = widths[widest] ?? 0;
    if (now <= NARROWEST) return null;
    const next = Math.max(NARROWEST, ...widths.filter((cells) => cells < now));
    const step = Math.max(1, Math.min(over, now - next));
    widths[widest] = now - step;
    over -= step;
  }
  return widths;
}

function rowLines(row: readonly Cell[], widths: readonly number[], align: readonly (string | null)[], theme: Theme): readonly Line[] {
  const wrapped = widths.map((cells, column) => {
    const rows: (readonly Segment[])[] = [];
    for (const line of row[column] ?? []) wrapLine({ segments: line }, cells, (segments) => rows.push(segments));
    return rows;
  });
  const height = Math.max(1, ...wrapped.map((rows) => rows.length));
  const bar: Segment = { text: SEPARATOR as Visible, style: theme.styles.border };
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

/** Each row as lines `name: value`, a rule between rows. */
function stacked(header: readonly Cell[], body: readonly (readonly Cell[])[], width: number, theme: Theme): readonly Line[] {
  const names = header.map((cell) => cell.flat());
  const rule: Line = { segments: [{ text: '─'.repeat(Math.max(1, Math.min(width, 24))) as Visible, style: theme.styles.border }] };
  if (body.length === 0) return names.map((name) => ({ segments: name }));
  return body.flatMap((row, n) => [
    ...(n > 0 ? [rule] : []),
    ...names.flatMap((name, column): readonly Line[] => {
      const lead: readonly Segment[] = [...name, { text: ': ' as Visible, style: theme.styles.border }];
      const cells = segmentsWidth(lead);
      const hang: readonly Segment[] = [{ text: ' '.repeat(Math.min(cells, 2)) as Visible, style: {} }];
      const [first = [], ...more] = row[column] ?? [];
      const head: Line = cells <= width / 2 ? { lead, hang, segments: first } : { segments: [...lead, ...first] };
      return [head, ...more.map((segments): Line => ({ lead: hang, segments }))];
    }),
  ]);
}
