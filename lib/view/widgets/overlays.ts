/** What lies over the panes for a while: choices for a slash command, toasts, help. */

import { type Row, rowOf, type Segment, type Style } from '../../base/style.js';
import { cellWidth, isSingleCells, padEnd } from '../../base/width.js';
import { type Completion, completions, fileQuery, isWholeMention, MOST_FILES } from '../completion.js';
import { draftOf } from '../editor/model.js';
import { contextsOf, contextTitles, continuations, type KeyContext, keyLabel, keymap, keysOf } from '../keymap.js';
import { knownCommands } from '../known-commands.js';
import { inside, type Layout, windowRect } from '../layout.js';
import { type Line, layOut, segmentsWidth } from '../rows/lines.js';
import type { State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Frame, Rect } from '../widget.js';
import { blanks, border, fitted, piece } from './pieces.js';

type Part = Frame['parts'][number];

const MOST_CHOICES = 10;

/** The list of choices, above the draft. */
export function completionParts(state: State, layout: Layout, theme: Theme): readonly Part[] {
  const all = completions(state);
  if (state.focus !== 'editor') return [];
  if (all.length === 0) return emptyParts(state, layout, theme);
  const most = Math.min(MOST_CHOICES, layout.editor.y - 1);
  const isLong = all.length > most;
  const count = isLong ? Math.max(1, most - 1) : all.length;
  const selected = Math.min(state.completion.selected, all.length - 1);
  const top = Math.max(0, Math.min(selected - count + 1, all.length - count));
  const cells = (text: string) => cellWidth(text.slice(0, layout.editor.cols));
  const isFiles = all[0]?.says === '' && all[0].marks !== undefined;
  const labels = Math.min(isFiles ? layout.editor.cols - 6 : 34, Math.max(...all.map((choice) => cells(choice.label))));
  const foot = `${selected + 1} of ${countOf(state, all)}`;
  const wanted = Math.max(labels + 4 + Math.max(...all.map((choice) => cells(choice.says))), cellWidth(foot) + 2);
  const cols = Math.min(layout.editor.cols - 2, wanted);
  const rows = all.slice(top, top + count).map((choice, i): Row => choiceRow(choice, top + i === selected, { labels, cols }, theme));
  const shown = [...rows, ...(isLong ? [footRow(foot, cols, theme)] : [])];
  return [{ rect: { x: 2, y: layout.editor.y - shown.length, cols, rows: shown.length }, rows: shown }];
}

function choiceRow(choice: Completion, isChosen: boolean, room: { readonly labels: number; readonly cols: number }, theme: Theme): Row {
  const look = isChosen ? theme.styles.selected : theme.styles.text;
  const says = isChosen ? theme.styles.selected : theme.styles.muted;
  const { labels, cols } = room;
  const label = [piece(' ', look), ...markedPieces(choice, look)];
  const gap = blanks(labels + 3 - segmentsWidth(label), look);
  const segments = fitted([...fitted(label, labels + 1), gap, piece(padEnd(choice.says, Math.max(0, cols - labels - 3)), says)], cols);
  return { ...rowOf(...segments), fill: look };
}

/** The label with the characters that were typed standing out. */
function markedPieces({ label, marks = [] }: Completion, look: Style): readonly Segment[] {
  // Only where a character is a cell can a label be cut anywhere.
  const found = new Set(isSingleCells(label) ? marks : []);
  const pieces: Segment[] = [];
  for (let from = 0; from < label.length; ) {
    let to = from + 1;
    while (to < label.length && found.has(to) === found.has(from)) to++;
    pieces.push(piece(label.slice(from, to), found.has(from) ? { ...look, bold: true, underline: true } : look));
    from = to;
  }
  return pieces;
}

function footRow(text: string, cols: number, theme: Theme): Row {
  return { ...rowOf(...fitted([piece(` ${text}`, theme.styles.muted)], cols)), fill: theme.styles.text };
}

function countOf({ files }: State, all: readonly Completion[]): string {
  if (all[0]?.marks === undefined || files === null) return String(all.length);
  return `${all.length}${files.more || all.length >= MOST_FILES ? '+' : ''}${files.looking ? ' …' : ''}`;
}

