/** The conversation as it may be sent: whole call and result pairs, within the model's window. */

import type { AssistantMessage, ImagePart, Message, ToolMessage } from '../protocol/messages.js';
import { toolEnvelope } from './envelope.js';
import { imageTokens } from './image-tokens.js';

/** The answer that stands in for one that never came. */
export function syntheticResult(call: { readonly id: string; readonly name: string }, reason: string, nowMs: number): ToolMessage {
  return { role: 'tool', callId: call.id, name: call.name, text: toolEnvelope({ error: reason }, nowMs), isError: true };
}

/**
 * Messages that every provider accepts: each call has exactly one result right after its message, no result stands alone,
 * and no assistant message is empty. What is sound already comes back unchanged.
 */
export function repaired(messages: readonly Message[], nowMs: number): readonly Message[] {
  const results = new Map<string, ToolMessage>();
  for (const message of messages) {
    if (message.role === 'tool' && !results.has(message.callId)) results.set(message.callId, message);
  }
  const out: Message[] = [];
  for (const message of messages) {
    if (message.role === 'tool') continue;
    if (message.role === 'assistant' && message.calls.length === 0 && message.text.trim() === '') {
      out.push({ ...message, text: message.incomplete ? '(interrupted)' : '(no answer)' });
      continue;
    }
    out.push(message);
    if (message.role !== 'assistant') continue;
    for (const call of message.calls) {
      out.push(results.get(call.id) ?? syntheticResult(call, 'There is no result: the call was interrupted.', nowMs));
    }
  }
  return out;
}

/** Characters a message costs, with a little for its frame (seed: 16 each). */
export function charactersOf(message: Message): number {
  if (message.role !== 'assistant') return message.text.length + 16 + attachedCharacters(message);
  return message.text.length + message.calls.reduce((sum, call) => sum + call.name.length + call.argsText.length + 16, 16);
}

/** What came with it, pictures as the text that would cost as much. */
function attachedCharacters(message: Exclude<Message, AssistantMessage>): number {
  const images = (message.images ?? []).reduce((sum: number, image: ImagePart) => sum + 4 * imageTokens(image), 0);
  const texts = message.role === 'user' ? (message.attached ?? []) : [];
  return texts.reduce((sum, { text }) => sum + text.length + 2, images);
}

/** Tokens that text of so many characters is worth, uncorrected (chars/4). */
export function estimateTokens(messages: readonly Message[], fixedCharacters: number): number {
  const characters = messages.reduce((sum, message) => sum + charactersOf(message), fixedCharacters);
  return Math.ceil(characters / 4);
}

/** What is kept of an answer that ended early. */
export function partialAnswer(text: string, reasoning: string): AssistantMessage {
  return { role: 'assistant', text, reasoning, calls: [], extras: {}, incomplete: true };
}
