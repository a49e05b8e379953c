/** Keys of the page of `/usage`: the rows of the keymap, and what they do. */

import { type Step, step } from '../effects.js';
import type { State } from '../state.js';
import { usageTop } from '../widgets/usage.js';

/** For the keymap. */
export const usageRows = [
  { id: 'usage.close', keys: ['escape', 'q', 'enter', 'C-c'], context: 'usage', says: 'close the page', hint: 'close' },
  { id: 'usage.up', keys: ['up', 'k'], context: 'usage', says: 'up a row', hint: 'scroll' },
  { id: 'usage.down', keys: ['down', 'j'], context: 'usage', says: 'down a row' },
  { id: 'usage.pageUp', keys: ['pageup'], context: 'usage', says: 'up a page' },
  { id: 'usage.pageDown', keys: ['pagedown', 'space'], context: 'usage', says: 'down a page' },
  { id: 'usage.start', keys: ['home', 'g'], context: 'usage', says: 'to the start' },
  { id: 'usage.end', keys: ['end', 'G'], context: 'usage', says: 'to the end' },
] as const;

/** The ids this file answers for. */
export type UsageAction = (typeof usageRows)[number]['id'];

/** Rows that a page key moves by. */
const PAGE = 10;

/** The page moved by so many rows. */
export function scrollUsage(state: State, by: number): State {
  if (state.usage.page === null) return state;
  return withTop(state, Math.max(0, usageTop(state) + by));
}

/** More than there are ends at the last row. */
function withTop(state: State, wanted: number): State {
  const asked: State = { ...state, usage: { ...state.usage, page: { top: wanted } } };
  const top = usageTop(asked);
  return top === state.usage.page?.top ? state : { ...state, usage: { ...state.usage, page: { top } } };
}

function scroll(by: number): (state: State) => Step {
  return (state) => step(scrollUsage(state, by));
}

/** What each of them does. */
export const usageHandlers: Readonly<Record<UsageAction, (state: State) => Step>> = {
  'usage.close': (state) => step({ ...state, usage: { ...state.usage, page: null } }),
  'usage.up': scroll(-1),
  'usage.down': scroll(1),
  'usage.pageUp': scroll(-PAGE),
  'usage.pageDown': scroll(PAGE),
  'usage.start': (state) => step(withTop(state, 0)),
  'usage.end': (state) => step(withTop(state, Number.MAX_SAFE_INTEGER)),
};
