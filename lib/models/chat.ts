/** The chat completions protocol (`POST /chat/completions`), as OpenAI defined it and everybody bends it. */

import type { ModelProfile } from '../config/profiles.js';
import type { AssistantMessage, Message } from '../protocol/messages.js';
import { assembleChat } from './assemble-chat.js';
import { chatExtras } from './extras.js';
import { type JsonObject, parseJson } from './json.js';
import type { ModelRequest, ToolSpec } from './provider.js';
import type { Protocol, Tuning } from './wire.js';

/** Arguments as servers accept them: some parse them and fail on what is no JSON object. */
export function sendableArguments(argsText: string): string {
  const parsed = parseJson(argsText);
  return typeof parsed === 'object' && parsed !== null ? argsText : '{}';
}

function assistantMessage(message: AssistantMessage, profile: ModelProfile): JsonObject | null {
  if (message.text === '' && message.calls.length === 0) return null;
  const extras = chatExtras(profile, message);
  const hasCalls = message.calls.length > 0;
  // Reasoning goes back only beside calls: DeepSeek requires it there and refused it elsewhere.
  const field = hasCalls && message.reasoning !== '' ? (extras?.reasoningField ?? null) : null;
  return {
    ...extras?.message,
    ...(field === null ? {} : { [field]: message.reasoning }),
    role: 'assistant',
    content: message.text === '' ? null : message.text,
    ...(hasCalls
      ? {
          tool_calls: message.calls.map(({ id, name, argsText }) => ({
            ...extras?.calls[id],
            id,
            type: 'function',
            function: { name, arguments: sendableArguments(argsText) },
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
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant':
      return assistantMessage(message, profile);
  }
}

function wireTool({ name, description, parameters }: ToolSpec): JsonObject {
  return { type: 'function', function: { name, description, parameters } };
}

function effort({ reasoningEffort, provider }: ModelProfile): JsonObject {
  if (reasoningEffort === null) return {};
  return provider === 'openrouter' ? { reasoning: { effort: reasoningEffort } } : { reasoning_effort: reasoningEffort };
}

function body(request: ModelRequest, profile: ModelProfile, { temperature, topP }: Tuning): JsonObject {
  return {
    model: profile.model,
    messages: [
      { role: 'system', content: request.instructions },
      ...request.messages.flatMap((message) => wireMessage(message, profile) ?? []),
    ],
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(wireTool) }),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...effort(profile),
    ...(profile.provider === 'openai' ? { prompt_cache_key: request.session } : {}),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** Chat completions. */
export const chatProtocol: Protocol = {
  body,
  open: async (client, json, signal) =>
    (await client.chat.completions.create(json as never, { signal })) as unknown as AsyncIterable<unknown>,
  assembler: assembleChat,
  wholeAnswer: (json) => (Array.isArray(json['choices']) ? [json] : null),
};
