/** The window of `/settings`: the list, beside or below it all about the chosen one, and above it the value that is written. */

import { type Row, rowOf, type Segment, type Style } from '../../base/style.js';
import { cellWidth, truncate } from '../../base/width.js';
import { inside, type Layout } from '../layout.js';
import { choicesOf, type PickerChoice, selectedOf } from '../picker.js';
import { itemsOf } from '../pickers/index.js';
import { layOut, textLines } from '../rows/lines.js';
import { originOf, runningValue, sessionValue, settingDraft, settingOf, timeOf } from '../settings.js';
import type { SettingEntry } from '../settings-view.js';
import type { State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Frame, Rect } from '../widget.js';
import { filled, type ListAndPreview, listWindow, parted, previewBorder } from './list-window.js';
import { choiceRow, queryTail } from './picker-row.js';
import { blanks, border, fitted, piece } from './pieces.js';

type Part = Frame['parts'][number];

/** Rows of it, the line above included. */
const STRIP = 5;

/** The window; none when there is no room. */
export function settingsPickerParts(state: State, layout: Layout, theme: Theme): readonly Part[] {
  const { picker } = state;
  const outer = listWindow(state, layout);
  if (picker === null || outer === null) return [];
  const { styles } = theme;
  const inner = inside(outer);
  const choices = choicesOf(state, picker, itemsOf(state));
  const selected = selectedOf(picker, choices.length);
  const { list: whole, preview, isBeside } = withStrip(parted({ ...inner, y: inner.y + 1, rows: inner.rows - 1 }, choices.length));
  // Where nothing is told of the chosen one, it is still told what became of a change.
  const answer = preview === null ? answerRows(state, whole.cols, theme).slice(0, whole.rows - 1) : [];
  const list = { ...whole, rows: whole.rows - answer.length };
  const top = Math.max(0, Math.min(selected - Math.floor(list.rows / 2), choices.length - list.rows));
  const rows = choices
    .slice(top, top + list.rows)
    .map((choice, i) => choiceRow(withShortNote(choice, list.cols), top + i === selected, list.cols, theme));
  const empty = state.settings.listing === null ? ' looking …' : ' nothing fits';
  const chosen = settingOf(state, choices[selected]?.entry.id ?? '');
  const foot = choices.length === 0 ? [] : [piece(`${selected + 1} of ${choices.length}`, styles.muted)];
  return [
    { rect: { ...inner, rows: 1 }, rows: [headRow(state, inner.cols, theme)] },
    { rect: list, rows: filled(rows.length > 0 ? rows : [rowOf(piece(empty, styles.muted))], list.rows) },
    { rect: { ...list, y: list.y + list.rows, rows: answer.length }, rows: answer },
    ...(preview === null ? [] : previewParts(state, chosen, { rect: preview, isBeside }, theme)),
    ...border(outer, { title: [piece('settings', styles.title)], foot, style: styles.border_focused }),
  ];
}

/** Where the cursor stands; null when there is no window. */
export function settingsPickerCursor(state: State, layout: Layout): { readonly x: number; readonly y: number } | null {
  const outer = listWindow(state, layout);
  if (outer === null) return null;
  const inner = inside(outer);
  const [asks, text] = writing(state);
  const typed = cellWidth(asks) + cellWidth(queryTail(text, room(asks, inner.cols)));
  return { x: Math.min(inner.x + inner.cols - 1, inner.x + typed), y: inner.y };
}

/** Where there is no room for all about the chosen one, the lowest rows say the most wanted of it. */
function withStrip(parts: ListAndPreview): ListAndPreview {
  const { list, preview } = parts;
  if (preview !== null || list.rows < STRIP + 3) return parts;
  const rows = list.rows - STRIP;
  return { list: { ...list, rows }, preview: { ...list, y: list.y + rows, rows: STRIP }, isBeside: false };
}

function writing(state: State): readonly [asks: string, text: string] {
  const draft = settingDraft(state);
  return draft === null ? ['> ', state.picker?.query ?? ''] : [`${draft.key} = `, draft.text];
}

function room(asks: string, cols: number): number {
  return Math.max(0, cols - cellWidth(asks) - 1);
}

function headRow(state: State, cols: number, { styles }: Theme): Row {
  const [asks, text] = writing(state);
  return rowOf(...fitted([piece(asks, styles.key_name), piece(queryTail(text, room(asks, cols)), styles.text)], cols));
}

function answerOf({ settings: { draft, said } }: State): { readonly level: string; readonly text: string } | null {
  if (draft === null) return said;
  return draft.problem === null ? null : { level: 'warning', text: draft.problem };
}

function answerRows(state: State, cols: number, { styles }: Theme): readonly Row[] {
  const answer = answerOf(state);
  return answer === null ? [] : layOut(textLines(answer.text, lookOf(answer.level, styles)), cols, null, null).rows;
}

/** The value beside a key, as far as it leaves room for the key. */
function withShortNote(choice: PickerChoice, cols: number): PickerChoice {
  const { entry } = choice;
  const room = Math.max(0, cols - cellWidth(entry.label) - 4);
  return cellWidth(entry.note) <= room ? choice : { ...choice, entry: { ...entry, note: truncate(entry.note, room) } };
}

function lookOf(level: string | undefined, styles: Theme['styles']): Style {
  return level === 'info' ? styles.success : styles.warning;
}

function previewParts(
  state: State,
  entry: SettingEntry | undefined,
  { rect, isBeside }: { readonly rect: Rect; readonly isBeside: boolean },
  theme: Theme,
): readonly Part[] {
  const { between, body } = previewBorder(rect, isBeside, theme);
  const margin = blanks(isBeside ? 0 : 1, theme.styles.text);
  const rows = entry === undefined ? [] : entryRows(state, entry, body.cols - cellWidth(margin.text), theme);
  return [between, { rect: body, rows: filled(rows, body.rows).map((row) => ({ segments: [margin, ...row.segments] })) }];
}

/** What became of a change, the value and where it is from, what the setting is for, and the rest. */
function entryRows(state: State, entry: SettingEntry, cols: number, theme: Theme): readonly Row[] {
  const { styles } = theme;
  const text = (words: string, style: Style): readonly Row[] => layOut(textLines(words, style), cols, null, null).rows;
  const fact = (name: string, words: string, style: Style = styles.text): readonly Row[] => {
    const lead: Segment = piece(name.padEnd(9), styles.muted);
    return layOut(textLines(words, style), cols, lead, blanks(cellWidth(lead.text), style)).rows;
  };
  const answer = answerRows(state, cols, theme);
  const isSession = sessionValue(state, entry) !== null;
  const now = runningValue(state, entry);
  return [
    ...(answer.length === 0 ? [] : [...answer, { segments: [] }]),
    ...text(`${entry.key} = ${isSession ? now : entry.value}`, styles.title),
    ...text(entry.says, styles.text),
    { segments: [] },
    ...fact('from', originOf(state, entry)),
    ...(now === entry.value
      ? []
      : fact(isSession ? 'later' : 'now', isSession ? entry.value : `${now}, until the next start`, styles.warning)),
    ...(entry.hidden === null ? [] : fact('yours', `${entry.hidden}, not in force`, styles.warning)),
    ...fact('default', entry.initial),
    ...fact('expected', entry.expected),
    ...fact('counts', timeOf(entry)),
    ...(entry.project === null ? [] : fact('project', `may ${entry.project}, once it is trusted; by hand, in its own file`)),
  ];
}
