/** Blocks of lines that stand in a file with another indentation than a model gives them, where it is clear how one becomes the other. */

import type { FoldedText } from './folded-text.js';
import { indentOf } from './kept-text.js';

/** A block that was found. */
export interface Block {
  /** Its first and last line, counted from 0. */
  readonly first: number;
  readonly last: number;
  /** A line of the model with the indentation of the file. */
  indented(line: string): string;
}

/** Stretches that are tried: the lines of a long file may all be the same. */
const MOST_TRIED = 50_000;

type Reindent = (indent: string) => string | null;

/**
 * The blocks of `file` that `old` is but for a uniform change of indentation that `fresh` can follow, one after the other. Lines are folded,
 * `old` is not empty.
 */
export function* blocksIn(file: FoldedText, old: readonly string[], fresh: readonly string[]): Generator<Block> {
  const { lines, text } = file;
  const bare = file.bare();
  const lineAt = (line: number) => text.slice(lines[line]?.at ?? 0, (lines[line + 1]?.at ?? text.length + 1) - 1);
  const wanted = `\n${old.map((line) => line.trimStart()).join('\n')}\n`;
  const starts = lineStarts(bare);
  const indents = fresh.filter((line) => line.trim() !== '').map(indentOf);
  let tried = 0;
  for (let at = bare.indexOf(wanted); at >= 0 && tried < MOST_TRIED; at = bare.indexOf(wanted, at + 1)) {
    tried++;
    const first = starts(at);
    const pairs = old.flatMap((line, i): readonly Pair[] => (line === '' ? [] : [[indentOf(line), indentOf(lineAt(first + i))]]));
    const reindent = reindentation(pairs, indents);
    if (reindent !== null) yield { first, last: first + old.length - 1, indented: (line) => withIndent(line, reindent) };
  }
}

/** How many line ends are before an offset, asked for with growing offsets. */
function lineStarts(text: string): (at: number) => number {
  let [line, from] = [0, 0];
  return (to) => {
    for (let next = text.indexOf('\n', from); next >= 0 && next < to; next = text.indexOf('\n', from)) {
      line++;
      from = next + 1;
    }
    return line;
  };
}

function withIndent(line: string, reindent: Reindent): string {
  const indent = indentOf(line);
  return line.trim() === '' ? '' : `${reindent(indent) ?? indent}${line.slice(indent.length)}`;
}

type Pair = readonly [old: string, file: string];

/** The one change of indentation that all pairs agree on and that says what becomes of every new line; null: there is none. */
function reindentation(pairs: readonly Pair[], fresh: readonly string[]): Reindent | null {
  const [some] = pairs;
  if (some === undefined) return null;
  const ways = [deeper(some), shallower(some), ...units(pairs)];
  return ways.find((way) => pairs.every(([old, file]) => way(old) === file) && fresh.every((indent) => way(indent) !== null)) ?? null;
}

/** Everything stands deeper by the same. */
function deeper([old, file]: Pair): Reindent {
  const more = file.endsWith(old) ? file.slice(0, file.length - old.length) : null;
  return (indent) => (more === null ? null : `${more}${indent}`);
}

/** Everything stands less deep by the same. */
function shallower([old, file]: Pair): Reindent {
  const less = old.endsWith(file) ? old.slice(0, old.length - file.length) : null;
  return (indent) => (less !== null && indent.startsWith(less) ? indent.slice(less.length) : null);
}

/**
 * Other units: tabs for so many blanks, blanks for tabs, so many blanks for so many others; counted from the edge, or from the line that
 * stands furthest left, when another one tells how the units become each other.
 */
function units(pairs: readonly Pair[]): readonly Reindent[] {
  const [least] = pairs.toSorted(([a], [b]) => a.length - b.length);
  const edge: Pair = ['', ''];
  return [edge, least ?? edge].flatMap(([oldBase, fileBase]) => {
    const other = pairs.find(([old, file]) => old !== oldBase && old.startsWith(oldBase) && file.startsWith(fileBase));
    if (other === undefined) return [];
    const unit = unitsOf(other[0].slice(oldBase.length), other[1].slice(fileBase.length));
    return unit.map(([from, to]): Reindent => {
      return (indent) => {
        const times = (indent.length - oldBase.length) / from.length;
        return Number.isInteger(times) && times >= 0 && indent === oldBase + from.repeat(times) ? fileBase + to.repeat(times) : null;
      };
    });
  });
}

/** In which units two indentations may be of the same depth: the widest first. */
function unitsOf(old: string, file: string): readonly Pair[] {
  const depths = (indent: string) => (/^(?:\t+| +)$/.test(indent) ? divisors(indent.length) : []);
  return depths(old)
    .filter((depth) => depths(file).includes(depth))
    .map((depth) => [old.slice(0, old.length / depth), file.slice(0, file.length / depth)]);
}

function divisors(width: number): readonly number[] {
  return Array.from({ length: width }, (_, i) => i + 1).filter((depth) => width % depth === 0);
}
