/** What a model may have meant by the texts of an edit, the nearest first. */

import { withNamesUndone } from '../../base/visible.js';
import { linesOf } from './kept-text.js';

/** What is looked for, and what is put there. */
export interface Wanted {
  readonly old: string;
  readonly fresh: string;
  /** It must begin where a line begins, or end where one ends. */
  readonly startsLine?: boolean;
  readonly endsLine?: boolean;
  /** The line that it must begin in, counted from 1. */
  readonly line?: number;
}

/** The readings of one edit. */
export interface Readings {
  /** As they are given, and with names of characters undone. */
  readonly given: readonly Wanted[];
  /** The same with LF for all line ends. */
  readonly bare: readonly Wanted[];
  /** The same, and without what may stand around the lines of a file: empty lines, numbers. None is blank. */
  readonly loose: readonly Wanted[];
}

/** What may be meant. */
export function readingsOf(oldText: string, newText: string): Readings {
  const exact: Wanted = { old: oldText, fresh: newText };
  const given = [exact, ...withoutNames(exact)];
  const bare = given.toReversed().map((wanted) => ({ old: linesOf(wanted.old).join('\n'), fresh: wanted.fresh }));
  const loose = [...bare, ...bare.flatMap(withoutEdges), ...bare.flatMap(withoutNumbers)].filter(({ old }) => old.trim() !== '');
  return { given, bare, loose };
}

/** What cannot be seen was told to the model by name. */
function withoutNames({ old, fresh }: Wanted): readonly Wanted[] {
  const undone = withNamesUndone(old);
  return undone === old ? [] : [{ old: undone, fresh: withNamesUndone(fresh) }];
}

/** Without the line ends that both texts have around them: what is left has to be whole lines all the same. */
function withoutEdges({ old, fresh }: Wanted): readonly Wanted[] {
  const lines = linesOf(fresh).join('\n');
  const before = Math.min(endsBefore(old), endsBefore(lines));
  const after = Math.min(endsAfter(old.slice(before)), endsAfter(lines.slice(before)));
  const inner = (text: string) => text.slice(before, text.length - after);
  return before + after === 0 ? [] : [{ old: inner(old), fresh: inner(lines), startsLine: before > 0, endsLine: after > 0 }];
}

function endsBefore(text: string): number {
  return /^\n*/.exec(text)?.[0].length ?? 0;
}

function endsAfter(text: string): number {
  let count = 0;
  while (text[text.length - 1 - count] === '\n') count++;
  return count;
}

/** As grep and other tools number lines. */
const NUMBERED = /^ *(\d{1,9})(?:→|\t|: ?| ?\| ?)/;

/** Without numbers of lines, where they count on; it must begin with the line that they say. */
function withoutNumbers({ old, fresh }: Wanted): readonly Wanted[] {
  const lines = old.replace(/\n$/, '').split('\n');
  const numbers = lines.map((line) => NUMBERED.exec(line)?.[1]);
  const first = Number(numbers[0]);
  if (numbers.some((number, at) => number === undefined || Number(number) !== first + at)) return [];
  const bare = (text: string) => text.replace(new RegExp(NUMBERED, 'gm'), '');
  const isNumbered = fresh.split('\n').every((line) => line === '' || NUMBERED.test(line));
  return [{ old: bare(old), fresh: isNumbered ? bare(fresh) : fresh, line: first, startsLine: true, endsLine: true }];
}
