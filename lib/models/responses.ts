/**
 * The Responses protocol (`POST /responses`): nothing is stored on the server and reasoning travels encrypted, unless the profile says
 * `store = true`; then a request names the answer before it and holds only what is new.
 */

import type { ModelProfile } from '../config/profiles.js';
import { type AssistantMessage, type ImagePart, type Message, wordsOf } from '../protocol/messages.js';
import { assembleResponses } from './assemble-responses.js';
import { dialectOf } from './dialects.js';
import { responseItems } from './extras.js';
import { dataUrl } from './images.js';
import { asList, asText, type JsonObject } from './json.js';
import type { ModelRequest, ToolSpec } from './provider.js';
import { sendableArguments, sendableId, sendableName } from './sendable.js';
import type { Protocol, Tuning } from './wire.js';

function callItem({ id, name, argsText }: AssistantMessage['calls'][number], profile: ModelProfile): JsonObject {
  return { type: 'function_call', call_id: sendableId(id, profile), name: sendableName(name), arguments: sendableArguments(argsText) };
}

/** With `store: false` a server can only use a reasoning item that carries its content. */
function carriesContent(item: JsonObject): boolean {
  return item['type'] !== 'reasoning' || asText(item['encrypted_content']) !== '' || asList(item['content']).length > 0;
}

/** Items that go back as they came: only of this provider, and only when text and calls are still those of the message. */
function ownItems(message: AssistantMessage, profile: ModelProfile): readonly JsonObject[] | null {
  const items = message.incomplete ? null : responseItems(profile, message);
  if (items === null) return null;
  const called = new Set(items.filter((item) => item['type'] === 'function_call').map((item) => asText(item['call_id'])));
  const same = called.size === message.calls.length && message.calls.every((call) => called.has(call.id));
  // Thoughts must stand before what they led to: those that led to nothing are refused.
  const last = items.findLastIndex((item) => item['type'] !== 'reasoning');
  if (!same || last < 0) return null;
  return items
    .slice(0, last + 1)
    .filter(carriesContent)
    .map((item) => sendableItem(item, profile));
}

/** An item as the server takes it back: a name or arguments that it would refuse must not spoil every later request. */
function sendableItem(item: JsonObject, profile: ModelProfile): JsonObject {
  const { id, ...unnamed } = item;
  const kept = dialectOf(profile).itemIds || id === undefined ? item : unnamed;
  if (item['type'] !== 'function_call') return kept;
  return {
    ...kept,
    call_id: sendableId(asText(item['call_id']), profile),
    name: sendableName(asText(item['name'])),
    arguments: sendableArguments(asText(item['arguments'])),
  };
}

function assistantItems(message: AssistantMessage, profile: ModelProfile): readonly JsonObject[] {
  const own = ownItems(message, profile);
  if (own !== null) return own;
  const text = message.text === '' ? [] : [{ role: 'assistant', content: message.text }];
  return [...text, ...message.calls.map((call) => callItem(call, profile))];
}

/** A text, and the pictures behind it; only the text when there are none. */
function content(text: string, images: readonly ImagePart[] = []): string | readonly JsonObject[] {
  if (images.length === 0) return text;
  return [
    ...(text === '' ? [] : [{ type: 'input_text', text }]),
    ...images.map((image) => ({ type: 'input_image', image_url: dataUrl(image), detail: 'auto' })),
  ];
}

function inputItems(message: Message, profile: ModelProfile): readonly JsonObject[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: content(wordsOf(message), message.images) }];
    case 'tool':
      return [
        { type: 'function_call_output', call_id: sendableId(message.callId, profile), output: content(message.text, message.images) },
      ];
    case 'assistant':
      return assistantItems(message, profile);
  }
}

function wireTool({ name, description, parameters }: ToolSpec): JsonObject {
  return { type: 'function', name, description, parameters, strict: false };
}

function body(request: ModelRequest, profile: ModelProfile, { temperature, topP }: Tuning, previousId?: string): JsonObject {
  return {
    model: profile.model,
    instructions: request.instructions,
    input: request.messages.flatMap((message) => inputItems(message, profile)),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(wireTool), tool_choice: 'auto', parallel_tool_calls: true }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(profile.reasoningEffort === null ? {} : { reasoning: { effort: profile.reasoningEffort, summary: 'auto' } }),
    ...(dialectOf(profile).cacheKey ? { prompt_cache_key: request.session } : {}),
    include: ['reasoning.encrypted_content'],
    store: profile.store,
    ...(previousId === undefined ? {} : { previous_response_id: previousId }),
    stream: true,
  };
}

/** Responses. */
export const responsesProtocol: Protocol = {
  body,
  path: '/responses',
  assembler: assembleResponses,
  wholeAnswer(json) {
    if (json['object'] !== 'response' && !Array.isArray(json['output'])) return null;
    const status = json['status'] === 'failed' || json['status'] === 'incomplete' ? json['status'] : 'completed';
    return [{ type: `response.${status}`, response: json }];
  },
};
