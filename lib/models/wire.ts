/** A ModelProvider over the openai SDK; what differs between the protocols is a `Protocol`. */

import type OpenAI from 'openai';
import type { Clock } from '../base/clock.js';
import { BuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { Fetch } from '../base/http.js';
import { isNearby } from '../base/proxy.js';
import type { Limits } from '../config/limits.js';
import type { ModelProfile } from '../config/profiles.js';
import type { ModelSummary } from '../protocol/events.js';
import { type Concession, withConcessions } from './concessions.js';
import { dialectOf } from './dialects.js';
import { Exchange } from './exchange.js';
import { brokenStream, type FailureContext, keyHint } from './failure.js';
import { imageLimits, withSendableImages } from './images.js';
import type { JsonObject } from './json.js';
import { resolveKey } from './key.js';
import type { ModelDelta, ModelProvider, ModelRequest } from './provider.js';
import { sendableText } from './sendable.js';
import { StoredChain } from './stored-chain.js';

/** What can be tuned besides the profile. */
export interface Tuning {
  /** Null: not sent. */
  readonly temperature: number | null;
  readonly topP: number | null;
  /** The window of the model. */
  readonly contextTokens: number;
  /** The longest answer of the model; null when the catalogue does not know. */
  readonly maxOutputTokens: number | null;
}

/** Builds one answer out of the events of its stream. */
export interface Assembler {
  /** Deltas to show for one event. What comes after the end is ignored, save another whole answer. Throws BuddyError `model.*` when the event reports a failure. */
  take(event: unknown): readonly ModelDelta[];
  /** The last delta, or null when the stream had no proper end. `sawDone`: it had the `[DONE]` line. */
  finish(sawDone: boolean): ModelDelta | null;
  /**
   * Null while the answer goes on. Once what has come makes a whole answer: how long (milliseconds) the rest of the stream is worth
   * waiting for, since some servers leave the line open.
   */
  readonly restMs: number | null;
  /** Under which the server keeps the answer just as it was assembled; null or left out: it cannot be named. */
  readonly storedId?: string | null;
}

/** The rest of a stream whose answer has everything: a server that goes on does so at once (milliseconds). */
export const REST_MS = 250;

/** What an assembler must know of the request that it answers. */
export interface AssemblerContext {
  readonly profile: ModelProfile;
  /** Ids that tool calls of this conversation already have. */
  readonly usedIds: ReadonlySet<string>;
  readonly failure: FailureContext;
}

/** One wire protocol. */
export interface Protocol {
  /** `previousId`: the messages of the request follow the answer that the server keeps under it. */
  body(request: ModelRequest, profile: ModelProfile, tuning: Tuning, previousId?: string): JsonObject;
  /** Where requests go, behind the address of the profile. */
  readonly path: string;
  assembler(context: AssemblerContext): Assembler;
  /** The events that a whole answer stands for, or null when it is none of this protocol. */
  wholeAnswer(json: JsonObject): readonly JsonObject[] | null;
}

export interface WireOptions {
  readonly profile: ModelProfile;
  readonly summary: ModelSummary;
  readonly host: Host;
  readonly clock: Clock;
  readonly tuning: Tuning;
  /** Of silence and size. */
  readonly limits: Limits;
  readonly fetch: Fetch;
  /** Instead of the profile's own key. */
  readonly key?: string;
  /** Told each key before it is sent. */
  readonly learn?: (key: string) => void;
}

/** The SDK insists on a time limit until the headers; ours is the watchdog (setTimeout takes at most 2^31 - 1). */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** A client that takes nothing from the environment and never retries by itself. */
async function createClient(address: string, fetch: Fetch): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  // Some addresses have a query (Azure's api-version), which belongs behind the path.
  const url = new URL(address);
  const defaultQuery = Object.fromEntries(url.searchParams);
  url.search = '';
  return new OpenAI({
    baseURL: url.href,
    defaultQuery,
    apiKey: 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    fetch: fetch as never,
  });
}

function requestHeaders(profile: ModelProfile, key: string, version: string): Readonly<Record<string, string>> {
  const dialect = dialectOf(profile);
  return {
    ...dialect.headers,
    accept: 'text/event-stream, application/json',
    'content-type': 'application/json',
    'user-agent': `buddy-tui/${version}`,
    ...(key === '' ? {} : dialect.keyHeaders(key)),
    ...profile.extraHeaders,
  };
}

function usedCallIds(request: ModelRequest): ReadonlySet<string> {
  return new Set(request.messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map((call) => call.id) : [])));
}

