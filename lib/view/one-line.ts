/** What may come into a line that is searched for or looked for: one line, no control character, not more than anybody reads. */

import { graphemes } from '../base/width.js';
import type { State } from './state.js';
import { withToast } from './toasts.js';

/** Characters of a line that is searched for; a person sees fewer. */
export const LONGEST_QUERY = 200;

/** C0, DEL and C1: they would end the line or begin a sequence. */
const CONTROLS = /[\x00-\x1f\x7f-\x9f]+/g;

/** True for what a key may add. */
export function isTypable(text: string): boolean {
  return text !== '' && text.search(CONTROLS) < 0;
}

/** A paste as one line. */
export function onOneLine(text: string): string {
  return text.slice(0, ENOUGH).replace(CONTROLS, ' ');
}

/** The first line of a paste that holds something. */
export function firstLine(text: string): string {
  return /[^\x00-\x1f\x7f-\x9f]+/.exec(text)?.[0].slice(0, ENOUGH) ?? '';
}

/** More of a paste is never looked at (UTF-16 units): it is far beyond the limit already. */
const ENOUGH = 20_000;

/** `query` with as much of `added` as there is room for; `cut`: not all of it. */
export function lengthened(query: string, added: string, longest = LONGEST_QUERY): { readonly query: string; readonly cut: boolean } {
  const whole = graphemes(query + added);
  return whole.length <= longest ? { query: query + added, cut: false } : { query: whole.slice(0, longest).join(''), cut: true };
}

/** Says at `nowMs` that something was left out. */
export function withCutTold(state: State, cut: boolean, nowMs: number): State {
  return cut
    ? withToast(state, `No more than ${LONGEST_QUERY} characters are searched for; the rest was left out.`, 'warning', nowMs)
    : state;
}
