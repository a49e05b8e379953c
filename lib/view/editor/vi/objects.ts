/** Text objects: `iw`, `a"`, `i(` and their kin. */

import { after, before } from '../clusters.js';
import { type Cursor, type EditorText, isBefore, lineAt } from '../text.js';
import { closingOf, nextOpening, openingOf } from './brackets.js';
import { lastOffset } from './motions.js';
import { Walker, type WordClass } from './walker.js';

/** A piece of text. */
export interface Piece {
  readonly from: Cursor;
  readonly to: Cursor;
  /** Is the character at `to` a part of it? */
  readonly span: 'inclusive' | 'exclusive';
}

const brackets: Readonly<Record<string, readonly [string, string]>> = {
  '(': ['(', ')'],
  ')': ['(', ')'],
  b: ['(', ')'],
  '[': ['[', ']'],
  ']': ['[', ']'],
  '{': ['{', '}'],
  '}': ['{', '}'],
  B: ['{', '}'],
  '<': ['<', '>'],
  '>': ['<', '>'],
};

/** The characters that name an object behind `i` and `a`. */
export const objectKeys: readonly string[] = ['w', 'W', '"', "'", '`', ...Object.keys(brackets)];

/** The object `key` (`iw`, `a(`) at the cursor; null when there is none. */
export function objectAt(text: EditorText, key: string, count: number, selected: Selection | null): Piece | null {
  const inner = key.startsWith('i');
  const what = key.charAt(1);
  if (what === 'w' || what === 'W') return wordObject(text, { inner, count, classes: what === 'w' ? 'word' : 'blank', selected });
  const pair = brackets[what];
  return pair === undefined ? quoted(text, what, inner) : bracketed(text, pair, inner, count, selected);
}

/** A selection that the object grows, when it is more than one character. */
export interface Selection {
  readonly anchor: Cursor;
  readonly cursor: Cursor;
}

interface WordWish {
  readonly inner: boolean;
  readonly count: number;
  readonly classes: WordClass;
  readonly selected: Selection | null;
}

/** Words stay in their line. With a selection it goes on behind (or before) it. */
function wordObject(text: EditorText, { inner, count, classes, selected }: WordWish): Piece | null {
  const { cursor } = text;
  const content = lineAt(text, cursor.line);
  const kindAt = (offset: number) => new Walker(text, { line: cursor.line, offset }, classes).kind;
  const place = (offset: number): Cursor => ({ line: cursor.line, offset });
  if (content === '') return inner ? { from: cursor, to: cursor, span: 'exclusive' } : null;
  const runEnd = (offset: number): number => {
    let end = after(content, offset);
    while (end < content.length && kindAt(end) === kindAt(offset)) end = after(content, end);
    return end;
  };
  const runStart = (offset: number): number => {
    let start = offset;
    while (start > 0 && kindAt(before(content, start)) === kindAt(offset)) start = before(content, start);
    return start;
  };
  const grows = selected !== null;
  let start = grows ? cursor.offset : runStart(Math.min(cursor.offset, lastOffset(content)));
  let end = grows ? after(content, cursor.offset) : start;
  let blanksBehind = false;
  for (let left = count; left > 0; left--) {
    if (end >= content.length) return null;
    if (inner) {
      end = runEnd(end);
      continue;
    }
    const onBlank = kindAt(end) === 0;
    end = runEnd(end);
    blanksBehind = onBlank;
    if (onBlank && end >= content.length) return null;
    if (onBlank) end = runEnd(end);
    else if (end < content.length && kindAt(end) === 0) {
      end = runEnd(end);
      blanksBehind = true;
    }
  }
  // Without blanks behind it, "aw" takes those before it.
  if (!inner && !blanksBehind && !grows && start > 0 && kindAt(before(content, start)) === 0) {
    const blanks = runStart(before(content, start));
    if (blanks > 0) start = blanks;
  }
  return { from: grows ? selected.anchor : place(start), to: place(before(content, end)), span: 'inclusive' };
}

