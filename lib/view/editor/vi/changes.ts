/** What commands do to a text: pure, without undo and registers. The cursor of the result is where vim leaves it. */

import { after, clusters, isMark } from '../clusters.js';
import { between, type Cursor, type EditorText, isBefore, lineAt, replace } from '../text.js';
import type { Register } from './model.js';
import { firstNonBlank, lastOffset } from './motions.js';
import type { Region } from './region.js';

/** The text of a region as `p` would put it. */
export function taken(text: EditorText, { from, to, linewise }: Region): Register {
  return linewise ? { text: text.lines.slice(from.line, to.line + 1).join('\n'), linewise } : { text: between(text, from, to), linewise };
}

function atNonBlank(text: EditorText, line: number): EditorText {
  const at = Math.max(0, Math.min(line, text.lines.length - 1));
  return { ...text, cursor: { line: at, offset: firstNonBlank(lineAt(text, at)) } };
}

/** Without the region. */
export function without(text: EditorText, { from, to, linewise }: Region): EditorText {
  if (!linewise) return { ...replace(text, from, to, ''), cursor: from };
  const lines = [...text.lines.slice(0, from.line), ...text.lines.slice(to.line + 1)];
  return atNonBlank({ lines: lines.length > 0 ? lines : [''], cursor: text.cursor }, from.line);
}

/** Without the region, to write there: of whole lines an empty one stays. */
export function opened(text: EditorText, { from, to, linewise }: Region): EditorText {
  if (!linewise) return { ...replace(text, from, to, ''), cursor: from };
  const lines = [...text.lines.slice(0, from.line), '', ...text.lines.slice(to.line + 1)];
  return { lines, cursor: { line: from.line, offset: 0 } };
}

/** The register put `count` times behind the cursor, or before it. */
export function put(text: EditorText, register: Register, count: number, before: boolean): EditorText {
  const { cursor } = text;
  if (register.linewise) {
    const added = Array.from({ length: count }, () => register.text.split('\n')).flat();
    const line = before ? cursor.line : cursor.line + 1;
    return atNonBlank({ lines: [...text.lines.slice(0, line), ...added, ...text.lines.slice(line)], cursor }, line);
  }
  const content = lineAt(text, cursor.line);
  const offset = before || content === '' ? cursor.offset : after(content, cursor.offset);
  const place: Cursor = { line: cursor.line, offset: Math.min(offset, content.length) };
  const filled = replace(text, place, place, register.text.repeat(count));
  if (register.text === '') return { ...text, cursor: place };
  if (register.text.includes('\n')) return { ...filled, cursor: place };
  const end = filled.cursor;
  const last = lineAt(filled, end.line).slice(0, end.offset);
  return { ...filled, cursor: { line: end.line, offset: Math.max(place.offset, lastOffset(last)) } };
}

/** `count` lines made one; with a blank between them where words would run together. Null when there is nothing to join. */
export function joinedLines(text: EditorText, from: number, count: number, blanks: boolean): EditorText | null {
  const last = Math.min(text.lines.length - 1, from + Math.max(2, count) - 1);
  if (last <= from) return null;
  let whole = lineAt(text, from);
  let piece = whole;
  let seam = 0;
  for (const line of text.lines.slice(from + 1, last + 1)) {
    const next = blanks ? line.replace(/^[ \t]+/, '') : line;
    const gap = blanks && whole !== '' && next !== '' && !next.startsWith(')') && !/[ \t]$/.test(piece) ? ' ' : '';
    seam = whole.length;
    whole += gap + next;
    piece = next;
  }
  const lines = [...text.lines.slice(0, from), whole, ...text.lines.slice(last + 1)];
  return { lines, cursor: { line: from, offset: Math.min(seam, lastOffset(whole)) } };
}

/** A case for letters. */
export type LetterCase = 'swap' | 'lower' | 'upper';

function cased(content: string, to: LetterCase): string {
  if (to === 'lower') return content.toLowerCase();
  if (to === 'upper') return content.toUpperCase();
  return clusters(content)
    .map((cluster) => (cluster === cluster.toLowerCase() ? cluster.toUpperCase() : cluster.toLowerCase()))
    .join('');
}