/** An answer that does not stream is silent until it is whole, so it may take so many times as long. */
const PATIENCE_WITHOUT_STREAM = 5;

/** How it goes on after an attempt: no more, once more with the whole history, or once more without what was refused. */
type Next = 'done' | 'again' | Concession;

/** A provider that speaks `protocol`. */
export function createWireProvider(protocol: Protocol, options: WireOptions): ModelProvider {
  const { profile, host, clock, tuning, limits } = options;
  /** What this server was found to refuse; it is not asked for again. */
  const conceded = new Set<Concession>();
  /** Null: nothing is to be kept there, or the server was found to refuse it. */
  let chain = profile.store ? new StoredChain() : null;

  async function* attempt(request: ModelRequest, key: string, signal: AbortSignal): AsyncGenerator<ModelDelta, Next> {
    const context: FailureContext = { profile, secrets: secretsOf(profile, key), nowMs: clock.now() };
    const exchange = new Exchange(
      {
        fetch: options.fetch,
        clock,
        most: { event: limits.value('event') * 1024, answer: limits.value('answer') * 1024 * 1024 },
        idleMs: limits.value('silence') * 1000 * (conceded.has('stream') ? PATIENCE_WITHOUT_STREAM : 1),
        headers: requestHeaders(profile, key, host.version),
        context,
        wholeAnswer: protocol.wholeAnswer,
      },
      signal,
    );
    const link = chain?.link(request) ?? null;
    const isKept = chain !== null;
    try {
      const assembler = protocol.assembler({ profile, usedIds: usedCallIds(request), failure: context });
      const client = await createClient(profile.baseUrl, exchange.fetch);
      const messages = withSendableImages(link?.rest ?? request.messages, imageLimits(profile, options.summary.images === true));
      const toSend = { ...request, messages };
      const whole = protocol.body(toSend, { ...profile, store: isKept }, tuning, link?.previousId);
      const body = sendableText(withConcessions(whole, conceded));
      // The SDK reads a stream in any case: the exchange makes one of a whole answer.
      const events = await client.post<AsyncIterable<unknown>>(protocol.path, { body, stream: true, signal: exchange.signal });
      for await (const event of events) {
        for (const delta of assembler.take(event)) {
          exchange.shown = true;
          yield delta;
        }
        exchange.settle(assembler.restMs);
      }
      exchange.check();
      const done = assembler.finish(exchange.sawDone);
      if (done === null) throw brokenStream('ended in the middle', exchange.shown, context);
      const { storedId = null } = assembler;
      if (done.type === 'done' && !done.message.incomplete && storedId !== null) chain?.keep(request, link, done.message, storedId);
      yield done;
      return 'done';
    } catch (thrown) {
      const { refused, refusedStore } = exchange;
      const isAgain = refusedStore === 'all' ? isKept : refusedStore === 'link' && link !== null;
      if (isAgain && !signal.aborted) {
        if (refusedStore === 'all') chain = null;
        else chain?.lose();
        return 'again';
      }
      if (refused !== null && !conceded.has(refused) && !signal.aborted) return refused;
      throw exchange.explain(thrown);
    } finally {
      exchange.dispose();
    }
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    const key = options.key ?? (await resolveKey(profile, host, signal));
    options.learn?.(key);
    checkTransport(profile, key);
    for (;;) {
      const next = yield* attempt(request, key, signal);
      if (next === 'done') return;
      if (next !== 'again') conceded.add(next);
    }
  }

  return { summary: options.summary, stream };
}

/** Throws when there should be a key and is none, or when one would travel where everybody can read it. */
function checkTransport(profile: ModelProfile, key: string): void {
  if (key === '' && profile.key !== null) {
    throw new BuddyError('model.auth', `The key of profile ${profile.name} is empty`, { hint: keyHint(profile) });
  }
  const url = new URL(profile.baseUrl);
  if (key === '' || url.protocol === 'https:' || isNearby(url.hostname)) return;
  throw new BuddyError(
    'model.request',
    `${profile.baseUrl} is not encrypted: everybody on the way could read the key of profile ${profile.name}`,
    {
      hint: 'Write https:// in api_base_url, or give the profile no key.',
    },
  );
}

/** What must never be shown: the key, and headers that may hold one. */
function secretsOf({ extraHeaders }: ModelProfile, key: string): readonly string[] {
  return [key, ...Object.values(extraHeaders)].filter((secret) => secret.length > 7);
}
