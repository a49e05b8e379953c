/** The chat completions protocol (`POST /chat/completions`), as OpenAI defined it and everybody bends it. */

import type { ModelProfile } from '../config/profiles.js';
import type { AssistantMessage, Message } from '../protocol/messages.js';
import { assembleChat } from './assemble-chat.js';
import { dialectOf } from './dialects.js';
import { chatExtras } from './extras.js';
import { asText, type JsonObject } from './json.js';
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

function wireMessage(message: Message, profile: ModelProfile): JsonObject | null {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text };
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
  return messages.map((message, index) =>
    index === 0 || index === stable
      ? { ...message, content: [{ type: 'text', text: message['content'], cache_control: { type: 'ephemeral' } }] }
      : message,
  );
}

/** Stands between a result and what the user says next, where nothing else may. */
const BRIDGE: JsonObject = { role: 'assistant', content: 'I have read the results.' };

/** The same with user and assistant in turn: words of the user that follow each other become one message, and none comes right after a result. */
function inTurn(messages: readonly JsonObject[]): readonly JsonObject[] {
  const turns: JsonObject[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message['role'] === 'user' && last?.['role'] === 'user') {
      turns[turns.length - 1] = { ...last, content: `${asText(last['content'])}\n\n${asText(message['content'])}` };
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
    ...request.messages.map((message) => wireMessage(message, profile)).filter((message) => message !== null),
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
