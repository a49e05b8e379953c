/** The lines of a file that are most like a text that does not occur in it, for the error that says so. */

import { characters } from './folded-text.js';
import type { Source } from './match.js';

/** Lines shown at most, characters of each, and lines around them. */
const MOST_LINES = 12;
const MOST_CHARACTERS = 200;
/** Times that a wanted line counts. */
const MOST_REPEATS = 8;
/** A line that shares less than this with the wanted one is not like it (0 to 1). */
const LEAST_LIKENESS = 0.4;
/** Characters of a file whose lines are compared: more would hold up the screen for seconds. */
const MOST_COMPARED = 1_000_000;

/** A sentence and these lines, each with its number; or a sentence that nothing is like it. */
export function nearestLines(source: Source, oldText: string): string {
  const file = source.characters();
  const lines = file.text.split('\n').map((line) => line.trim());
  const wanted = oldText
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((line) => characters(line).text.trim());
  const start = startOf(lines, wanted);
  if (start === null) return 'Nothing there is like it: read the file, and look whether it is the right one.';
  const first = Math.max(0, start);
  const last = Math.min(lines.length, first + Math.min(wanted.length, MOST_LINES));
  const raw = (at: number) => source.text.slice(file.lines[at]?.from ?? 0, file.lines[at]?.to ?? 0);
  const shown = Array.from({ length: last - first }, (_, i) => `${first + i + 1}| ${cut(raw(first + i))}`);
  const off = wanted.findIndex((line, i) => line !== lines[start + i]);
  const where = off < 0 ? 'They differ in blanks only.' : off > 0 && start >= 0 ? `The first line that differs is ${start + off + 1}.` : '';
  return `The nearest lines are:\n${shown.join('\n')}\n${`${where} Give "oldText" exactly as it stands there.`.trim()}`;
}

function cut(line: string): string {
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** The line where the wanted lines would begin: where most of them stand, else where the one that says most has its like. */
function startOf(lines: readonly string[], wanted: readonly string[]): number | null {
  const places = new Map<string, number[]>();
  for (const [at, line] of wanted.entries()) {
    const known = places.get(line) ?? [];
    // What is repeated says little of where it is.
    if (line !== '' && known.length < MOST_REPEATS) places.set(line, [...known, at]);
  }
  const votes = new Map<number, number>();
  for (const [at, line] of lines.entries())
    for (const offset of places.get(line) ?? []) votes.set(at - offset, (votes.get(at - offset) ?? 0) + line.length);
  const [most] = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  if (most !== undefined) return most[0];
  const key = wanted.reduce((longest, line) => (line.length > longest.length ? line : longest), '');
  const likeness = likenessTo(key);
  let best = { at: -1, score: LEAST_LIKENESS };
  let compared = 0;
  for (const [at, line] of lines.entries()) {
    compared += line.length;
    if (compared > MOST_COMPARED) break;
    const score = likeness(line);
    if (score > best.score) best = { at, score };
  }
  return best.at < 0 ? null : best.at - wanted.indexOf(key);
}

/** How much of its pairs of characters a line shares with `key` (Sørensen–Dice), 0 to 1. Long lines by their beginning. */
function likenessTo(key: string): (line: string) => number {
  const pairs = pairsOf(key.slice(0, 1000));
  const wanted = new Map<string, number>();
  for (const pair of pairs) wanted.set(pair, (wanted.get(pair) ?? 0) + 1);
  return (line) => {
    if (line.length < 2 || pairs.length === 0) return 0;
    // Lines of quite another length share little, whatever stands in them.
    if (Math.min(line.length, key.length) * 4 < Math.max(line.length, key.length)) return 0;
    const left = new Map(wanted);
    const own = pairsOf(line.slice(0, 1000));
    let shared = 0;
    for (const pair of own) {
      const count = left.get(pair) ?? 0;
      if (count === 0) continue;
      left.set(pair, count - 1);
      shared++;
    }
    return (2 * shared) / (own.length + pairs.length);
  };
}

function pairsOf(line: string): readonly string[] {
  return Array.from({ length: Math.max(0, line.length - 1) }, (_, i) => line.slice(i, i + 2));
}