function quoted(text: EditorText, quote: string, inner: boolean): Piece | null {
  const { line, offset } = text.cursor;
  const content = lineAt(text, line);
  const pair = quotesAt(content, quote, offset);
  if (pair === null) return null;
  const [open, close] = pair;
  if (inner) {
    if (open + 1 === close) return { from: { line, offset: close }, to: { line, offset: close }, span: 'exclusive' };
    return { from: { line, offset: open + 1 }, to: { line, offset: before(content, close) }, span: 'inclusive' };
  }
  let from = open;
  let to = close;
  while (to + 1 < content.length && /[ \t]/.test(content.charAt(to + 1))) to++;
  if (to === close) while (from > 0 && /[ \t]/.test(content.charAt(from - 1))) from--;
  return { from: { line, offset: from }, to: { line, offset: to }, span: 'inclusive' };
}

/** The pair of quotes around or behind `offset`, counted from the start of the line. */
function quotesAt(content: string, quote: string, offset: number): readonly [number, number] | null {
  const next = (from: number): number => {
    for (let at = from; at < content.length; at++) {
      if (content.charAt(at) === '\\') at++;
      else if (content.charAt(at) === quote) return at;
    }
    return -1;
  };
  if (content.charAt(offset) === quote) {
    for (let open = next(0); open >= 0; ) {
      if (open > offset) return null;
      const close = next(open + 1);
      if (close < 0) return null;
      if (open <= offset && offset <= close) return [open, close];
      open = next(close + 1);
    }
    return null;
  }
  // As vim does it: the quote before the cursor opens, else the first one behind it.
  let open = previous(content, quote, offset);
  if (open < 0) open = next(offset);
  const close = open < 0 ? -1 : next(open + 1);
  return close < 0 ? null : [open, close];
}

function previous(content: string, quote: string, offset: number): number {
  for (let at = offset - 1; at >= 0; at--) {
    let escapes = 0;
    while (at - escapes > 0 && content.charAt(at - escapes - 1) === '\\') escapes++;
    if (escapes % 2 === 1) at -= escapes;
    else if (content.charAt(at) === quote) return at;
  }
  return -1;
}

function bracketed(
  text: EditorText,
  [open, close]: readonly [string, string],
  inner: boolean,
  count: number,
  selected: Selection | null,
): Piece | null {
  const start =
    selected === null ? bracketStart(text, open) : isBefore(selected.anchor, selected.cursor) ? selected.anchor : selected.cursor;
  // Outside of any bracket the next one is meant.
  const look = openingOf(text, start, open, close) === null ? nextOpening : openingOf;
  let from: Cursor | null = start;
  for (let left = count; left > 0; left--) {
    const next: Cursor | null = look(text, from, open, close);
    if (next === null) break;
    from = next;
  }
  if (from === start) return null;
  const to = closingOf(text, { line: from.line, offset: from.offset + 1 }, open, close);
  if (to === null) return null;
  if (!inner) return { from, to, span: 'inclusive' };
  return innerPiece(text, from, to);
}

/** The cursor; on the opening bracket itself, or in the indent of a line that it begins, the place behind it. */
function bracketStart({ cursor, ...text }: EditorText, open: string): Cursor {
  const content = text.lines[cursor.line] ?? '';
  const indent = /^[ \t]*/.exec(content)?.[0].length ?? 0;
  const offset = open === '{' ? Math.max(cursor.offset, indent) : cursor.offset;
  return { line: cursor.line, offset: content.charAt(offset) === open ? offset + 1 : offset };
}

/** Between the brackets. When the closing one stands at the start of its line, the line end before it stays with it. */
function innerPiece(text: EditorText, open: Cursor, close: Cursor): Piece {
  let from: Cursor = { line: open.line, offset: open.offset + 1 };
  if (from.offset >= lineAt(text, from.line).length && from.line < close.line) from = { line: from.line + 1, offset: 0 };
  const head = lineAt(text, close.line).slice(0, close.offset);
  const alone = lineAt(text, close.line).charAt(close.offset) === '}' ? /^[ \t]*$/.test(head) : head === '';
  const to: Cursor = alone ? { line: close.line, offset: 0 } : close;
  return isBefore(from, to) ? { from, to, span: 'exclusive' } : { from, to: from, span: 'exclusive' };
}
