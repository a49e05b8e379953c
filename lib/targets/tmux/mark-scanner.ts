/** Finds our own OSC 133 marks in pane bytes (FinalTerm semantic prompts) and hands on everything else untouched. */

import { randomBytes } from 'node:crypto';

/** A mark of our own shell: its nonce was right. */
export interface Mark {
  /** A prompt begins, B input may be typed, C a command starts, D it has ended, P a continuation prompt, R … E a right prompt. */
  readonly kind: 'A' | 'B' | 'C' | 'D' | 'P' | 'R' | 'E';
  /** Number of the prompt it belongs to, counted up by the shell's hooks; null in the marks of a command's own script. */
  readonly prompt: number | null;
  /** Of the command it belongs to; '' for what a person typed. */
  readonly id: string;
  /** The exit code of a D mark, or null. */
  readonly exitCode: number | null;
  /** The shell's folder when the mark told it. */
  readonly cwd: string | null;
  /** The line that a person entered, when the mark of its start told it. */
  readonly line: string | null;
}

const OPENING = Buffer.from('\x1b]133;', 'latin1');
/** A mark longer than this (bytes) is not one of ours. PATH_MAX is 4096. */
const LONGEST = 6000;
const ESC = 0x1b;
const BEL = 0x07;

/** Marks may be cut anywhere between two chunks. Marks with another nonce are plain data. */
export class MarkScanner {
  readonly #key: string;
  readonly #onData: (bytes: Buffer) => void;
  readonly #onMark: (mark: Mark) => void;
  #carry: Buffer | null = null;

  constructor(nonce: string, onData: (bytes: Buffer) => void, onMark: (mark: Mark) => void) {
    this.#key = `buddy=${nonce}`;
    this.#onData = onData;
    this.#onMark = onMark;
  }

  push(chunk: Buffer): void {
    const bytes = this.#carry === null ? chunk : Buffer.concat([this.#carry, chunk]);
    this.#carry = null;
    let start = 0;
    let at = bytes.indexOf(ESC);
    while (at >= 0) {
      const end = markEnd(bytes, at);
      if (end === 'cut') {
        this.#data(bytes.subarray(start, at));
        this.#carry = Buffer.from(bytes.subarray(at));
        return;
      }
      const mark = end === null ? null : parseMark(bytes.toString('utf8', at + OPENING.length, end - 1), this.#key);
      if (mark === null || end === null) at = bytes.indexOf(ESC, at + 1);
      else {
        this.#data(bytes.subarray(start, at));
        this.#onMark(mark);
        start = end;
        at = bytes.indexOf(ESC, end);
      }
    }
    this.#data(bytes.subarray(start));
  }

  #data(bytes: Buffer): void {
    if (bytes.length > 0) this.#onData(bytes);
  }
}

/** The offset after the BEL that ends the mark at `at`; null when none begins there; `cut` when the chunk ends too early to tell. */
function markEnd(bytes: Buffer, at: number): number | 'cut' | null {
  const here = bytes.subarray(at, at + OPENING.length);
  if (!here.equals(OPENING.subarray(0, here.length))) return null;
  if (here.length < OPENING.length) return 'cut';
  for (let end = at + OPENING.length; end < bytes.length; end++) {
    if (end - at > LONGEST) return null;
    const byte = bytes[end] ?? 0;
    if (byte === BEL) return end + 1;
    if (byte < 0x20) return null;
  }
  return bytes.length - at > LONGEST ? null : 'cut';
}

/**
 * `D;0;buddy=NONCE;n=4;id=ID;cwd=/tmp` as a Mark, or null when it is not ours. `cwd`, or `line`, comes last and may hold any character;
 * in a line `%25` is a percent sign and `%0a` a line end.
 */
function parseMark(body: string, key: string): Mark | null {
  const long = /;(cwd|line)=/.exec(body);
  const fields = body.slice(0, long?.index).split(';');
  const kind = kindOf(fields);
  if (!fields.includes(key) || kind === null) return null;
  const field = (name: string) => fields.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const code = kind === 'D' || kind === 'A' ? /^\d+$/.exec(fields[1] ?? '') : null;
  const prompt = /^\d{1,15}$/.exec(field('n'));
  return {
    kind,
    id: field('id'),
    prompt: prompt === null ? null : Number(prompt[0]),
    exitCode: code === null ? null : Number(code[0]),
    cwd: long?.[1] === 'cwd' ? body.slice(long.index + 5) : null,
    line: long?.[1] === 'line' ? body.slice(long.index + 6).replace(/%(25|0a)/g, (_, code) => (code === '25' ? '%' : '\n')) : null,
  };
}

function kindOf(fields: readonly string[]): Mark['kind'] | null {
  const [letter, part] = fields;
  if (letter === 'P') return part === 'k=s' ? 'P' : part === 'k=r' ? 'R' : part === 'k=e' ? 'E' : null;
  return letter === 'A' || letter === 'B' || letter === 'C' || letter === 'D' ? letter : null;
}

/** A new nonce, unguessable: a program that prints a mark must not be believed. */
export function markNonce(): string {
  return randomBytes(12).toString('hex');
}
