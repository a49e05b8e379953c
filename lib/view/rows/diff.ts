/** What a write changes in a file, as rows: line numbers, changed words marked, unchanged lines folded. Pure. */

import type { Row, Segment, Style } from '../../base/style.js';
import { type Visible, visible, visibleLine } from '../../base/visible.js';
import type { FileDiff } from '../../protocol/approvals.js';
import type { Theme } from '../theme.js';
import { type Edit, editScript } from './edit-script.js';
import { type Line, layOut, segmentsWidth, textLines, wrapLine } from './lines.js';

/** From so many cells on both files stand side by side: a screen of 160 columns has them in a panel as wide as itself. */
const SIDE_BY_SIDE = 150;
/** Unchanged lines that are shown around a change. */
const AROUND = 3;
/** Differences that are looked for; beyond them the shortest way is not worth its time. */
const MOST_LINES = 1500;
const MOST_WORDS = 160;
/** Longer lines are compared as a whole. */
const LONGEST_LINE = 2000;

/** How many lines come and go. */
export interface DiffCount {
  readonly added: number;
  readonly removed: number;
}

/** A line of the diff: what stood there and what will; one of them is null for a line that only comes or goes. */
interface Change {
  readonly before: { readonly number: number; readonly text: string } | null;
  readonly after: { readonly number: number; readonly text: string } | null;
  readonly same: boolean;
}

/** `Fold`: so many unchanged lines. */
type Entry = Change | number;

/** The rows of a diff at `width` cells; each at most that wide. */
export function diffRows(diff: FileDiff, width: number, theme: Theme): readonly Row[] {
  return layOut(diffLines(diff, width, theme), width, null, null).rows;
}

/** The same before wrapping. */
export function diffLines(diff: FileDiff, width: number, theme: Theme): readonly Line[] {
  return diffStart(diff, width, theme, Number.POSITIVE_INFINITY).lines;
}

/** The first `most` of these lines, and how many are left: only what is shown is laid out. */
export function diffStart(
  diff: FileDiff,
  width: number,
  theme: Theme,
  most: number,
): { readonly lines: readonly Line[]; readonly left: number } {
  const entries = folded(changes(diff));
  if (entries.length === 0)
    return { lines: [{ segments: [{ text: visibleLine('nothing changes'), style: theme.styles.muted }] }], left: 0 };
  const digits = entries.reduce<number>((least, entry) => Math.max(least, digitsOf(entry)), 2);
  const isWide = width >= SIDE_BY_SIDE && diff.before !== null;
  const draw = isWide ? sideBySide : unified;
  const lines: Line[] = [];
  let left = 0;
  for (const entry of entries) {
    if (lines.length >= most) left += typeof entry === 'number' || entry.same || isWide ? 1 : heightOf(entry);
    else if (typeof entry === 'number') lines.push(foldLine(entry, digits, theme));
    else lines.push(...draw(entry, width, digits, theme));
  }
  return { lines: lines.slice(0, most), left: left + Math.max(0, lines.length - most) };
}

function digitsOf(entry: Entry): number {
  return typeof entry === 'number' ? 0 : String(Math.max(entry.before?.number ?? 0, entry.after?.number ?? 0)).length;
}

/** Lines of a change that stand one above the other. */
function heightOf(change: Change): number {
  return (change.before === null ? 0 : 1) + (change.after === null ? 0 : 1);
}

/** How many lines a diff adds and removes. */
export function diffCount(diff: FileDiff): DiffCount {
  let added = 0;
  let removed = 0;
  for (const change of changes(diff)) {
    if (change.same) continue;
    if (change.after !== null) added++;
    if (change.before !== null) removed++;
  }
  return { added, removed };
}

