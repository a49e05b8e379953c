/** The text of a draft and where the cursor stands in it: pure edits, no memory of the past. */

import { after, before, boundary } from './clusters.js';

/** A place: line, and UTF-16 offset in it, always between two clusters. */
export interface Cursor {
  readonly line: number;
  readonly offset: number;
}

/** Lines and a cursor. */
export interface EditorText {
  /** At least one line; no line holds LF. */
  readonly lines: readonly string[];
  readonly cursor: Cursor;
}

/** Nothing written. */
export const emptyText: EditorText = Object.freeze({ lines: [''], cursor: { line: 0, offset: 0 } });

/** The line with that number, '' outside. */
export function lineAt(text: EditorText, line: number): string {
  return text.lines[line] ?? '';
}

/** The whole text, lines joined by LF. */
export function joined(text: EditorText): string {
  return text.lines.join('\n');
}

/** True when `a` stands before `b`. */
export function isBefore(a: Cursor, b: Cursor): boolean {
  return a.line < b.line || (a.line === b.line && a.offset < b.offset);
}

/** What stands between two places. */
export function between(text: EditorText, from: Cursor, to: Cursor): string {
  if (from.line === to.line) return lineAt(text, from.line).slice(from.offset, to.offset);
  return [
    lineAt(text, from.line).slice(from.offset),
    ...text.lines.slice(from.line + 1, to.line),
    lineAt(text, to.line).slice(0, to.offset),
  ].join('\n');
}

/** The text with what stands between two places replaced; the cursor goes behind what was put in. */
export function replace(text: EditorText, from: Cursor, to: Cursor, content: string): EditorText {
  const head = lineAt(text, from.line).slice(0, from.offset);
  const tail = lineAt(text, to.line).slice(to.offset);
  const added = content.split('\n');
  const last = added.length - 1;
  const middle = added.map((part, i) => (i === 0 ? head : '') + part + (i === last ? tail : ''));
  const lines = [...text.lines.slice(0, from.line), ...middle, ...text.lines.slice(to.line + 1)];
  const line = from.line + last;
  const offset = (last === 0 ? head.length : 0) + (added[last]?.length ?? 0);
  // What was put in may join with what stands around it (a combining mark): the cursor stays between clusters.
  const whole = lines[line] ?? '';
  const settled = boundary(whole, offset) === offset ? offset : after(whole, offset);
  return { lines, cursor: { line, offset: settled } };
}

/** The place one cluster to the left, over line ends. */
export function leftOf(text: EditorText, place: Cursor): Cursor {
  if (place.offset > 0) return { line: place.line, offset: before(lineAt(text, place.line), place.offset) };
  if (place.line === 0) return place;
  return { line: place.line - 1, offset: lineAt(text, place.line - 1).length };
}

/** The place one cluster to the right, over line ends. */
export function rightOf(text: EditorText, place: Cursor): Cursor {
  const line = lineAt(text, place.line);
  if (place.offset < line.length) return { line: place.line, offset: after(line, place.offset) };
  if (place.line === text.lines.length - 1) return place;
  return { line: place.line + 1, offset: 0 };
}
