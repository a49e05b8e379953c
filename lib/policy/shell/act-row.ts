/** How a row says which commands it is about. */

import type { Argument } from './argument.js';
import { subcommandOf } from './readers.js';

/** Is that what the program does, told so? `words` are the texts of `args`. */
export type ActTest = (words: readonly string[], args: readonly Argument[]) => boolean;

/** An act that is asked about in every mode. */
export interface ActRow {
  readonly programs: ReadonlySet<string> | RegExp;
  /** The reason that people are told: a sentence without a full stop. */
  readonly says: string;
  /** Left out: whatever it is told. */
  readonly when?: ActTest;
}

/** Names, separated by blanks. */
export function names(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** One of the words looks like that. */
export function some(pattern: RegExp): ActTest {
  return (words) => words.some((word) => pattern.test(word));
}

/** None of the words looks like that. */
export function none(pattern: RegExp): ActTest {
  return (words) => !words.some((word) => pattern.test(word));
}

/** The subcommand looks like that. */
export function verb(pattern: RegExp): ActTest {
  return (words) => pattern.test(subcommandOf(words));
}

/** Each of the tests. */
export function both(...tests: readonly ActTest[]): ActTest {
  return (words, args) => tests.every((test) => test(words, args));
}
