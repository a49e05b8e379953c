/** One request to a model server below the SDK: silence watched, odd answers recognised, errors kept whole. */

import type { Clock } from '../base/clock.js';
import { type Disposable, disposable } from '../base/disposable.js';
import { abortError, BuddyError, isAbort } from '../base/errors.js';
import type { Fetch } from '../base/http.js';
import { type Concession, refusedBy } from './concessions.js';
import { connectionFailure } from './connection-failure.js';
import { EventStreamDecoder, EventTooLong, looksLikeEvents, type ServerEvent } from './event-stream.js';
import { brokenStream, type FailureContext, silence, statusFailure, strangeAnswer, streamFailure, tooLong } from './failure.js';
import { asObject, type JsonObject, parseJson } from './json.js';
import { type StoreRefusal, storeRefusal } from './stored-chain.js';
import { Watchdog } from './watchdog.js';

/** What one exchange is made of. */
export interface ExchangeOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Longest silence, before the first byte and between any two. */
  readonly idleMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly context: FailureContext;
  /** Bytes of one event, and of a whole answer. */
  readonly most: { readonly event: number; readonly answer: number };
  /** The events that a whole (not streamed) answer stands for, or null when it is none of this protocol. */
  wholeAnswer(json: JsonObject): readonly JsonObject[] | null;
}

/** Error bodies are read up to here. */
const ERROR_BODY_LIMIT = 64 * 1024;
/** Enough to tell an event stream from anything else. */
const HEAD_BYTES = 64;
/** So long the end of the body is waited for behind the `[DONE]` line (milliseconds): a line that was read to its end can be used again. */
const DRAIN_MS = 1000;

/** One request. Give `fetch` to the SDK; dispose when the answer was read or given up. */
export class Exchange implements Disposable {
  readonly #options: ExchangeOptions;
  readonly #controller = new AbortController();
  readonly #watchdog: Watchdog;
  readonly #unlink: Disposable;
  readonly #signal: AbortSignal;
  #failure: BuddyError | null = null;
  #timedOut = false;
  /** The answer is whole: whatever happens to the line now is no failure. Taken back when another one begins behind it. */
  #complete = false;
  /** What `settle` was told last. */
  #restMs: number | null = null;
  /** The end of the body is read in the background. */
  #draining = false;
  #disposed = false;
  /** True when the stream had its `[DONE]` line. */
  sawDone = false;
  /** The part of the request that the server refuses, when it can be left out. */
  refused: Concession | null = null;
  /** What the server refuses of keeping the conversation; null: nothing. */
  refusedStore: StoreRefusal | null = null;
  /** To be set when something of the answer was shown. */
  shown = false;

