/** Starts `buddy-tui rpc` and speaks with it. */

import { execPath, env as ownEnv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { ByteLines } from '../base/byte-lines.js';
import { systemClock } from '../base/clock.js';
import { type Disposable, disposable } from '../base/disposable.js';
import { abortError, BuddyError, type ErrorCode } from '../base/errors.js';
import { type Child, startProcess } from '../base/process.js';
import { settledWithin } from '../base/settled.js';
import type { RuntimeEventEnvelope } from '../protocol/events.js';
import {
  MOST_LINE_BYTES as MOST_REQUEST_BYTES,
  PROTOCOL_VERSION,
  type ReplyData,
  type StreamHeader,
  type WireLine,
  type WireReply,
  type WireRequest,
} from '../protocol/wire.js';
import type { AnswerTo, BuddyClient, ClientEnd, ClientOptions } from './client.js';

/** One that was asked for and not answered yet. */
interface Asked {
  resolve(data: ReplyData | undefined): void;
  reject(error: Error): void;
}

/** Longer than any line that means something (bytes). */
const MOST_LINE_BYTES = 512 * 1024 * 1024;
/** Characters of what is said to people that are kept. */
const KEPT_MESSAGES = 8000;
/** How long the program may take to end in order, then after SIGTERM (milliseconds). */
const END_MS = 15_000;
const TERM_MS = 5000;

/** Starts the program. Resolves once it speaks; rejects with a BuddyError (`client.start`, `client.protocol`) when it does not. */
export async function connect(options: ClientOptions = {}): Promise<BuddyClient> {
  const { signal, command = [execPath, fileURLToPath(new URL('../../bin/buddy-tui.js', import.meta.url))], args = [] } = options;
  if (signal?.aborted === true) throw abortError();
  const [file, ...before] = command;
  const folder = options.cwd === undefined ? {} : { cwd: options.cwd };
  const client = new Connection(startProcess(file, [...before, 'rpc', ...args], { env: options.env ?? ownEnv, ...folder }), (text) =>
    options.onMessage?.(text),
  );
  const onAbort = () => void client.close();
  signal?.addEventListener('abort', onAbort, { once: true });
  void client.ended.then(() => signal?.removeEventListener('abort', onAbort));
  await client.started;
  return client;
}

/** The line to one running program. */
class Connection implements BuddyClient {
  readonly #child: Child;
  readonly #asked = new Map<number, Asked>();
  readonly #listeners = new Set<(envelope: RuntimeEventEnvelope) => void>();
  /** What came before anybody listened. */
  #early: RuntimeEventEnvelope[] = [];
  #header: StreamHeader | null = null;
  #count = 0;
  #messages = '';
  #end: ClientEnd | null = null;
  #begin: (why: BuddyError | null) => void = () => undefined;
  /** Resolves when the first line has come; rejects with `client.*`. */
  readonly started: Promise<void>;
  readonly ended: Promise<ClientEnd>;

  constructor(child: Child, onMessage: (text: string) => void) {
    this.#child = child;
    this.started = new Promise((resolve, reject) => {
      this.#begin = (why) => (why === null ? resolve() : reject(why));
    });
    const lines = new ByteLines(MOST_LINE_BYTES);
    child.stdout.on('data', (bytes: Uint8Array) => {
      for (const line of lines.take(bytes)) this.#heard('text' in line ? line.text : '');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#messages = (this.#messages + text).slice(-KEPT_MESSAGES);
      onMessage(text);
    });
    this.ended = child.ended.then(({ code, signal, error }) => this.#onEnd({ code, signal, messages: this.#messages }, error));
  }

  get header(): StreamHeader {
    if (this.#header === null) throw new BuddyError('client.start', 'the program has not begun to speak');
    return this.#header;
  }

  onEvent(listener: (envelope: RuntimeEventEnvelope) => void): Disposable {
    const own = (envelope: RuntimeEventEnvelope) => listener(envelope);
    this.#listeners.add(own);
    for (const envelope of this.#early.splice(0)) told(listener, envelope);
    return disposable(() => this.#listeners.delete(own));
  }

  async *events(): AsyncGenerator<RuntimeEventEnvelope, void, undefined> {
    const waiting: RuntimeEventEnvelope[] = [];
    let wake: () => void = () => undefined;
    const listening = this.onEvent((envelope) => {
      waiting.push(envelope);
      wake();
    });
    void this.ended.then(() => wake());
    try {
      for (;;) {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) yield next;
        if (this.#end !== null) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      listening.dispose();
    }
  }

  send(command: WireRequest): void {
    this.#write(written(command));
  }

  request<const T extends WireRequest>(command: T, signal?: AbortSignal): Promise<AnswerTo<T['type']>> {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(abortError());
      if (this.#end !== null) return reject(endedError(this.#end));
      // Before anything waits for an answer: what cannot be written throws.
      const line = written({ id, ...command });
      const onAbort = () => settle(() => reject(abortError()));
      const settle = (how: () => void) => {
        this.#asked.delete(id);
        signal?.removeEventListener('abort', onAbort);
        how();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#asked.set(id, {
        resolve: (data) => settle(() => resolve((data ?? { task: null }) as AnswerTo<T['type']>)),
        reject: (error) => settle(() => reject(error)),
      });
      this.#write(line);
    });
  }

  async close({ keep = false }: { readonly keep?: boolean } = {}): Promise<ClientEnd> {
    if (keep) this.#write(written({ type: 'runtime.shutdown', keep }));
    this.#child.stdin.end();
    if (await settledWithin(this.ended, END_MS, systemClock)) return this.ended;
    this.#child.kill('SIGTERM');
    if (!(await settledWithin(this.ended, TERM_MS, systemClock))) this.#child.kill('SIGKILL');
    return this.ended;
  }

  #write(line: string): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(line);
  }

  #heard(text: string): void {
    const line = lineOf(text);
    if (line === null) this.#fail(new BuddyError('client.protocol', 'what the program wrote is no line of the protocol'));
    else if (!('event' in line)) this.#answered(line);
    else if (line.event.type !== 'stream.header') this.#tell(line as RuntimeEventEnvelope);
    else if ((line.event.protocol as number) === PROTOCOL_VERSION) {
      this.#header = line.event;
      this.#begin(null);
    } else {
      const message = `the program speaks version ${line.event.protocol} of the protocol, this client version ${PROTOCOL_VERSION}`;
      this.#fail(new BuddyError('client.protocol', message));
    }
  }

  #tell(envelope: RuntimeEventEnvelope): void {
    if (this.#listeners.size === 0) this.#early.push(envelope);
    for (const listener of [...this.#listeners]) told(listener, envelope);
  }

  #answered(reply: WireReply): void {
    const asked = typeof reply.id === 'number' ? this.#asked.get(reply.id) : undefined;
    if (reply.ok) asked?.resolve(reply.data);
    else asked?.reject(new BuddyError(reply.error.code as ErrorCode, reply.error.message));
  }

  #fail(why: BuddyError): void {
    this.#begin(why);
    void this.close();
  }

  #onEnd(end: ClientEnd, error: Error | null): ClientEnd {
    this.#end = error === null ? end : { ...end, messages: error.message };
    const why = endedError(this.#end);
    this.#begin(new BuddyError('client.start', why.message));
    for (const asked of [...this.#asked.values()]) asked.reject(why);
    return this.#end;
  }
}

/** The line of a request. Throws `rpc.line` for one that the program would not read: nobody could say what it was the answer to. */
function written(request: WireRequest & { readonly id?: number }): string {
  const line = `${JSON.stringify(request)}\n`;
  if (Buffer.byteLength(line) <= MOST_REQUEST_BYTES) return line;
  throw new BuddyError('rpc.line', `a request is no longer than ${MOST_REQUEST_BYTES / 1024 / 1024} MiB`);
}

/** A listener that throws takes no event from the others, and no answer from whoever waits for it: what it throws is thrown on its own. */
function told(listener: (envelope: RuntimeEventEnvelope) => void, envelope: RuntimeEventEnvelope): void {
  try {
    listener(envelope);
  } catch (thrown) {
    queueMicrotask(() => {
      throw thrown;
    });
  }
}

function lineOf(text: string): WireLine | null {
  try {
    const line = JSON.parse(text) as WireLine | null;
    return typeof line === 'object' && line !== null && ('event' in line || 'ok' in line) ? line : null;
  } catch {
    return null;
  }
}

function endedError({ code, signal, messages }: ClientEnd): BuddyError {
  const how = code === null ? (signal === null ? 'could not be started' : `was ended by ${signal}`) : `has ended with exit code ${code}`;
  return new BuddyError('client.ended', `the program ${how}${messages.trim() === '' ? '' : `: ${messages.trim()}`}`);
}
