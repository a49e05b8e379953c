/** The messages protocol (`POST /messages`), as Anthropic defined it and others speak it too. */

import type { ModelProfile } from '../config/profiles.js';
import { type AssistantMessage, type ImagePart, type Message, type ToolMessage, wordsOf } from '../protocol/messages.js';
import { anthropicEvents, assembleAnthropic } from './assemble-anthropic.js';
import { anthropicBlocks } from './extras.js';
import { asObject, asText, type JsonObject, parseJson } from './json.js';
import type { ModelRequest, ToolSpec } from './provider.js';
import { sendableId, sendableName } from './sendable.js';
import { thinkingOf } from './thinking.js';
import type { Protocol, Tuning } from './wire.js';

/** What may come out of a model that the catalogue does not know. */
const UNKNOWN_OUTPUT_TOKENS = 8192;
/** The least that an answer is given, however full the window is. */
const LEAST_OUTPUT_TOKENS = 1024;
/** Characters of JSON to a token, on the safe side. */
const CHARACTERS_PER_TOKEN = 3;
/** The most that a picture costs (the vision page of its documentation: high resolution). */
const IMAGE_TOKENS = 4784;

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: JsonObject[];
}

function hasWords(text: string): boolean {
  return text.trim() !== '';
}

/** Blocks that go back as they came: only to the model they came from, and only when the calls are still those of the message. */
function ownBlocks(message: AssistantMessage, profile: ModelProfile): readonly JsonObject[] | null {
  const blocks = message.incomplete ? null : anthropicBlocks(profile, message);
  if (blocks === null) return null;
  const kept = new Set(blocks.filter((block) => block['type'] === 'tool_use').map((block) => asText(block['id'])));
  const same = kept.size === message.calls.length && message.calls.every((call) => kept.has(call.id));
  const full = blocks.filter((block) => block['type'] !== 'text' || hasWords(asText(block['text'])));
  // Thoughts must stand before what they led to: they cannot be the last.
  const last = full.findLastIndex((block) => block['type'] !== 'thinking' && block['type'] !== 'redacted_thinking');
  if (!same || last < 0) return null;
  return full
    .slice(0, last + 1)
    .map((block) =>
      block['type'] === 'tool_use'
        ? { ...block, id: sendableId(asText(block['id']), profile), name: sendableName(asText(block['name'])) }
        : block,
    );
}

function assistantBlocks(message: AssistantMessage, profile: ModelProfile): readonly JsonObject[] {
  const own = ownBlocks(message, profile);
  if (own !== null) return own;
  return [
    ...textBlocks(message.text),
    ...message.calls.map(({ id, name, argsText }) => ({
      type: 'tool_use',
      id: sendableId(id, profile),
      name: sendableName(name),
      input: asObject(parseJson(argsText)) ?? {},
    })),
  ];
}

function imageBlock({ mediaType, data }: ImagePart): JsonObject {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

/** An error holds text only: a picture with it would be refused. */
function resultBlock({ callId, text, isError, images = [] }: ToolMessage, profile: ModelProfile): JsonObject {
  const shown = isError || images.length === 0 ? text : [...textBlocks(text), ...images.map(imageBlock)];
  return { type: 'tool_result', tool_use_id: sendableId(callId, profile), content: shown, ...(isError ? { is_error: true } : {}) };
}

function textBlocks(text: string): readonly JsonObject[] {
  return hasWords(text) ? [{ type: 'text', text }] : [];
}

function blocksOf(message: Message, profile: ModelProfile): readonly JsonObject[] {
  if (message.role === 'assistant') return assistantBlocks(message, profile);
  if (message.role === 'tool') return [resultBlock(message, profile)];
  return [...textBlocks(wordsOf(message)), ...(message.images ?? []).map(imageBlock)];
}

/** Blocks that may carry a cache mark. */
const MARKABLE: ReadonlySet<unknown> = new Set(['text', 'image', 'tool_use', 'tool_result']);
const CACHE_MARK = { cache_control: { type: 'ephemeral' } } as const;

function markLast(blocks: JsonObject[]): void {
  const at = blocks.findLastIndex((block) => MARKABLE.has(block['type']));
  if (at >= 0) blocks[at] = { ...blocks[at], ...CACHE_MARK };
}

/**
 * The conversation in turns that alternate and begin with the person. The last message may be of this moment only (the
 * terminal as it is now), so the cache mark stands before it: what is marked comes again in the next request.
 */
function turnsOf(messages: readonly Message[], profile: ModelProfile): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    if (index === messages.length - 1) {
      const stable = turns.at(-1);
      if (stable !== undefined) markLast(stable.content);
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message, profile);
    if (blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: [...blocks] });
  }
  return turns[0]?.role === 'assistant'
    ? [{ role: 'user', content: [{ type: 'text', text: '(the conversation goes on)' }] }, ...turns]
    : turns;
}

function wireTool({ name, description, parameters }: ToolSpec): JsonObject {
  return { name, description, input_schema: parameters };
}

/** The model's own limit, or what the window leaves: asking for more than fits is refused. */
function maxTokens(prompt: JsonObject, { contextTokens, maxOutputTokens }: Tuning): number {
  let images = 0;
  const text = JSON.stringify(prompt, (_key, part: unknown) => {
    if (asObject(part)?.['type'] !== 'image') return part;
    images++;
    return null;
  });
  const used = Math.ceil(text.length / CHARACTERS_PER_TOKEN) + images * IMAGE_TOKENS;
  return Math.max(LEAST_OUTPUT_TOKENS, Math.min(maxOutputTokens ?? UNKNOWN_OUTPUT_TOKENS, contextTokens - used));
}

function body(request: ModelRequest, profile: ModelProfile, tuning: Tuning): JsonObject {
  const prompt = {
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(wireTool) }),
    // Tools stand before the system prompt in what is cached, so one mark covers both.
    ...(hasWords(request.instructions) ? { system: [{ type: 'text', text: request.instructions, ...CACHE_MARK }] } : {}),
    messages: turnsOf(request.messages, profile),
  };
  const limit = maxTokens(prompt, tuning);
  const thinking = thinkingOf(profile, limit, beganThinking(prompt.messages));
  return {
    model: profile.model,
    max_tokens: limit,
    ...prompt,
    ...thinking.body,
    ...sampling(tuning, thinking.takesSampling),
    stream: true,
  };
}

/** Whether the last answer, when it made calls, began with thoughts: only then a budget may stand in the request that goes on from it. */
function beganThinking(turns: readonly Turn[]): boolean {
  const content = turns.findLast(({ role }) => role === 'assistant')?.content ?? [];
  return !content.some((block) => block['type'] === 'tool_use') || /thinking$/.test(asText(content[0]?.['type']));
}

/** Newer models take one of the two at most, the newest none. */
function sampling({ temperature, topP }: Tuning, taken: boolean): JsonObject {
  if (!taken) return {};
  if (temperature !== null) return { temperature: Math.min(1, temperature) };
  return topP === null ? {} : { top_p: topP };
}

/** Messages. */
export const anthropicProtocol: Protocol = {
  body,
  path: '/messages',
  assembler: assembleAnthropic,
  wholeAnswer: anthropicEvents,
};
