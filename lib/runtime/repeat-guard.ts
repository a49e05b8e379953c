/**
 * Notices that a model is stuck: it makes calls that it has made before, and they bring nothing new. A call whose result differs from the
 * one before is looked at anew, so that a program can be watched for as long as it changes.
 */

import { isTooDeep } from '../base/json-depth.js';
import type { ToolCall, ToolMessage } from '../protocol/messages.js';

/** So often in a row, or to and fro, when nothing else is said. */
const IN_A_ROW = 3;

/** Arguments that say why a call is made, not what it does. */
const ABOUT_THE_CALL: readonly string[] = ['why', 'risk', 'mutation', 'privesc'];
/** Parts of a result that differ each time. */
const OF_THE_MOMENT: readonly string[] = ['elapsed_ms', 'task', 'note', 'output_id'];
/** Characters of a call in the sentence. */
const SHOWN = 80;

/** What became of a call the last times. */
interface Seen {
  readonly result: string;
  /** The same result so often, one after the other. */
  readonly times: number;
  readonly failed: boolean;
}

/** Watches the calls of one turn. */
export class RepeatGuard {
  readonly #inARow: number;
  /** So often may one call fail in the same way, whatever is done in between. */
  readonly #sameFailures: number;
  /** So many answers in a row may bring nothing new. */
  readonly #mostNothingNew: number;
  /** By what the call does. */
  readonly #seen = new Map<string, Seen>();
  /** What each answer called, the newest last; as many as are looked at. */
  #answers: readonly string[] = [];
  #nothingNew = 0;

  /** `inARow`: so often in a row, or to and fro. */
  constructor(inARow = IN_A_ROW) {
    this.#inARow = inARow;
    this.#sameFailures = 2 * inARow;
    this.#mostNothingNew = 3 * inARow - 1;
  }

  /** After each answer's calls: what repeats, as the end of a sentence about the model, or null while there is something new. */
  heard(calls: readonly ToolCall[], results: readonly ToolMessage[]): string | null {
    const keys = calls.map(keyOf);
    const now = keys.map((key, at) => this.#hear(key, results[at]));
    this.#answers = [...this.#answers, JSON.stringify(keys)].slice(-2 * this.#inARow);
    this.#nothingNew = now.every(({ times }) => times > 1) ? this.#nothingNew + 1 : 0;
    const often = now.every(({ times }) => times >= this.#inARow);
    if (often && this.#repeats(1)) return `made the same call ${this.#inARow} times in a row with the same result: ${wordsOf(calls)}`;
    if (often && this.#nothingNew >= 2 * (this.#inARow - 1) && this.#repeats(2))
      return `went to and fro between the same two calls ${this.#inARow} times with the same results; the last was ${wordsOf(calls)}`;
    const failing = calls.filter((_call, at) => now[at]?.failed === true && now[at].times >= this.#sameFailures);
    if (failing.length > 0) return `had the same call fail ${this.#sameFailures} times in the same way: ${wordsOf(failing)}`;
    if (this.#nothingNew >= this.#mostNothingNew)
      return `only repeated earlier calls in its last ${this.#mostNothingNew} answers, with the same results; the last was ${wordsOf(calls)}`;
    return null;
  }

  #hear(key: string, message: ToolMessage | undefined): Seen {
    const before = this.#seen.get(key);
    const result = resultOf(message);
    const seen = { result, times: before?.result === result ? before.times + 1 : 1, failed: hasFailed(message) };
    this.#seen.set(key, seen);
    return seen;
  }

  /** The last answers are three rounds of so many, all alike. */
  #repeats(length: number): boolean {
    const last = this.#answers.slice(-length * this.#inARow);
    return last.length === length * this.#inARow && last.every((answer, at) => answer === last[at % length]);
  }
}

/** What a call does: its name and its arguments, in whatever order they stand. */
function keyOf({ name, argsText }: ToolCall): string {
  const args = objectIn(argsText);
  return JSON.stringify([name, args === null ? argsText : partsOf(args, ABOUT_THE_CALL)]);
}

function resultOf(message: ToolMessage | undefined): string {
  const result = envelopeOf(message);
  return JSON.stringify([message?.isError, result === null ? message?.text : partsOf(result, OF_THE_MOMENT)]);
}

/** A command that ends with another code than 0 is no fault of the tool, but has failed. */
function hasFailed(message: ToolMessage | undefined): boolean {
  return message?.isError === true || (envelopeOf(message)?.['exit_code'] ?? 0) !== 0;
}

function envelopeOf(message: ToolMessage | undefined): Readonly<Record<string, unknown>> | null {
  const result = objectIn(message?.text ?? '')?.['result'];
  return isObject(result) ? result : null;
}

function partsOf(object: Readonly<Record<string, unknown>>, without: readonly string[]): readonly (readonly [string, unknown])[] {
  return Object.entries(object)
    .filter(([name]) => !without.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  if (isTooDeep(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The calls for people: `run_shell ls -l, time`. */
function wordsOf(calls: readonly ToolCall[]): string {
  const all = calls.map(({ name, argsText }) => {
    const args = partsOf(objectIn(argsText) ?? {}, ABOUT_THE_CALL);
    const said = args.map(([, value]) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ');
    return `${name} ${said}`.replace(/\s+/g, ' ').trim();
  });
  const words = [...new Set(all)].join(', ');
  return words.length <= SHOWN ? words : `${words.slice(0, SHOWN - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
