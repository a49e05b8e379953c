/** Readline's changes to words: transposing them, and their case. */

import { clusters } from './clusters.js';
import { edit } from './editor.js';
import type { Editor } from './model.js';
import { between, type Cursor, isBefore, leftOf, lineAt, replace, rightOf } from './text.js';
import { wordLeft, wordRight } from './words.js';

/** The clusters before and under the cursor change places; at the end of the line the last two do. */
export function transposeClusters(editor: Editor): Editor {
  const { text } = editor;
  const { cursor } = text;
  const content = lineAt(text, cursor.line);
  if (cursor.offset === 0) return editor;
  const middle = cursor.offset < content.length ? cursor : leftOf(text, cursor);
  if (middle.offset === 0) return editor;
  const from = leftOf(text, middle);
  const to = rightOf(text, middle);
  return edit(editor, replace(text, from, to, between(text, middle, to) + between(text, from, middle)), 'other');
}

/** The word before the cursor and the one at or behind it change places. */
export function transposeWords(editor: Editor): Editor {
  const { text } = editor;
  let secondEnd = wordRight(text, text.cursor);
  let secondStart = wordLeft(text, secondEnd);
  // Behind the last word: the last two.
  if (wordEndOf(text, secondStart).line !== secondEnd.line || wordEndOf(text, secondStart).offset !== secondEnd.offset) {
    secondEnd = wordEndOf(text, secondStart);
    secondStart = wordLeft(text, secondEnd);
  }
  const firstStart = wordLeft(text, secondStart);
  const firstEnd = wordEndOf(text, firstStart);
  if (!isBefore(firstStart, secondStart) || isBefore(secondStart, firstEnd)) return editor;
  const [first, gap, second] = [
    between(text, firstStart, firstEnd),
    between(text, firstEnd, secondStart),
    between(text, secondStart, secondEnd),
  ];
  return edit(editor, replace(text, firstStart, secondEnd, second + gap + first), 'other');
}

function wordEndOf(text: Editor['text'], start: Cursor): Cursor {
  return wordRight(text, start);
}

/** What Alt+U, Alt+L and Alt+C make of the word at or behind the cursor; the cursor goes behind it. */
export function changeCase(editor: Editor, to: 'upper' | 'lower' | 'capital'): Editor {
  const { text } = editor;
  const end = wordRight(text, text.cursor);
  if (!isBefore(text.cursor, end)) return editor;
  const content = between(text, text.cursor, end);
  const changed = to === 'upper' ? content.toUpperCase() : to === 'lower' ? content.toLowerCase() : capital(content);
  return edit(editor, replace(text, text.cursor, end, changed), 'other');
}

function capital(content: string): string {
  const parts = clusters(content);
  const first = parts.findIndex((cluster) => /^[\p{L}\p{N}]/u.test(cluster));
  return parts.map((cluster, at) => (at === first ? cluster.toUpperCase() : cluster.toLowerCase())).join('');
}

/** No blanks around the cursor. */
export function eraseBlanks(editor: Editor): Editor {
  const { text } = editor;
  const { line, offset } = text.cursor;
  const content = lineAt(text, line);
  const from = offset - (/[ \t]*$/.exec(content.slice(0, offset))?.[0].length ?? 0);
  const to = offset + (/^[ \t]*/.exec(content.slice(offset))?.[0].length ?? 0);
  return from === to ? editor : edit(editor, replace(text, { line, offset: from }, { line, offset: to }, ''), 'other');
}