  constructor(options: ExchangeOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    const onAbort = () => this.#controller.abort();
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    this.#unlink = disposable(() => signal.removeEventListener('abort', onAbort));
    this.#watchdog = new Watchdog(options.clock, options.idleMs, () => {
      this.#timedOut = !this.#complete;
      this.#controller.abort();
    });
  }

  /**
   * To be told after each event how long the rest of the stream is worth waiting for, in milliseconds; null while the answer goes on.
   * Neither comments nor events that change nothing make it longer: a server may keep the line alive for ever.
   */
  settle(restMs: number | null): void {
    if (restMs === this.#restMs) return;
    this.#restMs = restMs;
    this.#complete = restMs !== null || this.sawDone;
    this.#watchdog.hurry(restMs ?? this.#options.idleMs);
  }

  /** Fires when the caller cancelled or the server was silent for too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A fetch for the SDK: only our headers go out, and only a readable event stream comes back. */
  readonly fetch: Fetch = async (input, init) => {
    const { fetch, headers, context } = this.#options;
    // A redirect is not followed: the key belongs to the address it was given for, and a POST would become a GET.
    const response = await fetch(input, { ...init, headers: { ...headers }, redirect: 'manual', signal: this.signal }).catch(
      (thrown: unknown) => {
        throw this.#fail(this.signal.aborted ? this.#stopped() : connectionFailure(thrown, context));
      },
    );
    this.#watchdog.touch();
    if (!response.ok) {
      const body = await this.#readText(response, ERROR_BODY_LIMIT);
      this.refused = refusedBy(response.status, body);
      this.refusedStore = storeRefusal(response.status, body);
      throw this.#fail(statusFailure(response.status, response.headers, body, context));
    }
    return new Response(ReadableStream.from(this.#events(response)) as unknown as ReadableStream<Uint8Array>, {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
    });
  };

  /** What `thrown` really was: an AbortError for the caller's own cancel, else a BuddyError `model.*`. */
  explain(thrown: unknown): Error {
    if (this.#signal.aborted) return abortError();
    if (this.#timedOut) return silence(this.#options.idleMs, this.shown, this.#options.context);
    if (this.#failure !== null) return this.#failure;
    if (thrown instanceof BuddyError) return thrown;
    const body = asObject(thrown)?.['error'];
    if (body !== undefined && body !== null) return streamFailure(body, this.shown, this.#options.context);
    if (isAbort(thrown)) return abortError();
    return brokenStream('cannot be read', this.shown, this.#options.context, thrown);
  }

  /** Throws when the loop over the answer ended because it was cancelled or silent: the SDK ends it without a word. */
  check(): void {
    if (this.#signal.aborted || this.#timedOut || this.#failure !== null) throw this.explain(null);
  }

  /** Lets go of the line: at once, or when the end behind an answer that is whole was read. */
  dispose(): void {
    this.#unlink.dispose();
    this.#disposed = true;
    if (!this.#draining) this.#letGo();
  }

  #letGo(): void {
    this.#watchdog.dispose();
    this.#controller.abort();
  }

  #fail(error: Error): Error {
    if (error instanceof BuddyError) this.#failure ??= error;
    return error;
  }

  #stopped(): Error {
    return this.#timedOut ? silence(this.#options.idleMs, this.shown, this.#options.context) : abortError();
  }

  async *#chunks(reader: Reader): AsyncGenerator<Uint8Array> {
    const { most, context } = this.#options;
    try {
      let bytes = 0;
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        bytes += read.value.length;
        if (bytes > most.answer) throw this.#fail(tooLong('answer', most.answer, this.shown, context));
        if (!this.#complete) this.#watchdog.touch();
        yield read.value;
      }
    } catch (thrown) {
      if (thrown === this.#failure) throw thrown;
      // Whatever happens to the line after the end of the answer does not matter any more.
      if (this.#complete && !this.#signal.aborted) return;
      throw this.#fail(this.signal.aborted ? this.#stopped() : brokenStream('broke off', this.shown, this.#options.context, thrown));
    }
  }

  /** Reads what is left behind the end of the answer, and lets go of the line. */
  async #drain(reader: Reader): Promise<void> {
    this.#draining = true;
    this.#watchdog.hurry(DRAIN_MS);
    try {
      while (!(await reader.read()).done);
    } catch {
      // It broke, or took too long: the answer is whole all the same.
    }
    this.#draining = false;
    if (this.#disposed) this.#letGo();
  }

  async #readText(response: Response, limit: number): Promise<string> {
    const parts: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of this.#chunks(readerOf(response))) {
        parts.push(chunk);
        size += chunk.length;
        if (size >= limit) break;
      }
    } catch (thrown) {
      // The status says enough, even when the words break off.
      if (this.signal.aborted) throw thrown;
      this.#failure = null;
    }
    return Buffer.concat(parts).toString('utf8');
  }

  /** The events of a stream, each whole and in its plainest form, or the events that any other answer stands for. */
  async *#events(response: Response): AsyncGenerator<Uint8Array> {
    const head: Uint8Array[] = [];
    let start = Buffer.alloc(0);
    let decoder: EventStreamDecoder | null = null;
    const reader = readerOf(response);
    for await (const chunk of this.#chunks(reader)) {
      if (decoder !== null) {
        yield* this.#plain(decoder, chunk);
        if (this.sawDone) return void this.#drain(reader);
        continue;
      }
      head.push(chunk);
      if (start.length < HEAD_BYTES) start = Buffer.concat([start, chunk]).subarray(0, HEAD_BYTES);
      if (!looksLikeEvents(start.toString('utf8'))) continue;
      decoder = new EventStreamDecoder(this.#options.most.event);
      yield* this.#plain(decoder, Buffer.concat(head.splice(0)));
      if (this.sawDone) return void this.#drain(reader);
    }
    if (decoder !== null) {
      yield* this.#plain(decoder, null);
      return;
    }
    const text = Buffer.concat(head)
      .toString('utf8')
      .replace(/^\ufeff/, '');
    if (text.trim() === '') throw this.#fail(brokenStream('is empty', this.shown, this.#options.context));
    yield* this.#fromWholeAnswer(text);
  }

  /** What `bytes` complete, or what is left when there are no more. */
  *#plain(decoder: EventStreamDecoder, bytes: Uint8Array | null): Generator<Uint8Array> {
    let events: readonly ServerEvent[];
    try {
      events = bytes === null ? decoder.end() : decoder.push(bytes);
    } catch (thrown) {
      if (!(thrown instanceof EventTooLong)) throw thrown;
      throw this.#fail(tooLong('event', this.#options.most.event, this.shown, this.#options.context));
    }
    for (const event of events) {
      if (event.data.startsWith('[DONE]')) {
        this.sawDone = true;
        this.#complete = true;
        yield Buffer.from('data: [DONE]\n\n');
        return;
      } else if (!this.#complete || !isFailure(event)) {
        // A failure that is told after the end of the answer is none of the answer's.
        yield Buffer.from(`data: ${asOneError(event).replaceAll('\n', '\ndata: ')}\n\n`);
      }
    }
  }

  *#fromWholeAnswer(text: string): Generator<Uint8Array> {
    const { context } = this.#options;
    const json = parseJson(text);
    const object = asObject(json);
    if (json !== undefined && (Array.isArray(json) || (object !== null && (object['error'] ?? null) !== null))) {
      throw this.#fail(streamFailure(json, this.shown, context));
    }
    const events = object === null ? null : this.#options.wholeAnswer(object);
    if (events === null) throw this.#fail(strangeAnswer(text, context));
    for (const event of events) yield Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
    this.sawDone = true;
    yield Buffer.from('data: [DONE]\n\n');
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function readerOf({ body }: Response): Reader {
  return (body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() })).getReader();
}

function isFailure({ name, data }: ServerEvent): boolean {
  return name === 'error' || (asObject(parseJson(data))?.['error'] ?? null) !== null;
}

/** The data of an event; what is called an error and does not say so inside gets the usual form. */
function asOneError({ name, data }: ServerEvent): string {
  if (name !== 'error') return data;
  const json = parseJson(data);
  const object = asObject(json);
  return object !== null && ('error' in object || object['type'] === 'error') ? data : JSON.stringify({ error: json ?? data });
}
