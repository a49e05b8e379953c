/** What the keys of the conversation do: scroll, expand, jump. The place that is read never moves by itself. */

import { graphemes } from '../../base/width.js';
import { type Step, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { isTypable, lengthened, withCutTold } from '../one-line.js';
import { lastAnswer } from '../pickers/copy.js';
import { conversationRect } from '../screen.js';
import { searchAccepted, searchClosed, searchFor, searchLeft, searchMoved, searchOpened } from '../search.js';
import type { State } from '../state.js';
import { withToast } from '../toasts.js';
import { answerStart, type Block, type BlockId, blockAt } from '../transcript.js';
import {
  atBlock,
  atStart,
  isCutOff,
  isFoldable,
  lastSeenBlock,
  pinned,
  revealing,
  scrolled,
  selectedCard,
  settled,
  topBlock,
  viewport,
} from '../viewport.js';
import type { Size } from '../widget.js';
import type { Handler } from './editor-keys.js';

function inPane(change: (state: State, size: Size) => State): Handler {
  return (state) => {
    const size = conversationRect(state);
    return step(size === null ? state : change(state, size));
  };
}

/** The conversation scrolled by rows. */
export function scrollBy(state: State, rows: number): State {
  const size = conversationRect(state);
  return size === null ? state : { ...state, reading: scrolled(state, size, rows) };
}

/** The block shown whole, or folded again; what is read stays where it is. */
export function toggled(state: State, id: BlockId): State {
  const size = conversationRect(state);
  const blocks = new Set(state.toggled);
  if (!blocks.delete(id)) blocks.add(id);
  if (size === null) return { ...state, toggled: blocks };
  const next: State = { ...state, toggled: blocks, reading: pinned(state, size) };
  return { ...next, reading: settled(next, size) };
}

/** An answer folded to its first line, or shown again; what is read stays, or becomes that line. */
export function answerToggled(state: State, start: BlockId): State {
  const size = conversationRect(state);
  const next = toggled(state, start);
  const { reading } = next;
  if (size === null || reading.kind === 'follow' || reading.block === start) return next;
  return answerStart(state.transcript, reading.block) === start ? { ...next, reading: atBlock(next, size, start) } : next;
}

/** The answer that is read: the one that was folded last while nothing was scrolled, the last that is seen at the end, else the first. */
function answerRead(state: State, size: Size): State {
  const seen = viewport(state, size).rows.map(({ block }) => answerStart(state.transcript, block));
  const isAnswer = (start: BlockId | null): start is BlockId => start !== null;
  const last = state.foldedLast?.reading === state.reading ? state.foldedLast.block : null;
  const start = last ?? (state.reading.kind === 'follow' ? seen.findLast(isAnswer) : seen.find(isAnswer));
  if (start === undefined) return state;
  const next = answerToggled(state, start);
  return { ...next, foldedLast: { block: start, reading: next.reading } };
}

function expandAll(state: State): State {
  const next: State = { ...state, expandAll: !state.expandAll, toggled: new Set() };
  const size = conversationRect(state);
  if (size === null || state.reading.kind === 'follow') return next;
  return { ...next, reading: pinned(state, size) };
}

function card(state: State, by: 1 | -1, size: Size): State {
  const from = selectedCard(state);
  for (let id = from + by; id >= state.foldedBefore && id < state.transcript.length; id += by) {
    const block = blockAt(state.transcript, id);
    if (block === undefined || block.kind === 'user' || !isFoldable(block)) continue;
    const next: State = { ...state, selected: id };
    return { ...next, reading: atBlock(next, size, id) };
  }
  return state;
}

/** To a prompt that begins above the top row, or below it. */
function prompt(state: State, by: 1 | -1, size: Size): State {
  const from = topBlock(state, size);
  // The one at the top counts as above when its first row is out of sight.
  const start = by < 0 && isCutOff(state, size) ? from : from + by;
  for (let id = start; id >= 0 && id < state.transcript.length; id += by) {
    if (blockAt(state.transcript, id)?.kind === 'user') return { ...state, reading: atBlock(state, size, id) };
  }
  return by > 0 ? { ...state, reading: { kind: 'follow' } } : state;
}

/** The last error above the one that was shown last, or the last of all. */
function error(state: State, nowMs: number): Step {
  const size = conversationRect(state);
  if (size === null) return step(state);
  const before = state.shownError !== null && state.reading === state.shownError.reading ? state.shownError.block : state.transcript.length;
  let id = before - 1;
  while (id >= 0 && !isError(blockAt(state.transcript, id))) id--;
  if (id < 0) {
    const text = before < state.transcript.length ? 'There is no error before this one.' : 'There is no error.';
    return step(withToast(state, text, 'info', nowMs));
  }
  const chosen: State = { ...state, selected: blockAt(state.transcript, id)?.kind === 'tool' ? id : state.selected };
  const reading = revealing(chosen, size, id, 0);
  return step({ ...chosen, reading, shownError: { block: id, reading } });
}

function isError(block: Block | undefined): boolean {
  if (block?.kind === 'tool') return block.status === 'failed';
  return block?.kind === 'notice' && block.level === 'error';
}

function promptsBefore(state: State, end: BlockId): readonly BlockId[] {
  const prompts: BlockId[] = [];
  for (let id = 0; id < end; id++) if (blockAt(state.transcript, id)?.kind === 'user') prompts.push(id);
  return prompts;
}

/** All before the prompt that is read becomes an outline, or is shown again. */
function foldBefore(state: State, size: Size): State {
  const last = lastSeenBlock(state, size);
  let id = last;
  while (id > 0 && blockAt(state.transcript, id)?.kind !== 'user') id--;
  const foldedBefore = state.foldedBefore > 0 ? 0 : id;
  const foldedPrompts = promptsBefore(state, foldedBefore);
  if (state.reading.kind === 'follow') return { ...state, foldedBefore, foldedPrompts };
  const next: State = { ...state, reading: pinned(state, size), foldedBefore, foldedPrompts };
  const reading = next.foldedBefore > topBlock(state, size) ? atBlock(next, size, next.foldedBefore) : next.reading;
  return { ...next, reading: reading.kind === 'follow' ? reading : settled({ ...next, reading }, size) };
}

function copy(state: State, nowMs: number): Step {
  const text = lastAnswer(state.transcript);
  return text === '' ? step(withToast(state, 'There is no answer to copy yet.', 'warning', nowMs)) : step(state, { type: 'copy', text });
}

/** The letters of a key, or a line that was pasted, while words to search for are typed: as far as there is room. */
export function searchTyped(state: State, text: string, nowMs: number): State {
  const { search } = state;
  if (search === null || !isTypable(text)) return state;
  const { query, cut } = lengthened(search.query, text);
  return searchFor(withCutTold(state, cut, nowMs), query);
}

function searchErased(state: State): State {
  const query = state.search?.query ?? '';
  return query === '' ? searchLeft(state) : searchFor(state, graphemes(query).slice(0, -1).join(''));
}

/** The ids this file answers for. */
export type ConversationAction = Extract<ActionId, `conversation.${string}` | `search.${string}` | 'expandAll'>;

/** What each of them does. */
export const conversationHandlers: Readonly<Record<ConversationAction, Handler>> = {
  'conversation.up': (state) => step(scrollBy(state, -1)),
  'conversation.down': (state) => step(scrollBy(state, 1)),
  'conversation.pageUp': inPane((state, size) => ({ ...state, reading: scrolled(state, size, -Math.max(1, size.rows - 2)) })),
  'conversation.pageDown': inPane((state, size) => ({ ...state, reading: scrolled(state, size, Math.max(1, size.rows - 2)) })),
  'conversation.start': inPane((state, size) => ({ ...state, reading: atStart(state, size) })),
  'conversation.end': (state) => step({ ...state, reading: { kind: 'follow' } }),
  'conversation.nextCard': inPane((state, size) => card(state, 1, size)),
  'conversation.previousCard': inPane((state, size) => card(state, -1, size)),
  'conversation.toggle': (state) => {
    const id = selectedCard(state);
    return step(id < 0 ? state : toggled(state, id));
  },
  'conversation.foldAnswer': inPane(answerRead),
  'conversation.previousPrompt': inPane((state, size) => prompt(state, -1, size)),
  'conversation.nextPrompt': inPane((state, size) => prompt(state, 1, size)),
  'conversation.copy': copy,
  'conversation.error': error,
  'conversation.foldBefore': inPane(foldBefore),
  'search.open': (state) => step(searchOpened(state)),
  'search.accept': (state) => step(searchAccepted(state)),
  'search.leave': (state) => step(searchLeft(state)),
  'search.close': (state) => step(searchClosed(state)),
  'search.erase': (state) => step(searchErased(state)),
  'search.clear': (state) => step(searchFor(state, '')),
  'search.next': (state) => step(searchMoved(state, 1)),
  'search.previous': (state) => step(searchMoved(state, -1)),
  expandAll: (state) => step(expandAll(state)),
};
