/** Word motions: words are runs of letters, digits and `_` (as readline has them), or of non-blanks for Ctrl+W. */

import { type Cursor, type EditorText, leftOf, lineAt, rightOf } from './text.js';

/** What counts as a part of a word. */
export type WordKind = 'word' | 'blank-delimited';

const PART = { word: /[\p{L}\p{N}\p{M}_\ufdd0-\ufdef]/u, 'blank-delimited': /[^\s]/u } as const;

function isPart(text: EditorText, from: Cursor, to: Cursor, kind: WordKind): boolean {
  return from.line === to.line && from.offset !== to.offset && PART[kind].test(lineAt(text, from.line).slice(from.offset, to.offset));
}

function same(a: Cursor, b: Cursor): boolean {
  return a.line === b.line && a.offset === b.offset;
}

/** The start of the word at or before `place`. */
export function wordLeft(text: EditorText, place: Cursor, kind: WordKind = 'word'): Cursor {
  return walk(text, place, leftOf, (near, far) => isPart(text, far, near, kind));
}

/** The end of the word at or after `place`. */
export function wordRight(text: EditorText, place: Cursor, kind: WordKind = 'word'): Cursor {
  return walk(text, place, rightOf, (near, far) => isPart(text, near, far, kind));
}

function walk(
  text: EditorText,
  place: Cursor,
  step: (text: EditorText, place: Cursor) => Cursor,
  part: (near: Cursor, far: Cursor) => boolean,
): Cursor {
  let at = place;
  let inside = false;
  for (;;) {
    const next = step(text, at);
    if (same(next, at)) return at;
    const now = part(at, next);
    if (inside && !now) return at;
    inside = now;
    at = next;
  }
}
