/** A pattern as models write it (the dialect of ripgrep), in the words of grep -E (POSIX, XBD 9.4): what a line matches stays the same. */

import { fault } from '../arguments.js';

/** For `grep -E`; `ignoreCase` when the pattern itself asks for it. */
export interface ExtendedPattern {
  readonly pattern: string;
  readonly ignoreCase: boolean;
}

const CLASSES: Readonly<Record<string, string>> = { d: '0-9', w: '[:alnum:]_', s: '[:space:]', h: '[:blank:]' };
const CHARACTERS: Readonly<Record<string, string>> = { t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07', e: '\x1b' };
const SPECIAL = /[.[\]()*+?{}|^$\\]/;

/** Throws `tool.arguments` for what grep has no words for. */
export function extendedPattern(pattern: string): ExtendedPattern {
  const flag = /^\(\?i\)/.exec(pattern)?.[0] ?? '';
  const reader = new PatternReader(pattern.slice(flag.length));
  return { pattern: reader.whole(), ignoreCase: flag !== '' };
}

function unable(what: string): Error {
  return fault(
    `"pattern" holds ${what}, which can only be searched for with ripgrep, or not at all; write it in another way, or set "literal"`,
  );
}

class PatternReader {
  readonly #text: string;
  #at = 0;
  #out = '';

  constructor(text: string) {
    this.#text = text;
  }

  whole(): string {
    while (this.#at < this.#text.length) this.#next();
    return this.#out;
  }

  /** What comes next, if `known` fits here. */
  #take(known: RegExp): RegExpExecArray | null {
    known.lastIndex = this.#at;
    const found = known.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #next(): void {
    if (this.#take(/\\/y) !== null) this.#out += this.#escaped();
    else if (this.#take(/\[/y) !== null) this.#out += this.#set();
    else if (this.#take(/\(\?(?::|P?<\w+>)/y) !== null) this.#out += '(';
    else if (this.#take(/\(\?/y) !== null) throw unable('look-around or flags');
    else if (this.#repeated()) return;
    else this.#out += this.#take(/./suy)?.[0] ?? '';
  }

  /** A line that fits lazily fits greedily. A brace that counts nothing is a brace. */
  #repeated(): boolean {
    const found = this.#take(/([*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (found !== null) this.#out += found[1] ?? '';
    else if (this.#take(/\{/y) !== null) this.#out += '\\{';
    else if (this.#take(/\}/y) !== null) this.#out += '}';
    else return false;
    return true;
  }

  #escaped(): string {
    const code = this.#code();
    if (code !== null) return literal(code);
    const character = this.#take(/./suy)?.[0] ?? '';
    const known = CLASSES[character];
    if (known !== undefined) return `[${known}]`;
    const not = CLASSES[character.toLowerCase()];
    if (not !== undefined) return `[^${not}]`;
    if (character === 'A') return '^';
    if (character === 'z' || character === 'Z') return '$';
    if (/[bB<>]/.test(character)) return `\\${character}`;
    return literal(CHARACTERS[character] ?? plain(character));
  }

  /** A character by its number; null: none stands here. */
  #code(): string | null {
    const found = this.#take(/x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|[xu]\{([0-9A-Fa-f]{1,6})\}/y);
    const number = Number.parseInt(found?.[1] ?? found?.[2] ?? found?.[3] ?? '', 16);
    if (found === null) return null;
    if (number === 0 || number === 10 || number > 0x10ffff) throw unable('a character that no line has');
    return String.fromCodePoint(number);
  }

  /** `]` first, `-` last and no backslash: as POSIX has it. */
  #set(): string {
    const not = this.#take(/\^/y) === null ? '' : '^';
    const members: string[] = [];
    const ends = { close: false, open: false, caret: false, dash: false, backslash: false };
    const add = (character: string, isRange: boolean) => {
      if (isRange || !/[\][^\\-]/.test(character)) members.push(character);
      else if (character === ']') ends.close = true;
      else if (character === '[') ends.open = true;
      else if (character === '^') ends.caret = true;
      else if (character === '-') ends.dash = true;
      else ends.backslash = true;
    };
    for (let isFirst = true; ; isFirst = false) {
      if (this.#at >= this.#text.length) throw fault('"pattern" has a [ without its ]');
      if (!isFirst && this.#take(/\]/y) !== null) break;
      const named = this.#take(/\[:\^?[a-z]+:\]/y);
      if (named !== null) members.push(named[0]);
      else if (this.#take(/&&|--|~~/y) !== null) throw unable('sets that are computed');
      else {
        const member = this.#member();
        if (member.length > 1 && /^(?:0-9|\[:)/.test(member)) members.push(member);
        else if (this.#take(/-(?!\])/y) === null) add(member, false);
        else members.push(range(member, this.#member()));
      }
    }
    const first = `${ends.close ? ']' : ''}${members.join('')}${ends.backslash ? '\\' : ''}${ends.open ? '[' : ''}`;
    const last = `${ends.caret ? '^' : ''}${ends.dash ? '-' : ''}`;
    // A caret alone would say not.
    return not === '' && first === '' && ends.caret ? (ends.dash ? '[-^]' : '\\^') : `[${not}${first}${last}]`;
  }

  #member(): string {
    if (this.#take(/\\/y) === null) return this.#take(/./suy)?.[0] ?? '';
    const code = this.#code();
    if (code !== null) return code;
    const character = this.#take(/./suy)?.[0] ?? '';
    return CLASSES[character] ?? CHARACTERS[character] ?? plain(character);
  }
}

function range(from: string, to: string): string {
  if (/^[\][\\-]$/.test(from) || /^[\][\\-]$/.test(to)) throw unable('a range with brackets');
  return `${from}-${to}`;
}

function literal(character: string): string {
  return SPECIAL.test(character) && !/[\]}]/.test(character) ? `\\${character}` : character;
}

/** Behind a backslash, only punctuation is itself. */
function plain(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) throw unable(`\\${character}`);
  if (character === '') throw fault('"pattern" ends in a backslash');
  return character;
}