/** The lines of a file; one that does not end with a line end says so. */
function linesOf(text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines[lines.length - 1] ?? ''}${NO_END}`];
}

/** Cannot stand in a line of a file: it is a line end. */
const NO_END = '\n';

function changes(diff: FileDiff): readonly Change[] {
  const before = linesOf(diff.before);
  const after = linesOf(diff.after);
  const first = diff.firstLine ?? 1;
  return editScript(before, after, MOST_LINES).flatMap((edit) =>
    edit.kept ? keptLines(edit, before, first) : changedLines(edit, before, after, first),
  );
}

function keptLines(edit: Edit, before: readonly string[], first: number): readonly Change[] {
  return before.slice(edit.from, edit.to).map((text, i) => ({
    before: { number: edit.from + i + first, text },
    after: { number: edit.otherFrom + i + first, text },
    same: true,
  }));
}

/** Lines that became others are paired in their order. */
function changedLines(edit: Edit, before: readonly string[], after: readonly string[], first: number): readonly Change[] {
  const height = Math.max(edit.to - edit.from, edit.otherTo - edit.otherFrom);
  const side = (lines: readonly string[], from: number, to: number, i: number) =>
    from + i < to ? { number: from + i + first, text: lines[from + i] ?? '' } : null;
  return Array.from({ length: height }, (_, i) => ({
    before: side(before, edit.from, edit.to, i),
    after: side(after, edit.otherFrom, edit.otherTo, i),
    same: false,
  }));
}

/** Unchanged lines far from a change as their number. A fold of one line would save nothing. */
function folded(all: readonly Change[]): readonly Entry[] {
  const near = all.map(() => false);
  for (const [i, change] of all.entries()) {
    if (!change.same) near.fill(true, Math.max(0, i - AROUND), i + AROUND + 1);
  }
  if (!near.includes(true)) return [];
  const entries: Entry[] = [];
  for (let i = 0; i < all.length; ) {
    let end = i;
    while (end < all.length && near[end] === false) end++;
    if (end - i > 1) entries.push(end - i);
    else if (end > i) entries.push(...all.slice(i, end));
    if (end === i) entries.push(...all.slice(i, ++end));
    i = end;
  }
  return entries;
}

function foldLine(count: number, digits: number, theme: Theme): Line {
  return { segments: [{ text: visibleLine(`${' '.repeat(digits)} ⋯ ${count} unchanged lines`), style: theme.styles.muted }] };
}

/** One above the other: `-` what goes, `+` what comes. Lines that were paired stand together. */
function unified(change: Change, _width: number, digits: number, theme: Theme): readonly Line[] {
  const { styles } = theme;
  if (change.same)
    return [numbered(change.after?.number ?? 0, ' ', shown(change.after?.text ?? '', styles.text), digits, styles.text, theme)];
  const [old, young] = words(change, theme);
  return [
    ...(change.before === null ? [] : [numbered(change.before.number, '-', old, digits, styles.diff_removed, theme)]),
    ...(change.after === null ? [] : [numbered(change.after.number, '+', young, digits, styles.diff_added, theme)]),
  ];
}

function numbered(number: number, sign: string, text: readonly Segment[], digits: number, style: Style, theme: Theme): Line {
  const count: Segment = { text: visibleLine(`${String(number).padStart(digits)} `), style: theme.styles.diff_number };
  const lead = [count, { text: visibleLine(`${sign} `), style }];
  const hang = [{ text: visibleLine(`${' '.repeat(digits)} ↪ `).slice(0, digits + 3) as Visible, style: theme.styles.diff_number }];
  return { lead, hang, segments: text, hard: true };
}

/** What was at the left, what will be at the right. */
function sideBySide(change: Change, width: number, digits: number, theme: Theme): readonly Line[] {
  const { styles } = theme;
  const half = Math.floor((width - 3) / 2);
  const [old, young] = change.same
    ? [shown(change.before?.text ?? '', styles.text), shown(change.after?.text ?? '', styles.text)]
    : words(change, theme);
  const side = (place: Change['before'], sign: string, text: readonly Segment[], style: Style): readonly (readonly Segment[])[] => {
    const rows: (readonly Segment[])[] = [];
    if (place !== null) {
      const line = numbered(place.number, change.same ? ' ' : sign, text, digits, change.same ? styles.text : style, theme);
      wrapLine(line, half, (segments) => rows.push(segments));
    }
    return rows;
  };
  const left = side(change.before, '-', old, styles.diff_removed);
  const right = side(change.after, '+', young, styles.diff_added);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, y) => {
    const row = left[y] ?? [];
    const fill: Segment = { text: ' '.repeat(Math.max(0, half - segmentsWidth(row))) as Visible, style: {} };
    const bar: Segment = { text: ' │ ' as Visible, style: styles.border };
    return { segments: [...row, fill, bar, ...(right[y] ?? [])].filter((part) => part.text !== ''), hard: true };
  });
}

/** Every character of a line of a file: what cannot be seen is named. */
function shown(text: string, style: Style): readonly Segment[] {
  const ended = text.endsWith(NO_END);
  const line = visible(ended ? text.slice(0, -1) : text, 'exact');
  const segments = textLines(line, style, true)[0]?.segments ?? [];
  return ended ? [...segments, { text: visibleLine('⟨no line end⟩'), style: { ...style, dim: true } }] : segments;
}

/** Both sides of a change, the words that differ marked; a line that is mostly another one has no marks. */
function words(change: Change, theme: Theme): readonly [readonly Segment[], readonly Segment[]] {
  const { styles } = theme;
  const old = shown(change.before?.text ?? '', styles.diff_removed);
  const young = shown(change.after?.text ?? '', styles.diff_added);
  if (change.before === null || change.after === null) return [old, young];
  const one = textOf(old);
  const other = textOf(young);
  if (one.length > LONGEST_LINE || other.length > LONGEST_LINE) return [old, young];
  const [a, b] = [tokens(one), tokens(other)];
  const script = editScript(a, b, MOST_WORDS);
  const kept = script.filter((edit) => edit.kept).map((edit) => a.slice(edit.from, edit.to).join(''));
  const same = kept.join('').replace(/\s/g, '').length;
  if (same * 3 < Math.max(one.replace(/\s/g, '').length, other.replace(/\s/g, '').length)) return [old, young];
  const side = (list: readonly string[], style: Style, mark: Style, of: (edit: Edit) => readonly [number, number]) =>
    script
      .map((edit): Segment => ({ text: list.slice(...of(edit)).join('') as Visible, style: edit.kept ? style : mark }))
      .filter((part) => part.text !== '');
  return [
    side(a, styles.diff_removed, styles.diff_removed_word, (edit) => [edit.from, edit.to]),
    side(b, styles.diff_added, styles.diff_added_word, (edit) => [edit.otherFrom, edit.otherTo]),
  ];
}

function textOf(segments: readonly Segment[]): string {
  return segments.map((part) => part.text).join('');
}

function tokens(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+\p{M}*|\s+|[^\p{L}\p{N}_\s]\p{M}*/gu) ?? [];
}
