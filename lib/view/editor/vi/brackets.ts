/** Brackets that belong together. */

import { type Cursor, type EditorText, lineAt } from '../text.js';

const partners: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', ')': '(', ']': '[', '}': '{' };
const opening = '([{';

/** The partner of the first bracket at or behind `from` in its line, or null. */
export function matching(text: EditorText, from: Cursor): Cursor | null {
  const content = lineAt(text, from.line);
  for (let offset = from.offset; offset < content.length; offset++) {
    const here = content.charAt(offset);
    const partner = partners[here];
    if (partner === undefined) continue;
    return opening.includes(here)
      ? closingOf(text, { line: from.line, offset: offset + 1 }, here, partner)
      : openingOf(text, { line: from.line, offset }, partner, here);
  }
  return null;
}

/** The opening bracket that is open at `from` (what stands at `from` itself does not count), or null. */
export function openingOf(text: EditorText, from: Cursor, open: string, close: string): Cursor | null {
  let depth = 0;
  for (let line = from.line; line >= 0; line--) {
    const content = lineAt(text, line);
    for (let offset = (line === from.line ? from.offset : content.length) - 1; offset >= 0; offset--) {
      const here = content.charAt(offset);
      if (here === close) depth++;
      else if (here === open && depth-- === 0) return { line, offset };
    }
  }
  return null;
}

/** The closing bracket of what is open at `from`, or null. */
export function closingOf(text: EditorText, from: Cursor, open: string, close: string): Cursor | null {
  let depth = 0;
  for (let line = from.line; line < text.lines.length; line++) {
    const content = lineAt(text, line);
    for (let offset = line === from.line ? from.offset : 0; offset < content.length; offset++) {
      const here = content.charAt(offset);
      if (here === open) depth++;
      else if (here === close && depth-- === 0) return { line, offset };
    }
  }
  return null;
}

/** The next opening bracket behind `from` that is not a part of what closes there, or null. */
export function nextOpening(text: EditorText, from: Cursor, open: string, close: string): Cursor | null {
  return closingOf(text, { line: from.line, offset: from.offset + 1 }, close, open);
}