/** The letters of the region in another case; the cursor at its start. */
export function recased(text: EditorText, { from, to, linewise }: Region, letters: LetterCase): EditorText {
  const start: Cursor = linewise ? { line: from.line, offset: 0 } : from;
  const end: Cursor = linewise ? { line: to.line, offset: lineAt(text, to.line).length } : to;
  return { ...replace(text, start, end, cased(between(text, start, end), letters)), cursor: from };
}

/** Every character of the region replaced by `cluster`; line ends stay. */
export function overwritten(text: EditorText, { from, to, linewise }: Region, cluster: string): EditorText {
  const start: Cursor = linewise ? { line: from.line, offset: 0 } : from;
  const end: Cursor = linewise ? { line: to.line, offset: lineAt(text, to.line).length } : to;
  const content = between(text, start, end)
    .split('\n')
    .map((line) => cluster.repeat(clusters(line).length))
    .join('\n');
  return { ...replace(text, start, end, content), cursor: start };
}

/** `count` characters from the cursor on, in its line; null when there are fewer. */
export function ahead(text: EditorText, count: number): Region | null {
  const from = text.cursor;
  const content = lineAt(text, from.line);
  let { offset } = from;
  for (let left = count; left > 0; left--) {
    if (offset >= content.length) return null;
    offset = after(content, offset);
  }
  return { from, to: { line: from.line, offset }, linewise: false };
}

/** The text with one typed cluster in place of the one at the cursor; line ends are not overwritten. */
export function typedOver(text: EditorText, cluster: string): EditorText {
  const { cursor } = text;
  const content = lineAt(text, cursor.line);
  const over = cursor.offset < content.length && cluster !== '\n' && !isMark(cluster);
  return replace(text, cursor, over ? { line: cursor.line, offset: after(content, cursor.offset) } : cursor, cluster);
}

/** The cursor on a character rather than behind the last one. */
export function onCharacter(text: EditorText): EditorText {
  const { cursor } = text;
  const content = lineAt(text, cursor.line);
  const offset = Math.min(cursor.offset, lastOffset(content));
  return offset === cursor.offset ? text : { ...text, cursor: { line: cursor.line, offset } };
}

/** The first line in which two texts differ. */
export function firstDifference(a: EditorText, b: EditorText): number {
  const least = Math.min(a.lines.length, b.lines.length);
  for (let line = 0; line < least; line++) if (a.lines[line] !== b.lines[line]) return line;
  return least;
}

/** What was typed since `start`: the text between its cursor and the one of now; '' when something else was changed too. */
export function typedSince(start: EditorText, now: EditorText): string {
  const from = start.cursor;
  if (isBefore(now.cursor, from)) return '';
  for (let line = 0; line < from.line; line++) if (start.lines[line] !== now.lines[line]) return '';
  if (lineAt(start, from.line).slice(0, from.offset) !== lineAt(now, from.line).slice(0, from.offset)) return '';
  return between(now, from, now.cursor);
}

/** The selection replaced by the register, as `p` does it in a visual mode. */
export function replacedBy(text: EditorText, region: Region, register: Register, count: number): EditorText {
  const { from, to } = region;
  if (region.linewise) {
    const added = Array.from({ length: count }, () => register.text.split('\n')).flat();
    const lines = [...text.lines.slice(0, from.line), ...added, ...text.lines.slice(to.line + 1)];
    return atNonBlank({ lines, cursor: from }, from.line);
  }
  if (register.linewise) {
    const filled = replace(text, from, to, `\n${Array.from({ length: count }, () => register.text).join('\n')}\n`);
    return atNonBlank(filled, from.line + 1);
  }
  const filled = replace(text, from, to, register.text.repeat(count));
  if (register.text.includes('\n')) return { ...filled, cursor: from };
  const { line, offset } = filled.cursor;
  return { ...filled, cursor: { line, offset: Math.max(from.offset, lastOffset(lineAt(filled, line).slice(0, offset))) } };
}
