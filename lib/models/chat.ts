/** The chat completions protocol (`POST /chat/completions`), as OpenAI defined it and everybody bends it. */

import type { ModelProfile } from '../config/profiles.js';
import { type AssistantMessage, type ImagePart, type Message, type ToolMessage, wordsOf } from '../protocol/messages.js';
import { assembleChat } from './assemble-chat.js';
import { dialectOf } from './dialects.js';
import { chatExtras } from './extras.js';
import { dataUrl } from './images.js';
import { asObject, asText, type JsonObject } from './json.js';
import type { ModelRequest, ToolSpec } from './provider.js';
import { sendableArguments, sendableId, sendableName } from './sendable.js';
import type { Protocol, Tuning } from './wire.js';

function assistantMessage(message: AssistantMessage, profile: ModelProfile): JsonObject | null {
  if (message.text === '' && message.calls.length === 0) return null;
  const { neededBesideCalls, unsignedCall, fieldsBack } = dialectOf(profile);
  const extras = fieldsBack ? chatExtras(profile, message) : null;
  const hasCalls = message.calls.length > 0;
  // Reasoning goes back only beside calls: DeepSeek requires it there and refused it elsewhere.
  const field = hasCalls && message.reasoning !== '' ? (extras?.reasoningField ?? null) : null;
  return {
    ...(hasCalls && neededBesideCalls !== null ? { [neededBesideCalls]: '' } : {}),
    ...extras?.message,
    ...(field === null ? {} : { [field]: message.reasoning }),
    role: 'assistant',
    content: message.text === '' ? null : message.text,
    ...(hasCalls
      ? {
          tool_calls: message.calls.map(({ id, name, argsText }, index) => ({
            ...(index === 0 ? unsignedCall : null),
            ...extras?.calls[id],
            id: sendableId(id, profile),
            type: 'function',
            function: { name: sendableName(name), arguments: sendableArguments(argsText) },
          })),
        }
      : {}),
  };
}

/** A text, and the pictures behind it; only the text when there are none. */
function content(text: string, images: readonly ImagePart[] = []): string | readonly JsonObject[] {
  if (images.length === 0) return text;
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...images.map((image) => ({ type: 'image_url', image_url: { url: dataUrl(image) } })),
  ];
}

/** Results hold text only: their pictures come behind the last of them, in a message of the user. */
function withImagesOfResults(messages: readonly Message[]): readonly Message[] {
  if (!messages.some((message) => message.role === 'tool' && message.images !== undefined)) return messages;
  return messages.flatMap((message, at): Message | readonly Message[] => {
    if (message.role !== 'tool' || messages[at + 1]?.role === 'tool') return message;
    const first = messages.findLastIndex((before, index) => index < at && before.role !== 'tool') + 1;
    const results = messages.slice(first, at + 1).filter((result): result is ToolMessage => result.role === 'tool');
    const images = results.flatMap((result) => result.images ?? []);
    const text = `[harness] Images of the results above: ${images.map(({ name }) => name).join(', ')}`;
    return images.length === 0 ? message : [message, { role: 'user', text, images }];
  });
}

function wireMessage(message: Message, profile: ModelProfile): JsonObject | null {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: content(wordsOf(message), message.images) };
    case 'tool':
      return { role: 'tool', tool_call_id: sendableId(message.callId, profile), content: message.text };
    case 'assistant':
      return assistantMessage(message, profile);
  }
}

function wireTool({ name, description, parameters }: ToolSpec): JsonObject {
  return { type: 'function', function: { name, description, parameters } };
}

/** The system prompt and the last message before the newest one, which may be of this moment only, with cache marks. */
function marked(messages: readonly JsonObject[]): readonly JsonObject[] {
  const stable = messages.findLastIndex(({ role, content }, index) => index < messages.length - 1 && role === 'user' && content !== '');
  return messages.map((message, index) => (index === 0 || index === stable ? { ...message, content: markedParts(message) } : message));
}

/** The content of a message as parts, with the mark on the last text. */
function markedParts({ content: of }: JsonObject): readonly JsonObject[] {
  const parts = partsOf(of);
  const last = parts.findLastIndex(({ type }) => type === 'text');
  return parts.map((part, at) => (at === last ? { ...part, cache_control: { type: 'ephemeral' } } : part));
}

function partsOf(of: unknown): readonly JsonObject[] {
  return Array.isArray(of) ? of.map((part) => asObject(part) ?? {}) : [{ type: 'text', text: asText(of) }];
}

/** Two contents as one. */
function together(first: unknown, second: unknown): string | readonly JsonObject[] {
  if (Array.isArray(first) || Array.isArray(second)) return [...partsOf(first), ...partsOf(second)];
  return `${asText(first)}\n\n${asText(second)}`;
}

/** Stands between a result and what the user says next, where nothing else may. */
const BRIDGE: JsonObject = { role: 'assistant', content: 'I have read the results.' };

/** The same with user and assistant in turn: words of the user that follow each other become one message, and none comes right after a result. */
function inTurn(messages: readonly JsonObject[]): readonly JsonObject[] {
  const turns: JsonObject[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message['role'] === 'user' && last?.['role'] === 'user') {
      turns[turns.length - 1] = { ...last, content: together(last['content'], message['content']) };
      continue;
    }
    if (message['role'] === 'user' && last?.['role'] === 'tool') turns.push(BRIDGE);
    turns.push(message);
  }
  return turns;
}

function body(request: ModelRequest, profile: ModelProfile, { temperature, topP }: Tuning): JsonObject {
  const { cacheKey, cacheMarks, effort, streamOptions, strictTurns } = dialectOf(profile);
  const said: readonly JsonObject[] = [
    { role: 'system', content: request.instructions },
    ...withImagesOfResults(request.messages)
      .map((message) => wireMessage(message, profile))
      .filter((message) => message !== null),
  ];
  const messages = strictTurns?.test(profile.model) === true ? inTurn(said) : said;
  return {
    model: profile.model,
    messages: cacheMarks?.test(profile.model) === true ? marked(messages) : messages,
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(wireTool) }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(profile.reasoningEffort === null ? {} : effort(profile.reasoningEffort, profile.model)),
    ...(cacheKey ? { prompt_cache_key: request.session } : {}),
    stream: true,
    ...(streamOptions ? { stream_options: { include_usage: true } } : {}),
  };
}

/** Chat completions. */
export const chatProtocol: Protocol = {
  body,
  path: '/chat/completions',
  assembler: assembleChat,
  wholeAnswer: (json) => (Array.isArray(json['choices']) ? [json] : null),
};
