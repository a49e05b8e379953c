/** One answer out of the chunks of a chat completion. */

import type { Usage } from '../protocol/messages.js';
import { CallAssembly } from './calls.js';
import { dialectOf } from './dialects.js';
import { packChatExtras } from './extras.js';
import { streamFailure } from './failure.js';
import { asList, asNumber, asObject, asText, type JsonObject } from './json.js';
import type { FinishReason, ModelDelta } from './provider.js';
import { ThinkTags } from './think-tags.js';
import { type Assembler, type AssemblerContext, REST_MS } from './wire.js';

/** Fields of a message that we understand, or that only ever go one way. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'tool_calls',
  'function_call',
  'refusal',
  'annotations',
  'audio',
  'name',
  'reasoning',
  'reasoning_content',
]);
/** Unknown fields whose pieces are the same word again. */
const LABELS: ReadonlySet<string> = new Set(['channel']);
const KNOWN_CALL_FIELDS: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function']);
/** Types of OpenRouter reasoning details whose text comes in pieces. */
const GROWING_DETAILS: Readonly<Record<string, string>> = { 'reasoning.text': 'text', 'reasoning.summary': 'summary' };

function finishOf(raw: string | null, calls: number): FinishReason {
  switch (raw) {
    case null:
    case 'stop':
    case 'end_turn':
      return calls > 0 ? 'tool-calls' : 'stop';
    case 'tool_calls':
    case 'function_call':
      return calls > 0 ? 'tool-calls' : 'stop';
    case 'length':
    case 'max_tokens':
      return 'length';
    case 'content_filter':
    case 'refusal':
      return 'refusal';
    default:
      return 'other';
  }
}

/** Tokens as any of the chat servers reports them, or null. */
export function chatUsage(reported: unknown): Usage | null {
  const usage = asObject(reported);
  if (usage === null) return null;
  const prompt = asObject(usage['prompt_tokens_details']);
  const completion = asObject(usage['completion_tokens_details']);
  const written = asNumber(prompt?.['cache_write_tokens']);
  return {
    inputTokens: asNumber(usage['prompt_tokens']) ?? 0,
    outputTokens: asNumber(usage['completion_tokens']) ?? 0,
    // OpenAI and most, DeepSeek, Moonshot.
    cachedTokens: asNumber(prompt?.['cached_tokens']) ?? asNumber(usage['prompt_cache_hit_tokens']) ?? asNumber(usage['cached_tokens']),
    reasoningTokens: asNumber(completion?.['reasoning_tokens']),
    // OpenRouter, of models that bill it.
    ...(written === null ? {} : { cacheWriteTokens: written }),
  };
}

/** Text and reasoning of a `content` that is a string, null, or a list of parts (Mistral). */
function contentParts(content: unknown): { readonly text: string; readonly reasoning: string } {
  let text = asText(content);
  let reasoning = '';
  for (const part of asList(content)) {
    const object = asObject(part);
    if (object === null) text += asText(part);
    else if (object['type'] === 'thinking') reasoning += contentParts(object['thinking']).text || asText(object['thinking']);
    else text += asText(object['text']);
  }
  return { text, reasoning };
}

/** Thoughts of servers that tell them in details only (Snowflake). */
function detailsText(details: unknown): string {
  return asList(details)
    .map((detail) => asText(asObject(detail)?.['text']) || asText(asObject(detail)?.['summary']))
    .join('');
}

/** Fields that `known` does not name and that say something. */
function unknownFields(object: JsonObject, known: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => !known.has(key) && value !== null && value !== undefined));
}

/** Adds a piece of an unknown field to what came before: strings and lists grow, other values are replaced. */
function grow(before: unknown, piece: unknown): unknown {
  if (typeof before === 'string' && typeof piece === 'string') return before + piece;
  if (!Array.isArray(piece)) return piece;
  const list: unknown[] = [...asList(before)];
  for (const item of piece) {
    const last = asObject(list.at(-1));
    const next = asObject(item);
    const field = GROWING_DETAILS[asText(next?.['type'])];
    if (last !== null && next !== null && field !== undefined && last['type'] === next['type'] && last['index'] === next['index']) {
      list[list.length - 1] = { ...last, ...unknownFields(next, new Set()), [field]: asText(last[field]) + asText(next[field]) };
    } else {
      list.push(item);
    }
  }
  return list;
}

/** Figures follow the end of the text in an event of their own, which must cross the line too (milliseconds). */
const FIGURES_MS = 3000;

