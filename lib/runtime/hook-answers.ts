/** What hooks answered, checked: extensions are programs of others. Each of these throws a sentence about an answer that has another shape. */

import type { HookAnswers, HookPoint } from './hooks.js';

type Fields = Readonly<Record<string, unknown>>;

/** The longest text that a hook may put somewhere (characters). */
const LONGEST = 256 * 1024;

/** The answer at that point; null: nothing is to be changed. Throws an Error that says what it has to be. */
export function answerAt<P extends HookPoint>(point: P, answer: unknown): HookAnswers[P] {
  if (answer === undefined || answer === null) return null as HookAnswers[P];
  if (typeof answer !== 'object' || Array.isArray(answer)) throw new Error(`its ${point} hook answered with something else than an object`);
  return readers[point](answer as Fields) as HookAnswers[P];
}

const readers: { readonly [P in HookPoint]: (answer: Fields) => HookAnswers[P] } = {
  session_start: () => null,
  session_end: () => null,
  after_prompt: () => null,
  before_prompt(answer) {
    const text = said(optional(answer, 'text', 'before_prompt'), 'before_prompt');
    const context = optional(answer, 'context', 'before_prompt');
    return text === null && context === null ? null : { ...(text === null ? {} : { text }), ...(context === null ? {} : { context }) };
  },
  context(answer) {
    const { replace } = answer;
    if (replace === undefined) return null;
    if (!Array.isArray(replace)) throw wrong('context', 'replace', 'a list of {index, text}');
    return {
      replace: replace.map((entry: unknown) => {
        const { index, text } = (typeof entry === 'object' && entry !== null ? entry : {}) as Fields;
        if (typeof index !== 'number' || !Number.isInteger(index) || typeof text !== 'string')
          throw wrong('context', 'replace', 'a list of {index, text}');
        return { index, text: said(short(text, 'context'), 'context') };
      }),
    };
  },
  before_request(answer) {
    const system = optional(answer, 'system', 'before_request');
    return system === null ? null : { system };
  },
  before_tool_call(answer) {
    const block = optional(answer, 'block', 'before_tool_call');
    if (block !== null) return { block };
    const { args } = answer;
    if (args === undefined) return null;
    if (typeof args !== 'object' || args === null || Array.isArray(args)) throw wrong('before_tool_call', 'args', 'an object');
    return { args: args as Fields };
  },
  after_tool_call(answer) {
    if (!('result' in answer)) return null;
    const { result, isError } = answer;
    return { result, ...(typeof isError === 'boolean' ? { isError } : {}) };
  },
  compaction(answer) {
    const cancel = optional(answer, 'cancel', 'compaction');
    if (cancel !== null) return { cancel };
    const summary = said(optional(answer, 'summary', 'compaction'), 'compaction');
    return summary === null ? null : { summary };
  },
};

function optional(answer: Fields, name: string, point: HookPoint): string | null {
  const value = answer[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw wrong(point, name, 'a text');
  return short(value, point);
}

/** A message without a word is refused by servers, and one that is kept with every request from then on. */
function said<T extends string | null>(text: T, point: HookPoint): T {
  if (text === null || text.trim() !== '') return text;
  throw new Error(`its ${point} hook answered with a text that says nothing`);
}

function short(text: string, point: HookPoint): string {
  if (text.length <= LONGEST) return text;
  throw new Error(`its ${point} hook answered with more than ${LONGEST / 1024} KiB`);
}

function wrong(point: HookPoint, name: string, what: string): Error {
  return new Error(`its ${point} hook answered with "${name}" that is not ${what}`);
}
