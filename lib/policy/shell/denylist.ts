/** The user's denylist, held against commands word by word and against text. */

import { posix } from 'node:path';
import type { Invocation } from './invocations.js';

/** What an entry is to a command: it, not it, or it depends on what only the shell will know. */
export type Match = 'yes' | 'no' | 'perhaps';

/** An entry that is words can be held against words; anything else (`:(){ :|:& };:`) is text. */
export function isWords(entry: string): boolean {
  return /^[\w./~=:@%+,\s-]+$/.test(entry) && entry.trim() !== '';
}

/**
 * `rm -rf /` is meant by `rm -fr /`, by `rm -r -f -- /*` and by nothing below `/`: options in any order, other words in theirs,
 * paths at any place. A last word that ends in `=` is a beginning.
 */
export function matchOf(entry: string, { name, argv }: Invocation): Match {
  const [program = '', ...wanted] = wordsOf(entry);
  if (name === '') return 'no';
  if (name !== program && !name.startsWith(`${program}.`)) return 'no';
  const given = argv.slice(1);
  const whole = given.filter((arg) => !arg.hasGaps).map((arg) => arg.text.toLowerCase());
  const open = given.filter((arg) => !arg.known).map((arg) => arg.text.toLowerCase());
  const operands = whole.filter((text) => !text.startsWith('-'));
  let perhaps = false;
  let next = 0;
  for (const word of wanted) {
    const isPlace = word.includes('/') || word === '~';
    let holds: boolean;
    if (word.startsWith('-')) holds = hasOption(whole, word);
    else if (word.endsWith('=')) holds = whole.some((text) => text.startsWith(word));
    else if (isPlace) holds = whole.some((text) => isPath(text, word));
    else holds = operands[next++] === word;
    if (holds) continue;
    // What is not known yet may still become the word; what has another known beginning may not.
    if (!open.some((text) => text === '' || word.startsWith(text) || (isPlace && isPath(text, word)))) return 'no';
    perhaps = true;
  }
  return perhaps ? 'perhaps' : 'yes';
}

function wordsOf(entry: string): readonly string[] {
  return entry.trim().toLowerCase().split(/\s+/);
}

/** `-rf` is there when both letters are, `--force` when it or `--force=x` is. */
function hasOption(texts: readonly string[], option: string): boolean {
  if (option.startsWith('--')) return texts.some((text) => text === option || text.startsWith(`${option}=`));
  if (texts.includes(option)) return true;
  const letters = texts.filter((text) => /^-[^-]/.test(text)).join('') + longs(texts);
  return [...option.slice(1)].every((letter) => letters.includes(letter));
}

/** The letters of the long options that nearly all programs share. */
function longs(texts: readonly string[]): string {
  return (texts.includes('--recursive') ? 'r' : '') + (texts.includes('--force') ? 'f' : '');
}

const LONGEST_PATH = 4096;

/** The same place, or all that is in it. */
function isPath(text: string, wanted: string): boolean {
  if (text === '' || text.length > LONGEST_PATH) return false;
  return trimmed(posix.normalize(text.replace(/\*+$/, '') || '.')) === trimmed(posix.normalize(wanted));
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** A text as several readers would see it: quotes and backslashes gone, escapes of printf and of other languages read. */
export function readings(text: string): readonly string[] {
  const joined = text.replace(/\\\n/g, '');
  const escaped = joined
    .replace(/\\x([0-9a-f]{1,2})|\\u\{?([0-9a-f]{1,6})\}?|\\0?([0-7]{3})/gi, (_, hex?: string, unicode?: string, octal?: string) =>
      character(Number.parseInt(hex ?? unicode ?? octal ?? '', octal === undefined ? 16 : 8)),
    )
    .replace(/\\[nrtvfab]/g, ' ');
  return [...new Set([joined, joined.replace(/["'\\]/g, ''), escaped.replace(/["'\\]/g, '')])];
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
