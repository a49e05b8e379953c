/** The grammar of normal and visual mode: keys become a command, or are the beginning of one. */

import type { Command, Target } from './model.js';
import { motions } from './motions.js';
import { objectKeys } from './objects.js';

/** What some keys are so far. */
export type Parsed = { readonly kind: 'more' } | { readonly kind: 'nothing' } | { readonly kind: 'whole'; readonly command: Command };

/** Operators: in normal mode a target follows. */
export const operators: readonly string[] = ['d', 'c', 'y', 'g~', 'gu', 'gU'];
/** Commands of normal mode that stand alone. */
const normalCommands = [
  'i',
  'a',
  'I',
  'A',
  'o',
  'O',
  'x',
  'X',
  's',
  'S',
  'D',
  'C',
  'Y',
  'p',
  'P',
  'u',
  'C-r',
  'J',
  'gJ',
  '~',
  '.',
  'R',
  'v',
  'V',
];
/** Commands of the visual modes besides the operators. */
const visualCommands = ['x', 'X', 's', 'S', 'D', 'C', 'R', 'Y', 'J', 'gJ', 'p', 'P', 'u', 'U', '~', 'v', 'V', 'o', 'O'];
/** A character follows. */
const withArgument = ['f', 'F', 't', 'T'];

const more: Parsed = { kind: 'more' };
const nothing: Parsed = { kind: 'nothing' };

/** Keys that are read one by one. */
class Reader {
  #at = 0;
  readonly #keys: readonly string[];

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  get done(): boolean {
    return this.#at >= this.#keys.length;
  }

  next(): string {
    return this.#keys[this.#at++] ?? '';
  }

  /** A number that does not begin with 0. */
  count(): number | null {
    let digits = '';
    while (/^[0-9]$/.test(this.#keys[this.#at] ?? '') && (digits !== '' || this.#keys[this.#at] !== '0')) digits += this.next();
    return digits === '' ? null : Math.min(MOST, Number(digits));
  }

  /** A key, or two that belong together. '' when the second one is not there yet. */
  word(): string {
    const first = this.next();
    if (first !== 'g') return first;
    return this.done ? '' : first + this.next();
  }
}

/** No command is done more often than this: a slip must not hang the draft. */
const MOST = 9999;

/** What `keys` are in normal mode, or in a visual one. */
export function parse(keys: readonly string[], visual: boolean): Parsed {
  const read = new Reader(keys);
  const count = read.count();
  if (read.done) return more;
  const key = read.word();
  if (key === '') return more;
  if (key === 'r' || withArgument.includes(key)) {
    if (read.done) return more;
    return whole({ count, key, target: null, arg: read.next() });
  }
  if (visual && (key === 'i' || key === 'a')) {
    if (read.done) return more;
    const what = read.next();
    return objectKeys.includes(what) ? whole({ count, key: key + what, target: null, arg: '' }) : nothing;
  }
  const alone = visual ? visualCommands : normalCommands;
  if (alone.includes(key) || (visual && operators.includes(key)) || key in motions) return whole({ count, key, target: null, arg: '' });
  return operators.includes(key) ? operatorOf(read, key, count) : nothing;
}

function operatorOf(read: Reader, key: string, before: number | null): Parsed {
  const behind = read.count();
  if (read.done) return more;
  const count = before === null ? behind : behind === null ? before : Math.min(MOST, before * behind);
  const target = targetOf(read, key);
  return target === 'more' ? more : target === null ? nothing : whole({ count, key, target, arg: '' });
}

function targetOf(read: Reader, operator: string): Target | 'more' | null {
  const key = read.word();
  if (key === '') return 'more';
  // "guu" as well as "gugu".
  if (key === operator || (operator.length === 2 && key === operator.charAt(1))) return { kind: 'lines' };
  if (key === 'i' || key === 'a') {
    if (read.done) return 'more';
    const what = read.next();
    return objectKeys.includes(what) ? { kind: 'object', key: key + what } : null;
  }
  if (withArgument.includes(key)) return read.done ? 'more' : { kind: 'motion', key, arg: read.next() };
  return key in motions ? { kind: 'motion', key, arg: '' } : null;
}

function whole(command: Command): Parsed {
  return { kind: 'whole', command };
}
