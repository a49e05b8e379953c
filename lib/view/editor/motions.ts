/** Moving the cursor of a draft. */

import type { Editor } from './model.js';
import { type Cursor, type EditorText, leftOf, lineAt, rightOf } from './text.js';
import { wordLeft, wordRight } from './words.js';
import { type EditorRow, placeAt, seenAt } from './wrap.js';

/** The start of the cursor's line. */
export const lineStart = (text: EditorText): Cursor => ({ line: text.cursor.line, offset: 0 });
/** The end of the cursor's line. */
export const lineEnd = (text: EditorText): Cursor => ({ line: text.cursor.line, offset: lineAt(text, text.cursor.line).length });

/** The cursor elsewhere; what was typed before and after is undone apart. */
export function moveTo(editor: Editor, cursor: Cursor): Editor {
  return { ...editor, text: { ...editor.text, cursor }, last: 'none', goal: null, yanked: null, argument: null };
}

/** The cursor one cluster to the left. */
export const left = (editor: Editor): Editor => moveTo(editor, leftOf(editor.text, editor.text.cursor));
/** The cursor one cluster to the right. */
export const right = (editor: Editor): Editor => moveTo(editor, rightOf(editor.text, editor.text.cursor));
/** The cursor to the start of the word. */
export const toWordLeft = (editor: Editor): Editor => moveTo(editor, wordLeft(editor.text, editor.text.cursor));
/** The cursor to the end of the word. */
export const toWordRight = (editor: Editor): Editor => moveTo(editor, wordRight(editor.text, editor.text.cursor));
/** The cursor to the start of its line. */
export const toLineStart = (editor: Editor): Editor => moveTo(editor, lineStart(editor.text));
/** The cursor to the end of its line. */
export const toLineEnd = (editor: Editor): Editor => moveTo(editor, lineEnd(editor.text));
/** The cursor to the start of the draft. */
export const toStart = (editor: Editor): Editor => moveTo(editor, { line: 0, offset: 0 });
/** The cursor to the end of the draft. */
export const toEnd = (editor: Editor): Editor => {
  const line = editor.text.lines.length - 1;
  return moveTo(editor, { line, offset: lineAt(editor.text, line).length });
};
/** The cursor to a place, which must lie between two clusters. */
export const toPlace = (editor: Editor, cursor: Cursor): Editor => moveTo(editor, cursor);

/** Moves `by` of the seen `rows` (-1 up, 1 down), which are `width` cells wide, or null when there is no such row. */
export function vertical(editor: Editor, by: number, rows: readonly EditorRow[], width: number): Editor | null {
  const seen = seenAt(editor.text, rows, width, editor.pastes);
  const row = rows[seen.y + by];
  if (row === undefined) return null;
  const goal = editor.goal ?? seen.x;
  return { ...moveTo(editor, placeAt(editor.text, row, goal, width, editor.pastes)), goal };
}
