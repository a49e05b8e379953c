/** Keeps secrets out of what the program writes, shows and tells. */

import { formsOf } from './secret-forms.js';

/** Stands where a secret was. */
export const MASK = '[redacted]';
/** What a kind of secret looks like when nobody told us about it. Each pattern goes once through a text, whatever stands in it. */
interface Look {
  readonly whole: RegExp;
  /** What `whole` finds is one only if it holds that, too. */
  readonly holds?: RegExp;
  /** What may still become one, where it reaches the end of a text and does not hold `done`. */
  readonly begun: RegExp;
  readonly done?: RegExp;
}

/** Key prefixes as their vendors document them. */
const LOOKS: readonly Look[] = [
  { whole: /\bsk-[A-Za-z0-9_-]{16,}/g, begun: /\bsk-[A-Za-z0-9_-]*/g },
  { whole: /\b(?:ghp|gho|ghs|ghu)_[A-Za-z0-9]{20,}/g, begun: /\bgh[posu]_[A-Za-z0-9]*/g },
  { whole: /\bAKIA[0-9A-Z]{16}\b/g, begun: /\bAKIA[0-9A-Z]{0,16}$/g },
  { whole: /\bxox[abprs]-[A-Za-z0-9-]{10,}/g, begun: /\bxox[abprs]-[A-Za-z0-9-]*/g },
  { whole: /\bBearer\s+[A-Za-z0-9._~+/=-]{12,}/gi, begun: /\bBearer\s+[A-Za-z0-9._~+/=-]*$/gi },
  {
    // Its first part is taken without the others, too, so that it is not looked through again from each place in it.
    whole: /\beyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*)?/g,
    holds: /\./,
    begun: /\beyJ[A-Za-z0-9_.-]*/g,
  },
  {
    whole: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    begun: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)|-----B[A-Z ]*-{0,4}$/g,
    done: /-----END [A-Z ]*PRIVATE KEY-----$/,
  },
];
/** So much of a known secret at the end of a text is its beginning, and no chance (characters). */
const LEAST_BEGUN = 4;
/** Stands where a secret was while others are looked for: no look of one has it. */
export const GONE = '*';

/** Replaces each secret, and nothing else, by a mask. */
export type Redactor = (text: string) => string;

/** Where a secret stands in a text, `end` behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The secrets of one run: whoever finds one out tells it, and whoever writes asks for what is left without them. */
export interface Secrets {
  /** From now on it is masked in everything that is written. */
  readonly learn: (secret: string) => void;
  readonly redact: Redactor;
  /** The secrets in `text`, in order and apart. */
  readonly find: (text: string) => readonly Span[];
  /** From where on `text` may become a secret, whatever follows; the first few characters of one are let go. */
  readonly openEnd: (text: string) => number;
}

/** `first` gives those that are known without asking for them; it is called once, when the first text is to be written. */
export function createSecrets(first: () => readonly string[]): Secrets {
  const known = new Set<string>();
  let isBegun = false;
  let search: Search | null = null;
  const current = () => {
    if (!isBegun) for (const secret of first()) known.add(secret);
    isBegun = true;
    search ??= searchFor(known);
    return search;
  };
  return {
    learn(secret) {
      if (known.has(secret)) return;
      known.add(secret);
      search = null;
    },
    redact: (text) => masked(text, current().find(text)),
    find: (text) => current().find(text),
    openEnd: (text) => current().openEnd(text),
  };
}

/** A redactor that knows these secrets by value (in four encodings) and others by their look. */
export function createRedactor(secrets: readonly string[]): Redactor {
  return createSecrets(() => secrets).redact;
}

/** `text` with a mask in the place of each of these. */
export function masked(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const pieces = spans.map(({ start }, at) => text.slice(spans[at - 1]?.end ?? 0, start));
  return `${pieces.join(MASK)}${MASK}${text.slice(spans.at(-1)?.end)}`;
}

type Search = Pick<Secrets, 'find' | 'openEnd'>;

function searchFor(secrets: Iterable<string>): Search {
  const forms = [...new Set([...secrets].flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const longest = forms[0]?.length ?? 0;
  const byFirst = new Map<string, string[]>();
  for (const form of forms) byFirst.set(form.charAt(0), [...(byFirst.get(form.charAt(0)) ?? []), form]);
  const wholes: readonly Pick<Look, 'whole' | 'holds'>[] = [...(forms.length === 0 ? [] : [{ whole: alternatives(forms) }]), ...LOOKS];

  const find = (text: string): readonly Span[] => {
    const spans: Span[] = [];
    let left = text;
    // One after the other: what is known is taken out before its surroundings are judged by their look.
    for (const { whole, holds } of wholes) {
      left = left.replace(whole, (found: string, start: number) => {
        if (holds?.test(found) === false) return found;
        spans.push({ start, end: start + found.length });
        return GONE.repeat(found.length);
      });
    }
    return apart(spans);
  };

  const openEnd = (text: string): number => {
    let from = text.length;
    for (let at = Math.max(0, text.length - longest + 1); at <= text.length - LEAST_BEGUN && at < from; at++) {
      const rest = text.slice(at);
      if (byFirst.get(text.charAt(at))?.some((form) => form.length > rest.length && form.startsWith(rest)) === true) from = at;
    }
    for (const { begun, done } of LOOKS) {
      for (const { index, 0: found } of text.matchAll(begun))
        if (index + found.length === text.length && done?.test(found) !== true) from = Math.min(from, index);
    }
    if (from === text.length) return from;
    // A secret that is whole must not be told in two pieces.
    for (const { start, end } of find(text)) if (start < from && end > from) return start;
    return from;
  };
  return { find, openEnd };
}

/** A pattern for any of these texts, the first that fits. */
function alternatives(texts: readonly string[]): RegExp {
  return new RegExp(texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
}

/** In order, with those made one that overlap. */
function apart(spans: readonly Span[]): readonly Span[] {
  const out: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last !== undefined && span.start < last.end) out[out.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else out.push(span);
  }
  return out;
}
