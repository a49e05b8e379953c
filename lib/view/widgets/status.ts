/** The status bar on top and the line at the bottom, made of the parts that the settings name. */

import type { Row, Segment, Style } from '../../base/style.js';
import type { SegmentName } from '../../protocol/segments.js';
import { segmentsWidth } from '../rows/lines.js';
import type { State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Size, Widget } from '../widget.js';
import { hints } from './hints.js';
import { ends, pathEnd } from './pieces.js';
import { segmentRows } from './segments.js';

/** A part that has something to say now. */
interface Part {
  readonly name: SegmentName;
  readonly side: 'left' | 'right';
  readonly goes: number;
  readonly pieces: readonly Segment[];
}

/** One row; the right end is kept, the left one gives way. */
export const status: Widget = {
  id: 'status',
  inputs: (state) => [state.header, ...inputsOf(state.header, state)],
  rows: (state, size, theme) => [line(state.header, state, size, theme, theme.styles.status_line)],
};

/** The line at the bottom: hints by themselves unless the settings say more. */
export const footer: Widget = {
  id: 'footer',
  inputs: (state) => [state.footer, ...inputsOf(state.footer, state)],
  rows(state, size, theme) {
    if (state.footer.length === 1 && state.footer[0] === 'hints') return hints.rows(state, size, theme);
    return [line(state.footer, state, size, quiet(theme), theme.styles.muted)];
  },
};

function inputsOf(names: readonly SegmentName[], state: State): readonly unknown[] {
  return names.flatMap((name) => (name === 'gap' ? [] : name === 'hints' ? hints.inputs(state) : segmentRows[name].inputs(state)));
}

function line(names: readonly SegmentName[], state: State, size: Size, theme: Theme, style: Style): Row {
  const room = size.cols - (names.includes('hints') ? Math.floor(size.cols / 3) : 0);
  const parts = shortened(fitting(partsOf(names, state, theme), room), room - 1);
  const taken = widthOf(parts);
  const withHints = parts.map((part) => {
    if (part.name !== 'hints') return part;
    const free = { cols: Math.max(0, size.cols - taken - 1), rows: 1 };
    return { ...part, pieces: hints.rows(state, free, theme)[0]?.segments ?? [] };
  });
  const side = (wanted: Part['side']) => withHints.filter((part) => part.side === wanted).flatMap((part) => part.pieces);
  return ends(side('left'), side('right'), size.cols, style);
}

/** The parts in their order. Before a gap is the left side, behind it the right one; without a gap each has its own. */
function partsOf(names: readonly SegmentName[], state: State, theme: Theme): readonly Part[] {
  const gap = names.indexOf('gap');
  return names.flatMap((name, at): readonly Part[] => {
    if (name === 'gap') return [];
    const placed = gap < 0 ? null : at < gap ? 'left' : 'right';
    if (name === 'hints') return [{ name, side: placed ?? 'left', goes: Number.POSITIVE_INFINITY, pieces: [] }];
    const row = segmentRows[name];
    return [{ name, side: placed ?? row.side, goes: row.goes ?? Number.POSITIVE_INFINITY, pieces: row.pieces(state, theme) }];
  });
}

/** Without those that can be done without, as far as the room demands it. */
function fitting(parts: readonly Part[], cells: number): readonly Part[] {
  if (widthOf(parts) < cells) return parts;
  const least = Math.min(...parts.filter((part) => part.pieces.length > 0).map((part) => part.goes));
  if (!Number.isFinite(least)) return parts;
  return fitting(
    parts.filter((part) => part.goes !== least),
    cells,
  );
}

/** The folder gives way when nothing else does. */
function shortened(parts: readonly Part[], cells: number): readonly Part[] {
  const over = widthOf(parts) - cells;
  if (over <= 0) return parts;
  return parts.map((part) =>
    part.name === 'cwd' ? { ...part, pieces: part.pieces.flatMap((path) => pathEnd(path, segmentsWidth([path]) - over)) } : part,
  );
}

function widthOf(parts: readonly Part[]): number {
  return parts.reduce((width, part) => width + segmentsWidth(part.pieces), 0);
}

/** At the bottom only what calls for attention stands out. */
function quiet(theme: Theme): Theme {
  const { muted, warning, error } = theme.styles;
  const calm = { status_line: muted, status_name: muted, model_name: muted, policy_ask: muted };
  return { ...theme, styles: { ...theme.styles, ...calm, gauge_low: muted, gauge_middle: warning, gauge_high: error } };
}
