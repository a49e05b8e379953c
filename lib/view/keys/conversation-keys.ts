/** What the keys of the conversation do: scroll, expand, jump. The place that is read never moves by itself. */

import { type Step, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { lastAnswer } from '../pickers/copy.js';
import { conversationRect } from '../screen.js';
import type { State } from '../state.js';
import { withToast } from '../toasts.js';
import { type BlockId, blockAt } from '../transcript.js';
import { atBlock, atStart, pinned, scrolled, selectedCard, settled } from '../viewport.js';
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

function expandAll(state: State): State {
  const next: State = { ...state, expandAll: !state.expandAll, toggled: new Set() };
  const size = conversationRect(state);
  if (size === null || state.reading.kind === 'follow') return next;
  return { ...next, reading: pinned(state, size) };
}

function card(state: State, by: 1 | -1, size: Size): State {
  const from = selectedCard(state);
  for (let id = from + by; id >= 0 && id < state.transcript.length; id += by) {
    if (blockAt(state.transcript, id)?.kind !== 'tool') continue;
    const next: State = { ...state, selected: id };
    return { ...next, reading: atBlock(next, size, id) };
  }
  return state;
}

function prompt(state: State, by: 1 | -1, size: Size): State {
  const from = state.reading.kind === 'at' ? state.reading.block : state.transcript.length;
  for (let id = from + by; id >= 0 && id < state.transcript.length; id += by) {
    if (blockAt(state.transcript, id)?.kind === 'user') return { ...state, reading: atBlock(state, size, id) };
  }
  return state;
}

function copy(state: State, nowMs: number): Step {
  const text = lastAnswer(state.transcript);
  return text === '' ? step(withToast(state, 'There is no answer to copy yet.', 'warning', nowMs)) : step(state, { type: 'copy', text });
}

/** The ids this file answers for. */
export type ConversationAction = Extract<ActionId, `conversation.${string}` | 'expandAll'>;

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
  'conversation.previousPrompt': inPane((state, size) => prompt(state, -1, size)),
  'conversation.nextPrompt': inPane((state, size) => prompt(state, 1, size)),
  'conversation.copy': copy,
  expandAll: (state) => step(expandAll(state)),
};
