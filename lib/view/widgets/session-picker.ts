/** The window of the list of sessions: the list, and beside or below it what the chosen one is. */

import { formatAgo, formatBytes, formatMoment } from '../../base/duration.js';
import { type Row, rowOf, type Segment } from '../../base/style.js';
import { cellWidth } from '../../base/width.js';
import type { SessionSummary } from '../../protocol/sessions.js';
import { inside, type Layout } from '../layout.js';
import { choicesOf, selectedOf } from '../picker.js';
import { itemsOf } from '../pickers/index.js';
import { oneSession } from '../pickers/session.js';
import { layOut, segmentsWidth, textLines } from '../rows/lines.js';
import { sessionChange } from '../session-look.js';
import { busyReason, type State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Frame, Rect } from '../widget.js';
import { filled, listWindow, parted, previewBorder } from './list-window.js';
import { choiceRow, queryTail } from './picker-row.js';
import { blanks, border, ends, exactPiece, fitted, piece } from './pieces.js';

type Part = Frame['parts'][number];

/** Rows of one thing that was said. */
const MOST_ROWS = 5;

/** The window; none when there is no room. */
export function sessionPickerParts(state: State, layout: Layout, theme: Theme): readonly Part[] {
  const { picker } = state;
  const outer = listWindow(state, layout);
  if (picker === null || outer === null) return [];
  const { styles } = theme;
  const inner = inside(outer);
  const choices = choicesOf(state, picker, itemsOf(state));
  const selected = selectedOf(picker, choices.length);
  const { list, preview, isBeside } = parted({ ...inner, y: inner.y + 1, rows: inner.rows - 1 }, choices.length);
  const top = Math.max(0, Math.min(selected - Math.floor(list.rows / 2), choices.length - list.rows));
  const rows = choices.slice(top, top + list.rows).map((choice, i) => choiceRow(choice, top + i === selected, list.cols, theme));
  const listed = rows.length > 0 ? rows : [rowOf(piece(emptyWords(state), styles.muted))];
  const chosen = state.kept.listed?.find(({ session }) => session === choices[selected]?.entry.id) ?? null;
  const foot = choices.length === 0 ? [] : [piece(`${selected + 1} of ${choices.length}`, styles.muted)];
  return [
    { rect: { ...inner, rows: 1 }, rows: [headRow(state, inner.cols, theme)] },
    { rect: list, rows: filled(listed, list.rows) },
    ...(preview === null ? [] : previewParts(state, chosen, { rect: preview, isBeside }, theme)),
    ...border(outer, { title: [piece('sessions', styles.title)], foot, style: styles.border_focused }),
  ];
}

/** Where the cursor stands; null when there is no window. */
export function sessionPickerCursor(state: State, layout: Layout): { readonly x: number; readonly y: number } | null {
  const outer = listWindow(state, layout);
  if (outer === null) return null;
  const inner = inside(outer);
  const [asks, text] = written(state);
  return {
    x: Math.min(inner.x + inner.cols - 1, inner.x + cellWidth(asks) + cellWidth(queryTail(text, room(state, inner.cols)))),
    y: inner.y,
  };
}

function emptyWords({ kept }: State): string {
  if (kept.listed === null) return ' looking …';
  if (kept.listed.length === 0) return ' there are no earlier sessions in this folder';
  return kept.look.namedOnly ? ' nothing with a name fits' : ' nothing fits';
}

function written(state: State): readonly [asks: string, text: string] {
  const change = sessionChange(state);
  if (change === null) return ['> ', state.picker?.query ?? ''];
  return change.kind === 'rename' ? ['new name: ', change.text] : ['', ''];
}

function orderWords({ kept: { look } }: State): string {
  return `${look.namedOnly ? 'with a name · ' : ''}${look.order} `;
}

function room(state: State, cols: number): number {
  return Math.max(0, cols - cellWidth(written(state)[0]) - cellWidth(orderWords(state)) - 1);
}