class ChatAssembler implements Assembler {
  readonly #context: AssemblerContext;
  readonly #calls = new CallAssembly();
  readonly #tags: ThinkTags | null;
  #text = '';
  #reasoning = '';
  #reasoningField: string | null = null;
  #refused = false;
  #extras: Record<string, unknown> = {};
  #raw: string | null = null;
  #usage: Usage | null = null;
  /** The figures came with the end or after it: there are servers that send them with every piece, and the last ones count. */
  #countedAtEnd = false;
  #begun = false;

  constructor(context: AssemblerContext) {
    this.#context = context;
    this.#tags = dialectOf(context.profile).thinkTags ? new ThinkTags() : null;
  }

  take(event: unknown): readonly ModelDelta[] {
    const chunk = asObject(event);
    if (chunk === null) return [];
    // vLLM reports errors in the place of a chunk.
    if (chunk['object'] === 'error') throw streamFailure(chunk, this.#text !== '' || this.#reasoning !== '', this.#context.failure);
    const usage = chatUsage(chunk['usage']) ?? chatUsage(asObject(chunk['x_groq'])?.['usage']);
    this.#usage = usage ?? this.#usage;
    const choice = asObject(asList(chunk['choices']).find((of) => (asObject(of)?.['index'] ?? 0) === 0));
    const finish = asText(choice?.['finish_reason']);
    if (finish !== '') this.#raw = finish;
    if (usage !== null && this.#raw !== null) this.#countedAtEnd = true;
    if (choice === null) return [];
    this.#begun = true;
    const message = asObject(choice['delta']) ?? asObject(choice['message']);
    return [...(message === null ? [] : this.#takeMessage(message)), ...(finish === '' ? [] : this.#takeHeldBack())];
  }

  /** Text that might have been the beginning of a tag, and was none. */
  #takeHeldBack(): readonly ModelDelta[] {
    const { text, reasoning } = this.#tags?.end() ?? { text: '', reasoning: '' };
    return [...this.#think(reasoning), ...this.#say(text)];
  }

  #say(text: string): readonly ModelDelta[] {
    this.#text += text;
    return text === '' ? [] : [{ type: 'text', text }];
  }

  #think(text: string): readonly ModelDelta[] {
    this.#reasoning += text;
    return text === '' ? [] : [{ type: 'reasoning', text }];
  }

  #takeMessage(message: JsonObject): readonly ModelDelta[] {
    const parts = contentParts(message['content']);
    const field = ['reasoning_content', 'reasoning'].find((name) => asText(message[name]) !== '');
    const reasoning = field === undefined ? parts.reasoning || detailsText(message['reasoning_details']) : asText(message[field]);
    if (field !== undefined) this.#reasoningField = field;
    const refusal = asText(message['refusal']);
    if (refusal !== '') this.#refused = true;
    const told = parts.text === '' ? undefined : this.#tags?.push(parts.text);
    for (const call of asList(message['tool_calls'])) this.#takeCall(asObject(call) ?? {});
    for (const [key, value] of Object.entries(unknownFields(message, KNOWN_FIELDS))) {
      this.#extras[key] = LABELS.has(key) ? value : grow(this.#extras[key], value);
    }
    return [...this.#think(reasoning + (told?.reasoning ?? '')), ...this.#say((told?.text ?? parts.text) + refusal)];
  }

  #takeCall(call: JsonObject): void {
    const definition = asObject(call['function']) ?? {};
    this.#calls.add({
      index: asNumber(call['index']),
      id: asText(call['id']),
      name: asText(definition['name']),
      args: definition['arguments'],
      extras: unknownFields(call, KNOWN_CALL_FIELDS),
    });
  }

  get restMs(): number | null {
    if (this.#raw === null) return null;
    return this.#countedAtEnd ? REST_MS : FIGURES_MS;
  }

  finish(sawDone: boolean): ModelDelta | null {
    if (!this.#begun || (this.#raw === null && !sawDone)) return null;
    this.#takeHeldBack();
    const { calls, extras } = this.#calls.finish(this.#context.usedIds);
    const finish = this.#refused ? 'refusal' : finishOf(this.#raw, calls.length);
    const incomplete = finish === 'length';
    return {
      type: 'done',
      message: {
        role: 'assistant',
        text: this.#text,
        reasoning: this.#reasoning,
        // A call of an answer that was cut short is never run, whole as it may look.
        calls: incomplete ? [] : calls,
        extras: packChatExtras(this.#context.profile, { message: this.#extras, calls: extras, reasoningField: this.#reasoningField }),
        incomplete,
      },
      finish,
      raw: this.#raw,
      usage: this.#usage,
    };
  }
}

/** An assembler for one chat completion. */
export function assembleChat(context: AssemblerContext): Assembler {
  return new ChatAssembler(context);
}
