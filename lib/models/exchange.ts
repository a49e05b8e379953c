/** One request to a model server below the SDK: silence watched, odd answers recognised, errors kept whole. */

import type { Clock } from '../base/clock.js';
import { type Disposable, disposable } from '../base/disposable.js';
import { abortError, BuddyError, isAbort } from '../base/errors.js';
import type { Fetch } from '../base/http.js';
import { brokenStream, connectionFailure, type FailureContext, silence, statusFailure, strangeAnswer, streamFailure } from './failure.js';
import { asObject, type JsonObject, parseJson } from './json.js';

/** What one exchange is made of. */
export interface ExchangeOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Longest silence, before the first byte and between any two. */
  readonly idleMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly context: FailureContext;
  /** The events that a whole (not streamed) answer stands for, or null when it is none of this protocol. */
  wholeAnswer(json: JsonObject): readonly JsonObject[] | null;
}

/** Error bodies are read up to here. */
const ERROR_BODY_LIMIT = 64 * 1024;
const DONE_LINE = /[\r\n]data: ?\[DONE\]/;
/** An answer that is no stream is read up to here. */
const WHOLE_ANSWER_LIMIT = 32 * 1024 * 1024;

/** Fires once when nobody touched it for `idleMs`. One timer, whatever the number of touches. */
class Watchdog implements Disposable {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #bark: () => void;
  #lastMs: number;
  #timer: Disposable;

  constructor(clock: Clock, idleMs: number, bark: () => void) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#bark = bark;
    this.#lastMs = clock.monotonic();
    this.#timer = clock.after(idleMs, () => this.#look());
  }

  touch(): void {
    this.#lastMs = this.#clock.monotonic();
  }

  #look(): void {
    const restMs = this.#lastMs + this.#idleMs - this.#clock.monotonic();
    if (restMs <= 0) this.#bark();
    else this.#timer = this.#clock.after(restMs, () => this.#look());
  }

  dispose(): void {
    this.#timer.dispose();
  }
}

/** One request. Give `fetch` to the SDK; dispose when the answer was read or given up. */
export class Exchange implements Disposable {
  readonly #options: ExchangeOptions;
  readonly #controller = new AbortController();
  readonly #watchdog: Watchdog;
  readonly #unlink: Disposable;
  readonly #signal: AbortSignal;
  #failure: BuddyError | null = null;
  #timedOut = false;
  /** True when the stream had its `[DONE]` line. */
  sawDone = false;
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
      this.#timedOut = true;
      this.#controller.abort();
    });
  }

  /** Fires when the caller cancelled or the server was silent for too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A fetch for the SDK: only our headers go out, and only a readable event stream comes back. */
  readonly fetch: Fetch = async (input, init) => {
    const { fetch, headers, context } = this.#options;
    const response = await fetch(input, { ...init, headers: { ...headers }, signal: this.signal }).catch((thrown: unknown) => {
      throw this.#fail(this.signal.aborted ? this.#stopped() : connectionFailure(thrown, context));
    });
    this.#watchdog.touch();
    if (!response.ok) {
      const body = await this.#readText(response, ERROR_BODY_LIMIT);
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

  dispose(): void {
    this.#unlink.dispose();
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

  async *#chunks(response: Response): AsyncGenerator<Uint8Array> {
    if (response.body === null) return;
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        this.#watchdog.touch();
        yield chunk;
      }
    } catch (thrown) {
      throw this.#fail(this.signal.aborted ? this.#stopped() : brokenStream('broke off', this.shown, this.#options.context, thrown));
    }
  }

  async #readText(response: Response, limit: number): Promise<string> {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.#chunks(response)) {
      parts.push(chunk);
      size += chunk.length;
      if (size >= limit) break;
    }
    return Buffer.concat(parts).toString('utf8');
  }

  /** The bytes of an event stream as they come; any other answer as the events it stands for. */
  async *#events(response: Response): AsyncGenerator<Uint8Array> {
    const chunks = this.#chunks(response);
    const head: Uint8Array[] = [];
    let headBytes = 0;
    let start = Buffer.alloc(0);
    let tail = '';
    let streaming = false;
    for await (const chunk of chunks) {
      if (streaming) {
        tail = this.#watchForDone(tail, chunk);
        yield chunk;
        continue;
      }
      head.push(chunk);
      headBytes += chunk.length;
      if (start.length < 64) start = Buffer.concat([start, chunk]).subarray(0, 64);
      if (!looksLikeEvents(start.toString('utf8'))) {
        if (headBytes > WHOLE_ANSWER_LIMIT) break;
        continue;
      }
      streaming = true;
      const begun = Buffer.concat(head.splice(0));
      tail = this.#watchForDone('\n', begun);
      yield begun;
    }
    if (streaming) return;
    const text = Buffer.concat(head)
      .toString('utf8')
      .replace(/^\ufeff/, '');
    if (text.trim() === '') throw this.#fail(brokenStream('is empty', this.shown, this.#options.context));
    yield* this.#fromWholeAnswer(text);
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

  /** Looks for the end mark across chunk borders; answers what must be looked at again. */
  #watchForDone(tail: string, chunk: Uint8Array): string {
    const text = tail + Buffer.from(chunk).toString('latin1');
    if (DONE_LINE.test(text)) this.sawDone = true;
    return text.slice(-16);
  }
}

/** True as soon as `head` can only be an event stream (fields and comments of the WHATWG EventSource format). */
function looksLikeEvents(head: string): boolean {
  return /^\ufeff?\s*(data|event|id|retry)?:/.test(head);
}