function headRow(state: State, cols: number, { styles }: Theme): Row {
  const change = sessionChange(state);
  if (change?.kind === 'delete') {
    const of = state.kept.listed?.find(({ session }) => session === change.session);
    const words = `Delete "${of === undefined ? change.session : oneSession(of)}"? y deletes it, n keeps it.`;
    return rowOf(...fitted([piece(words, styles.warning)], cols));
  }
  const [asks, text] = written(state);
  const left = [piece(asks, styles.key_name), piece(queryTail(text, room(state, cols)), styles.text)];
  return ends(left, [piece(orderWords(state), styles.muted)], cols, styles.text);
}

/** A line between the list and what the chosen one is. */
function previewParts(
  state: State,
  of: SessionSummary | null,
  { rect, isBeside }: { readonly rect: Rect; readonly isBeside: boolean },
  theme: Theme,
): readonly Part[] {
  const { between, body } = previewBorder(rect, isBeside, theme);
  const margin = blanks(isBeside ? 0 : 1, theme.styles.text);
  const rows = of === null ? [] : previewRows(state, of, { ...body, cols: body.cols - cellWidth(margin.text) }, theme);
  return [between, { rect: body, rows: filled(rows, body.rows).map((row) => ({ segments: [margin, ...row.segments] })) }];
}

function previewRows(state: State, of: SessionSummary, { cols, rows }: Rect, theme: Theme): readonly Row[] {
  const { styles } = theme;
  const { preview } = state.kept.look;
  const busy = busyReason(state);
  const line = (...segments: readonly Segment[]): Row => rowOf(...fitted(segments, cols));
  const seen = preview?.session === of.session ? preview : null;
  const prompts = of.prompts === null ? [] : [of.prompts === 1 ? '1 prompt' : `${of.prompts} prompts`];
  const when = `${formatMoment(of.updatedMs)}, ${formatAgo(Math.max(0, state.nowMs - of.updatedMs))}`;
  const head = [
    line(piece(oneSession(of), styles.title)),
    ...(of.foreign === null ? [] : [line(piece(`It cannot be opened: ${of.foreign}.`, styles.warning))]),
    ...(of.open ? [line(piece('Another program has it open; it goes on as a copy.', styles.warning))] : []),
    ...(busy === null || of.foreign !== null ? [] : [line(piece(`Not now: ${busy}.`, styles.warning))]),
    ...(of.labels.length === 0 ? [] : [line(piece(of.labels.map((label) => `#${label}`).join('  '), styles.accent))]),
    line(piece([...(seen?.model == null ? [] : [seen.model]), of.target].join(' · '), styles.muted)),
    ...(seen === null || seen.cwd === '' ? [] : [line(exactPiece(seen.cwd, styles.muted))]),
    line(piece([when, ...prompts, formatBytes(of.bytes)].join(' · '), styles.muted)),
    line(exactPiece(of.session, styles.muted)),
  ];
  const left = rows - head.length - 1;
  const said: Row[] = [];
  // From the end, as far as there is room: what was said last is what one knows a session by.
  for (const { by, text } of (seen?.said ?? []).toReversed()) {
    const part = saidRows(by, text, cols, theme);
    if (said.length + part.length > left) break;
    said.unshift(...part);
  }
  return [...head, ...(said.length === 0 ? [] : [line()]), ...said];
}

function saidRows(by: 'person' | 'model', text: string, cols: number, { styles }: Theme): readonly Row[] {
  const mark = by === 'person' ? piece('● ', styles.prompt_symbol) : piece('◆ ', styles.agent_label);
  const style = by === 'person' ? styles.user_text : styles.text;
  const { rows } = layOut(textLines(text.trim(), style), cols, mark, blanks(segmentsWidth([mark]), style));
  if (rows.length <= MOST_ROWS) return rows;
  return [...rows.slice(0, MOST_ROWS - 1), rowOf(piece('  …', styles.muted))];
}
