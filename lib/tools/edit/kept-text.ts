/** What is to stand in a place that was found by looking alike: of what the model left as it was, the file keeps its own bytes. */

import { characters, folded, unfolded } from './folded-text.js';

/** Longer lines are written as the model wrote them; more pairs of lines are not compared. */
const LONGEST_LINE = 5000;
const MOST_PAIRS = 1_000_000;

/** A new line: the old one that it is, the old one whose place it takes, or neither. */
interface Origin {
  readonly line: string;
  readonly old: number | null;
  readonly isSame: boolean;
}

/**
 * `newText` for the place of `standing`, which `oldText` looks like line by line. Lines of it that stand in `oldText` stay as the file has
 * them, of others their unchanged beginning and end. Each has the line end of the line that it replaces, or `lineEnd`. `indented` gives a new
 * line the indentation of the file.
 */
export function rewritten(standing: string, oldText: string, newText: string, lineEnd: string, indented = (line: string) => line): string {
  const stood = standing
    .split('\n')
    .map((line, at, { length }) => (at < length - 1 && line.endsWith('\r') ? [line.slice(0, -1), '\r\n'] : [line, '\n']));
  const old = linesOf(oldText);
  const origins = originsOf(old, linesOf(newText));
  const written = origins.map(({ line, old: at, isSame }, index) => {
    const [there = '', end = lineEnd] = at === null ? [] : (stood[at] ?? []);
    const text = at === null ? indented(line) : isSame ? there : mended(there, old[at] ?? '', line, indented);
    const isLast = index === origins.length - 1;
    return `${text}${isLast ? '' : at === null || at === stood.length - 1 ? lineEnd : end}`;
  });
  return written.join('');
}

/** The lines of a text of the model. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

/** Where each new line comes from: the longest common list of lines; changed stretches of one height are paired. */
function originsOf(old: readonly string[], fresh: readonly string[]): readonly Origin[] {
  const kept = commonLines(old, fresh);
  const origins: Origin[] = [];
  let [from, freshFrom] = [0, 0];
  for (const [to, freshTo] of [...kept, [old.length, fresh.length] as const]) {
    const isPaired = to - from === freshTo - freshFrom;
    for (let i = freshFrom; i < freshTo; i++)
      origins.push({ line: fresh[i] ?? '', old: isPaired ? from + i - freshFrom : null, isSame: false });
    if (freshTo < fresh.length) origins.push({ line: fresh[freshTo] ?? '', old: to, isSame: true });
    [from, freshFrom] = [to + 1, freshTo + 1];
  }
  return origins;
}

type Pair = readonly [old: number, fresh: number];

/** Pairs of equal lines, in order, as many as there can be. */
function commonLines(old: readonly string[], fresh: readonly string[]): readonly Pair[] {
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const head = Array.from({ length: start }, (_, i): Pair => [i, i]);
  const tail = Array.from({ length: end }, (_, i): Pair => [old.length - end + i, fresh.length - end + i]);
  const middle = longestCommon(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  return [...head, ...middle.map(([a, b]): Pair => [a + start, b + start]), ...tail];
}

function longestCommon(old: readonly string[], fresh: readonly string[]): readonly Pair[] {
  const width = fresh.length + 1;
  if (old.length * fresh.length > MOST_PAIRS) return [];
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      lengths[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < old.length && j < fresh.length; ) {
    if (old[i] === fresh[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** The new line with what the model did not change as it stands in the file. */
function mended(there: string, old: string, fresh: string, indented: (line: string) => string): string {
  const [standing, from, to] = [indentOf(there), indentOf(old), indentOf(fresh)];
  const lead = from === to ? standing : indentOf(indented(fresh));
  const bodies = [there.slice(standing.length), old.slice(from.length), fresh.slice(to.length)] as const;
  return bodies[2] === '' ? '' : `${lead}${mendedBody(...bodies)}`;
}

function mendedBody(there: string, old: string, fresh: string): string {
  if (Math.max(there.length, old.length, fresh.length) > LONGEST_LINE) return fresh;
  const [thereFolded, oldFolded, freshFolded] = [there, old, fresh].map(characters);
  if (thereFolded === undefined || oldFolded === undefined || freshFolded === undefined) return fresh;
  /** The place in the file of a place of the old line that is one of the new line too. */
  const place = (oldAt: number, freshAt: number, side: 'from' | 'to'): number | null => {
    const at = folded(oldAt, oldFolded);
    if (at === null || folded(freshAt, freshFolded) === null) return null;
    return unfolded(there, thereFolded, at, side);
  };
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  let headTo = head === 0 ? 0 : place(head, head, 'to');
  while (headTo === null) headTo = --head === 0 ? 0 : place(head, head, 'to');
  const tailAt = () => place(old.length - tail, fresh.length - tail, 'from');
  let tailFrom = tail === 0 ? there.length : tailAt();
  while (tailFrom === null || tailFrom < headTo) tailFrom = --tail <= 0 ? there.length : tailAt();
  const tailText = tail <= 0 ? '' : there.slice(tailFrom);
  return `${there.slice(0, headTo)}${fresh.slice(head, fresh.length - Math.max(0, tail))}${tailText}`;
}

/** The blanks of all sorts and tabs that a line begins with. */
export function indentOf(line: string): string {
  return /^[^\S\n\v\f\ufeff]*/.exec(line)?.[0] ?? '';
}
