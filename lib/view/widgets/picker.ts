/** The window of an open list: what was typed, the entries that fit, the chosen one marked. */

import { type Row, rowOf } from '../../base/style.js';
import { cellWidth, padEnd } from '../../base/width.js';
import { inside, type Layout } from '../layout.js';
import { choicesOf, selectedOf } from '../picker.js';
import { itemsOf, pickers } from '../pickers/index.js';
import type { State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Frame, Rect } from '../widget.js';
import { choiceRow, queryTail } from './picker-row.js';
import { border, fitted, piece } from './pieces.js';
import { sessionPickerCursor, sessionPickerParts } from './session-picker.js';
import { settingsPickerCursor, settingsPickerParts } from './settings-picker.js';

type Part = Frame['parts'][number];

const WIDEST = 90;
const LONGEST = 20;
const SHORTEST = 3;

/** In the middle of the room above a question or the draft. */
export function pickerParts(state: State, layout: Layout, theme: Theme): readonly Part[] {
  const { picker } = state;
  if (picker === null) return [];
  if (picker.kind === 'session') return sessionPickerParts(state, layout, theme);
  if (picker.kind === 'settings') return settingsPickerParts(state, layout, theme);
  const room = (layout.approval ?? layout.editor).y - 1;
  const cols = Math.min(WIDEST, state.size.cols);
  const rows = Math.min(Math.min(LONGEST, Math.max(SHORTEST, itemsOf(state).length)) + 3, room);
  if (rows < 4 || cols < 10) return [];
  const outer: Rect = { x: Math.floor((state.size.cols - cols) / 2), y: 1, cols, rows };
  const inner = inside(outer);
  const choices = choicesOf(state, picker, itemsOf(state));
  const selected = selectedOf(picker, choices.length);
  const shown = inner.rows - 1;
  const top = Math.max(0, Math.min(selected - Math.floor(shown / 2), choices.length - shown));
  const list = choices.slice(top, top + shown).map((choice, i) => choiceRow(choice, top + i === selected, inner.cols, theme));
  const empty: Row = { segments: [piece(choices.length === 0 ? ' nothing fits' : '', theme.styles.muted)] };
  const padded = [
    ...list,
    ...Array.from({ length: Math.max(0, shown - list.length) }, (_, i): Row => (i === 0 ? empty : { segments: [] })),
  ];
  const query = rowOf(piece('> ', theme.styles.key_name), piece(queryTail(picker.query, inner.cols - 3), theme.styles.text));
  const foot = choices.length === 0 ? [] : [piece(`${selected + 1} of ${choices.length}`, theme.styles.muted)];
  return [
    { rect: inner, rows: [query, ...padded] },
    ...border(outer, { title: [piece(pickers[picker.kind].title, theme.styles.title)], foot, style: theme.styles.border_focused }),
  ];
}

/** Where the cursor stands while a list is open; null when none is. */
export function pickerCursor(state: State, layout: Layout): { readonly x: number; readonly y: number } | null {
  const { picker } = state;
  if (picker === null) return null;
  if (picker.kind === 'session') return sessionPickerCursor(state, layout);
  if (picker.kind === 'settings') return settingsPickerCursor(state, layout);
  const cols = Math.min(WIDEST, state.size.cols);
  if (Math.min(LONGEST + 3, (layout.approval ?? layout.editor).y - 1) < 4 || cols < 10) return null;
  return { x: Math.floor((state.size.cols - cols) / 2) + 3 + cellWidth(queryTail(picker.query, cols - 5)), y: 2 };
}

/** The keys that may follow a prefix, one row each, in the corner above the draft. */
export function prefixParts(layout: Layout, theme: Theme, rows: readonly (readonly [string, string])[]): readonly Part[] {
  if (rows.length === 0) return [];
  const keys = Math.max(...rows.map(([key]) => cellWidth(key)));
  const cols = Math.min(layout.editor.cols - 2, keys + 4 + Math.max(...rows.map(([, says]) => cellWidth(says))));
  const count = Math.min(rows.length, layout.editor.y - 1);
  const lines = rows.slice(0, count).map(
    ([key, says]): Row => ({
      ...rowOf(...fitted([piece(` ${padEnd(key, keys)}  `, theme.styles.key_name), piece(says, theme.styles.text)], cols)),
      fill: theme.styles.text,
    }),
  );
  return [{ rect: { x: 2, y: layout.editor.y - count, cols, rows: count }, rows: lines }];
}