/** Files are asked for and none is there to choose. */
function emptyParts(state: State, layout: Layout, theme: Theme): readonly Part[] {
  if (state.files === null || state.completion.dismissed === draftOf(state.editor) || state.approvals.length > 0) return [];
  const asked = fileQuery(state.editor.text);
  if (asked !== null && isWholeMention(state, asked.query)) return [];
  const cols = Math.min(layout.editor.cols - 2, 30);
  const row = footRow(state.files.looking ? 'looking for files …' : 'no file fits', cols, theme);
  return [{ rect: { x: 2, y: layout.editor.y - 1, cols, rows: 1 }, rows: [row] }];
}

/** Toasts, newest lowest, at the right above the question and the draft. */
export function toastParts(state: State, layout: Layout, theme: Theme): readonly Part[] {
  const lowest = (layout.approval ?? layout.editor).y - 2;
  return state.toasts.slice(-3).map((toast, i, all) => {
    const look = toast.level === 'error' ? { ...theme.styles.error, inverse: true } : theme.styles.toast;
    const segments = fitted([piece(` ${toast.text} `, look)], layout.status.cols - 4);
    const cols = Math.min(layout.status.cols - 4, segmentsWidth(segments));
    const rect: Rect = { x: layout.status.cols - cols - 2, y: Math.max(1, lowest - (all.length - 1 - i)), cols, rows: 1 };
    return { rect, rows: [{ segments, fill: look }] };
  });
}

/** The contexts that count where one came from first. */
function ordered(state: State): readonly (readonly [KeyContext, string])[] {
  const near = contextsOf({ ...state, help: null });
  const rank = (context: KeyContext) => (near.includes(context) ? near.indexOf(context) : near.length);
  const titles = Object.entries(contextTitles) as [KeyContext, string][];
  return titles.sort(([a], [b]) => rank(a) - rank(b));
}

/** The keys that may follow a prefix. */
export function continuationRows(state: State): readonly (readonly [string, string])[] {
  if (state.prefix === '') return [];
  return continuations(state, state.prefix).map(({ row, key }) => [keyLabel(key), row.says]);
}

/** Cells of the column of keys. */
const KEY_CELLS = 24;

/** The lines of help, from the keymap and the commands. */
function helpRows(state: State, cols: number, theme: Theme): readonly Row[] {
  const { styles } = theme;
  const heading = (title: string): Line => ({ segments: [piece(title, styles.markdown_heading)] });
  const line = (key: string, says: string): Line => {
    // A long name has the row for itself.
    const lead = piece(cellWidth(key) > KEY_CELLS - 4 ? `  ${key}  ` : padEnd(`  ${key}`, KEY_CELLS), styles.key_name);
    return { lead: [lead], hang: [blanks(cellWidth(lead.text), styles.text)], segments: [piece(says, styles.text)] };
  };
  const keys = ordered(state).flatMap(([context, title]) => [
    heading(title),
    ...keymap
      .filter((row) => row.context === context)
      .map((row) => {
        const reason = row.disabled?.(state) ?? null;
        return line(keysOf(state.bindings, row).map(keyLabel).join('  '), reason === null ? row.says : `${row.says} (not now: ${reason})`);
      }),
    { segments: [] },
  ]);
  const commands = knownCommands(state).map((command) => line(`/${command.name} ${command.args}`, command.says));
  return layOut([...keys, ...(commands.length > 0 ? [heading('Commands'), ...commands] : [])], cols, null, null).rows;
}

/** The help window. */
export function helpParts(state: State, theme: Theme): readonly Part[] {
  if (state.help === null) return [];
  const outer = windowRect(state.size);
  const inner = inside(outer);
  const all = helpRows(state, inner.cols, theme);
  const top = Math.max(0, Math.min(state.help, all.length - inner.rows));
  const rows = all.slice(top, top + inner.rows);
  const padded = [...rows, ...Array.from({ length: Math.max(0, inner.rows - rows.length) }, (): Row => ({ segments: [] }))];
  const foot = all.length > inner.rows ? [piece(`${top + 1}–${top + rows.length} of ${all.length}`, theme.styles.muted)] : [];
  return [
    { rect: inner, rows: padded },
    ...border(outer, { title: [piece('help', theme.styles.title)], foot, style: theme.styles.border_focused }),
  ];
}
