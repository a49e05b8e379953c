/** What a draft would bring along by `@`: asked for as its mentions change, and shown before it is sent. Pure. */

import { mentionsIn } from '../protocol/mentions.js';
import type { ToldMentions } from './attachment-words.js';
import { isSlash } from './completion.js';
import { joined } from './editor/text.js';
import { type Step, send, step } from './effects.js';
import type { State } from './state.js';

/** The step that asks about other mentions than before, or null when all is as it should be. */
export function broughtWanted(state: State): Step | null {
  const text = mentionsOf(state);
  if (text === (state.brought?.text ?? '')) return null;
  const ask = send({ type: 'mentions.tell', text });
  // What was known stays until more is: a row that comes and goes would move the draft.
  return step({ ...state, brought: text === '' ? null : { text, told: state.brought?.told ?? null } }, ask);
}

/** The state with the answer; one to another question is dropped. */
export function withBrought(state: State, told: ToldMentions): State {
  return state.brought?.text === told.text ? { ...state, brought: { text: told.text, told } } : state;
}

/** The state whose mentions are asked about once more: another model takes other things. */
export function askedAnew(state: State): State {
  return state.brought === null ? state : { ...state, brought: { ...state.brought, text: '' } };
}

/** The mentions as they stand in the draft, with a blank between; '' when it holds none, or is no prompt. */
function mentionsOf(state: State): string {
  const { text } = state.editor;
  return state.layouts.remember('mentions', [text.lines, state.answering], () => {
    if (state.answering !== null) return '';
    // What was pasted and folded away brings nothing along: it is not the person's own words.
    const draft = joined(text);
    if (!draft.includes('@') || isSlash(draft) || draft.startsWith('!')) return '';
    return mentionsIn(draft)
      .map(({ raw }) => raw)
      .join(' ');
  });
}
