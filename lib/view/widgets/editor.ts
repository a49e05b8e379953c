/** The prompt: the draft as it will be sent, folded pastes as tokens. */

import { type Row, rowOf, type Segment } from '../../base/style.js';
import { isEmpty } from '../editor/model.js';
import { selected } from '../editor/selected.js';
import { type Cursor, lineAt } from '../editor/text.js';
import { type EditorRow, piecesBetween, placeAt, seenAt } from '../editor/wrap.js';
import { broughtWords, draftRows, editorWidth, promptCells } from '../screen.js';
import { isBusy, runningPrompt, type State } from '../state.js';
import type { Theme } from '../theme.js';
import type { Widget } from '../widget.js';
import { blanks, fitted, piece } from './pieces.js';

/** The draft, scrolled to its cursor. */
export const editor: Widget = {
  id: 'editor',
  inputs: (state) => [
    state.answering,
    state.editor.text,
    state.editor.pastes,
    state.editor.mark,
    state.editor.vi,
    state.brought,
    state.size,
    state.stopping,
    busyWords(state),
  ],
  rows(state, size, theme) {
    const { styles } = theme;
    if (isEmpty(state.editor))
      return [rowOf(...fitted([piece('> ', styles.prompt_symbol), piece(placeholder(state), styles.muted)], size.cols))];
    const room = draftRoom(state, size.rows);
    const { top } = seen(state, room);
    const draft = draftRows(state)
      .slice(top, top + room)
      .map((line, i): Row => {
        const lead: Segment = top + i === 0 ? piece('> ', styles.prompt_symbol) : blanks(promptCells, styles.text);
        return rowOf(lead, ...segmentsOf(state, line, theme));
      });
    return room === size.rows ? draft : [...draft, broughtRow(state, size.cols, theme)];
  },
  cursor(state, size) {
    const { x, y, top } = seen(state, draftRoom(state, size.rows));
    return { x: x + promptCells, y: y - top, shown: true };
  },
};

/** Rows that the draft has; the last one of the widget tells what it brings along, where there are two. */
function draftRoom(state: State, rows: number): number {
  return rows > 1 && !isEmpty(state.editor) ? rows - (broughtWords(state) === '' ? 0 : 1) : rows;
}

function broughtRow(state: State, cols: number, { styles }: Theme): Row {
  const told = state.brought?.told;
  const isTrouble = told != null && told.troubles.length > 0;
  return rowOf(...fitted([piece(`+ ${broughtWords(state)}`, isTrouble ? styles.warning : styles.muted)], cols));
}

/** The pieces of a row; what is selected in it looks so. */
function segmentsOf(state: State, row: EditorRow, { styles }: Theme): readonly Segment[] {
  const styled = (pieces: EditorRow['pieces'], isSelected: boolean): readonly Segment[] =>
    pieces.map(({ text, token }) => ({ text, style: isSelected ? styles.selected : token ? styles.paste_token : styles.text }));
  const { editor: draft, size } = state;
  const [from, to] = selected(draft, row);
  if (from >= to) return styled(row.pieces, false);
  const content = lineAt(draft.text, row.line);
  const part = (start: number, end: number) => piecesBetween(content, start, end, editorWidth(size), draft.pastes);
  const edge: readonly Segment[] = to > row.end ? [blanks(1, styles.selected)] : [];
  return [
    ...styled(part(row.start, from), false),
    ...styled(part(from, Math.min(to, row.end)), true),
    ...edge,
    ...styled(part(to, row.end), false),
  ];
}

/** The place in the draft at a cell of the editor's rectangle. */
export function placeUnder(state: State, rows: number, x: number, y: number): Cursor | null {
  const room = draftRoom(state, rows);
  const row = y < room ? draftRows(state)[seen(state, room).top + y] : undefined;
  if (row === undefined || isEmpty(state.editor)) return null;
  return placeAt(state.editor.text, row, Math.max(0, x - promptCells), editorWidth(state.size) + 1, state.editor.pastes);
}

function seen(state: State, rows: number): { readonly x: number; readonly y: number; readonly top: number } {
  const all = draftRows(state);
  const width = editorWidth(state.size);
  const at = seenAt(state.editor.text, all, width + 1, state.editor.pastes);
  return { ...at, top: Math.max(0, Math.min(at.y - rows + 1, all.length - rows)) };
}

function placeholder(state: State): string {
  if (state.answering?.kind === 'feedback') return 'why not? The model is told. Enter says no, Esc goes back';
  if (state.answering?.kind === 'edit') return 'the command to run instead; Enter runs it, Esc goes back';
  if (state.stopping) return 'stopping …';
  const busy = busyWords(state);
  if (busy !== '') return busy;
  return 'Ask, or / for commands';
}

/** What the keys do while something has the conversation; '' while nothing has. */
function busyWords(state: State): string {
  if (!isBusy(state)) return '';
  return runningPrompt(state) === null
    ? 'the conversation is being summarised · Enter queues · Esc stops it'
    : 'Enter steers · Alt+Q queues · Esc interrupts';
}
