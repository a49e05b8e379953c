/** Where a conversation can be cut in two so that both parts are sound: never between a call and its result. */

import type { Message } from '../protocol/messages.js';
import { estimateTokens } from './history.js';

/** True when `messages`, which are sound, may be cut before the message at `index`. */
export function isCutPoint(messages: readonly Message[], index: number): boolean {
  return index >= 0 && index <= messages.length && messages[index]?.role !== 'tool';
}

/** Where that begins which the model has not answered yet: results it waits for, with their calls, or what the person said last. */
export function unansweredFrom(messages: readonly Message[]): number {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  const message = messages[last];
  return message?.role === 'assistant' && message.calls.length > 0 ? last : last + 1;
}

/**
 * The earliest cut that leaves at most `tailTokens` (estimated) behind it. What is unanswered always stays behind the cut, however long
 * it is. `messages` are sound (`repaired`).
 */
export function cutFor(messages: readonly Message[], tailTokens: number): number {
  let cut = unansweredFrom(messages);
  let tokens = estimateTokens(messages.slice(cut), 0);
  for (let index = cut - 1; index >= 0; index--) {
    tokens += estimateTokens(messages.slice(index, index + 1), 0);
    if (tokens > tailTokens) break;
    if (isCutPoint(messages, index)) cut = index;
  }
  return cut;
}
