/** The search in the conversation: what is searched for, which match is in front, and where one was before. Pure. */

import type { Found, Hit } from './finder.js';
import { patternOf } from './rows/find.js';
import { conversationRect } from './screen.js';
import type { Search, State } from './state.js';
import { findIn, pinned, revealing, settled, topBlock } from './viewport.js';
import type { Size } from './widget.js';

/** Are letters words to search for now? */
export function isSearching(state: State): boolean {
  return state.search?.typing === true && state.focus === 'conversation';
}

/** The line for the words is open; what is in front stays there. */
export function searchOpened(state: State): State {
  const origin = state.search?.origin ?? state.reading;
  return {
    ...state,
    focus: 'conversation',
    shownPane: 'conversation',
    search: { query: '', pattern: null, typing: true, origin, current: null },
  };
}

/** Other words: the first match from where one was on is in front, else the nearest above. */
export function searchFor(state: State, query: string): State {
  const { search } = state;
  if (search === null) return state;
  const back: State = { ...state, reading: search.origin, search: { ...search, query, pattern: patternOf(query), current: null } };
  const size = conversationRect(back);
  const hits = found(back)?.hits ?? [];
  if (size === null || hits.length === 0) return back;
  const from = topBlock(back, size);
  return inFront(back, size, hits.find((hit) => hit.block >= from) ?? hits[hits.length - 1] ?? null);
}

/** The words are settled. None: as before the search, or the last ones again. */
export function searchAccepted(state: State): State {
  const { search } = state;
  if (search === null) return state;
  if (search.query !== '') return { ...state, search: { ...search, typing: false }, lastSearch: search.query };
  if (state.lastSearch === '') return searchLeft(state);
  const again = searchFor(state, state.lastSearch);
  return again.search === null ? again : { ...again, search: { ...again.search, typing: false } };
}

/** Back to where one was. */
export function searchLeft(state: State): State {
  return state.search === null ? state : { ...state, reading: state.search.origin, search: null };
}

/** The marks go; what is read stays. */
export function searchClosed(state: State): State {
  const size = conversationRect(state);
  if (state.search === null || size === null) return { ...state, search: null };
  const next: State = { ...state, reading: pinned(state, size), search: null };
  const room = conversationRect(next) ?? size;
  return { ...next, reading: settled(next, room) };
}

/** The next match in front, or the one before; around the end it goes on at the other one. */
export function searchMoved(state: State, by: 1 | -1): State {
  const size = conversationRect(state);
  const hits = found(state)?.hits ?? [];
  if (state.search === null || size === null || hits.length === 0) return state;
  const at = indexOf(hits, state.search.current);
  const next = at < 0 ? (by > 0 ? firstFrom(hits, topBlock(state, size)) : firstFrom(hits, topBlock(state, size)) - 1) : at + by;
  return inFront(state, size, hits[(next + hits.length) % hits.length] ?? null);
}

function firstFrom(hits: readonly Hit[], block: number): number {
  const at = hits.findIndex((hit) => hit.block >= block);
  return at < 0 ? hits.length : at;
}

function inFront(state: State, size: Size, hit: Hit | null): State {
  if (state.search === null || hit === null) return state;
  const next: State = { ...state, search: { ...state.search, current: hit } };
  return { ...next, reading: revealing(next, size, hit.block, hit.key) };
}

function indexOf(hits: readonly Hit[], current: Search['current']): number {
  return current === null ? -1 : hits.findIndex((hit) => hit.block === current.block && hit.key === current.key);
}

/** What the words are found in; null while there are none. */
function found(state: State): Found | null {
  const size = conversationRect(state);
  return size === null ? null : findIn(state, size);
}

/** `3 of 17`, as the line says it; '' while there are no words. */
export function searchCount(state: State, size: Size): string {
  const all = findIn(state, size);
  if (state.search === null || all === null) return '';
  if (all.hits.length === 0) return 'not found';
  const at = indexOf(all.hits, state.search.current);
  return `${at < 0 ? '–' : at + 1} of ${all.hits.length}${all.more ? '+' : ''}`;
}
