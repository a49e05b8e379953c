/**
 * What providers do differently, one row each: what only they want, refuse or answer. A row says only where it differs from
 * the usual. What everybody may send (parts instead of text, missing ids, reasoning under two names) is read from anybody.
 */

import type { ModelProfile, ProviderName, ReasoningEffort } from '../config/profiles.js';
import type { JsonObject } from './json.js';

/** One provider's ways. */
export interface Dialect {
  /** How a key travels. */
  keyHeaders(key: string): Readonly<Record<string, string>>;
  /** Headers that the provider asks its clients for. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ids of calls that are accepted, and how long one must be that is made instead. */
  readonly ids: { readonly pattern: RegExp; readonly length: number };
  /** How chat completions are asked to think so much. */
  effort(effort: ReasoningEffort, model: string): JsonObject;
  /** `prompt_cache_key` is understood. */
  readonly cacheKey: boolean;
  /** Models whose cache wants marks in chat completions, as Anthropic's does; null for none. */
  readonly cacheMarks: RegExp | null;
  /** `stream_options` is understood; without it the figures come all the same. */
  readonly streamOptions: boolean;
  /** A field that must stand beside the calls of every answer, even an empty one of another model; null for none. */
  readonly neededBesideCalls: string | null;
  /** What the first call of an answer carries when it has no signature, since another model made it; null for nothing. */
  readonly unsignedCall: JsonObject | null;
  /** Thoughts may stand in the text, between `<think>` and `</think>`. */
  readonly thinkTags: boolean;
  /** Fields of its own answers go back, as they must with most; some refuse what they do not know. */
  readonly fieldsBack: boolean;
  /** Items of the Responses API go back under their ids. */
  readonly itemIds: boolean;
  /** Pictures in one request, and characters of base64 of one and of all of them, as its documentation has them. */
  readonly images: { readonly most: number; readonly characters: number; readonly together: number };
  /** Models that want the user and the assistant in turn, and no word of the user right after a result; null for none. */
  readonly strictTurns: RegExp | null;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const reasoningEffort = (effort: string): JsonObject => ({ reasoning_effort: effort });
const thinkingSwitch = (effort: ReasoningEffort): JsonObject => ({ thinking: { type: effort === 'none' ? 'disabled' : 'enabled' } });

/** Efforts of servers that know three. */
const lowToHigh: Readonly<Record<ReasoningEffort, string>> = {
  none: 'none',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
};

/** Their chat templates are as strict as Mistral's own server, wherever they run. */
const MISTRAL_MODELS = /mistral|ministral|devstral/i;

/**
 * "Vision": 100 pictures in a request, 5 MB of base64 each (of more than 20 none may have more than 2000 pixels a side: ours never do); all of
 * the request may have 32 MB, and the words need some of it.
 */
const ANTHROPIC_IMAGES = { most: 100, characters: 5 * 1024 * 1024, together: 24_000_000 } as const;

/** OpenAI takes ids of 40 characters in chat, of 64 in responses. */
const usual: Dialect = {
  keyHeaders: bearer,
  headers: {},
  ids: { pattern: /^[^\s]{1,40}$/, length: 40 },
  effort: reasoningEffort,
  cacheKey: false,
  cacheMarks: null,
  streamOptions: true,
  neededBesideCalls: null,
  unsignedCall: null,
  thinkTags: false,
  fieldsBack: true,
  itemIds: true,
  // OpenAI: 500 pictures, 50 MB in all ("Images and vision"); others who speak its protocol name less, none of them less than this.
  // Gemini, the least of them: 20 MB for all of the request.
  images: { most: 50, characters: 10_000_000, together: 16_000_000 },
  strictTurns: MISTRAL_MODELS,
};

/** Servers that run open models for whoever started them. */
const local: Dialect = { ...usual, effort: (effort) => reasoningEffort(lowToHigh[effort]), thinkTags: true };

/** The rows. */
const rows: Readonly<Record<ProviderName, Dialect>> = {
  openai: { ...usual, cacheKey: true },
  // Titles of programs that ask are shown in its activity list; reasoning has an object of its own.
  openrouter: {
    ...usual,
    headers: { 'x-title': 'buddy-tui' },
    effort: (effort) => ({ reasoning: { effort } }),
    cacheMarks: /^anthropic\//,
  },
  anthropic: { ...usual, keyHeaders: (key) => ({ 'x-api-key': key }), effort: () => ({}), images: ANTHROPIC_IMAGES },
  // Refuses a history in which calls stand without reasoning_content; '' will do.
  deepseek: {
    ...usual,
    neededBesideCalls: 'reasoning_content',
    effort: (effort) => ({ ...thinkingSwitch(effort), ...(effort === 'none' ? {} : { reasoning_effort: lowToHigh[effort] }) }),
  },
  zai: { ...usual, effort: thinkingSwitch },
  moonshot: {
    ...usual,
    neededBesideCalls: 'reasoning_content',
    effort: (effort, model) => (/kimi-k3/.test(model) ? reasoningEffort(lowToHigh[effort]) : thinkingSwitch(effort)),
  },
  // Ids are nine letters or digits; efforts are two; fields it does not know are refused, and so is the user after a result.
  mistral: {
    ...usual,
    ids: { pattern: /^[A-Za-z0-9]{9}$/, length: 9 },
    effort: (effort) => reasoningEffort(effort === 'none' ? 'none' : 'high'),
    streamOptions: false,
    fieldsBack: false,
    images: { most: 8, characters: 10_000_000, together: 16_000_000 },
    strictTurns: /./,
  },
  // A call without a signature is refused, unless it says that the check is to be skipped.
  gemini: {
    ...usual,
    effort: (effort) => reasoningEffort(effort === 'xhigh' ? 'high' : effort),
    unsignedCall: { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } },
  },
  // Refuses fields it does not know, and `reasoning` and `channel` of its own answers are such.
  groq: {
    ...usual,
    effort: (effort, model) =>
      reasoningEffort(/gpt-oss/.test(model) ? (effort === 'none' ? 'low' : lowToHigh[effort]) : effort === 'none' ? 'none' : 'default'),
    thinkTags: true,
    fieldsBack: false,
    images: { most: 5, characters: 4_000_000, together: 4_000_000 },
  },
  xai: { ...usual, effort: (effort) => reasoningEffort(lowToHigh[effort]) },
  azure: { ...usual, keyHeaders: (key) => ({ 'api-key': key }), cacheKey: true },
  // Ids of items change from event to event, so none of them can be given back.
  copilot: { ...usual, itemIds: false },
  ollama: local,
  lmstudio: local,
  vllm: local,
  llamacpp: local,
  other: { ...usual, thinkTags: true },
};

/** Ids of the messages protocol, whoever speaks it. */
const MESSAGES_IDS = { pattern: /^[A-Za-z0-9_-]{1,64}$/, length: 40 } as const;

/** The row that counts for `profile`. */
export function dialectOf({ api, provider }: Pick<ModelProfile, 'api' | 'provider'>): Dialect {
  const row = rows[provider];
  if (api !== 'anthropic') return row;
  // Others who speak Anthropic's protocol look for the key in the one place or in the other.
  const keyHeaders = provider === 'anthropic' ? row.keyHeaders : (key: string) => ({ 'x-api-key': key, ...bearer(key) });
  return {
    ...row,
    ids: MESSAGES_IDS,
    images: ANTHROPIC_IMAGES,
    keyHeaders,
    headers: { ...row.headers, 'anthropic-version': '2023-06-01' },
  };
}
