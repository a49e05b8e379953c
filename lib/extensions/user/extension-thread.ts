/** One thread of an extension, seen from the program: questions and answers, and the end of it when it gives no sign of life. */

import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/disposable.js';
import { abortError, BuddyError } from '../../base/errors.js';
import { isTooDeep } from '../../base/json-depth.js';
import { type LastingWorker, startWorker } from '../../base/worker.js';
import { type Asked, LARGEST_MESSAGE, type ThreadInput, type ToThread } from './messages.js';

/** How long loading may take, and how long no sign of life may come (milliseconds). */
const LOAD_MS = 10_000;
const PING_MS = 1000;
const MOST_UNANSWERED = 5;
/** Of an extension's own heap. */
const MEMORY_MB = 256;
/** More messages in a second than that are no conversation. */
const MOST_MESSAGES = 2000;
/** Nor can a person read more lines in a second. */
const MOST_NOTICES = 100;

/** What a thread says by itself. */
export type Said =
  | { readonly type: 'log' | 'notify'; readonly text: string }
  | { readonly type: 'widget'; readonly id: string; readonly widget: unknown };

export interface ThreadOptions {
  readonly clock: Clock;
  /** The compiled thread. */
  readonly script: string;
  readonly input: ThreadInput;
  readonly env: Readonly<Record<string, string | undefined>>;
  onSaid(said: Said): void;
  /** Once, when it is gone and nobody ended it: why. */
  onGone(why: string): void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (thrown: Error) => void;
  readonly report: (text: string) => void;
}

type Fields = Readonly<Record<string, unknown>>;

/** Owns the thread. */
export class ExtensionThread {
  readonly #options: ThreadOptions;
  readonly #worker: LastingWorker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #timers: Disposable[] = [];
  /** Of what it says that it has. Rejects with why it could not be loaded. */
  readonly manifest: Promise<unknown>;
  #settleManifest: Omit<Waiting, 'report'> = { resolve: () => undefined, reject: () => undefined };
  #count = 0;
  #unanswered = 0;
  #messages = 0;
  #notices = 0;
  #isOver = false;
  #isLoaded = false;

  constructor(options: ThreadOptions) {
    const { clock, script, input, env } = options;
    this.#options = options;
    this.manifest = new Promise((resolve, reject) => {
      this.#settleManifest = { resolve, reject };
    });
    this.#worker = startWorker(script, {
      ...{ input, env, memoryMb: MEMORY_MB },
      onMessage: (message) => this.#heard(message),
      onOutput: (text) => options.onSaid({ type: 'log', text }),
      onGone: (why) => this.#give(why),
    });
    this.#timers.push(clock.after(LOAD_MS, () => this.#give(`it was not loaded after ${LOAD_MS / 1000} s`)));
  }

  /** What it answers. Rejects with what it threw, with an AbortError when the signal fires, or when it is gone. */
  ask(asked: Asked, signal: AbortSignal, report: (text: string) => void = () => undefined): Promise<unknown> {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      if (this.#isOver) return reject(new BuddyError('extension.gone', 'the extension is not there any more'));
      if (signal.aborted) return reject(abortError());
      const settle = (end: () => void) => {
        this.#waiting.delete(id);
        signal.removeEventListener('abort', onAbort);
        end();
      };
      const onAbort = () => {
        this.#post({ type: 'abort', id });
        settle(() => reject(abortError()));
      };
      this.#waiting.set(id, {
        resolve: (value) => settle(() => resolve(value)),
        reject: (thrown) => settle(() => reject(thrown)),
        report,
      });
      signal.addEventListener('abort', onAbort, { once: true });
      if (!this.#post({ type: 'ask', id, ...asked }))
        this.#waiting.get(id)?.reject(new BuddyError('extension.size', 'there is too much in it for an extension'));
    });
  }

  /** Ends it, whatever it does. */
  async end(): Promise<void> {
    this.#close('the extension was ended');
    await this.#worker.end();
  }

  #post(message: ToThread): boolean {
    const text = JSON.stringify(message);
    if (text.length > LARGEST_MESSAGE) return false;
    this.#worker.post(text);
    return true;
  }

  #heard(message: unknown): void {
    if (this.#isOver) return;
    if (++this.#messages > MOST_MESSAGES) return void this.#give(`it sent more than ${MOST_MESSAGES} messages in a second`);
    if (typeof message !== 'string' || message.length > LARGEST_MESSAGE)
      return void this.#give('it sent a message that is too large or none of its kind');
    const said = parsed(message);
    if (said === null) return void this.#give('it sent a message that cannot be read');
    const text = (key: string) => String(said[key] ?? '');
    const waiting = typeof said['id'] === 'number' ? this.#waiting.get(said['id']) : undefined;
    // Whoever writes it down again would not come to its end.
    if (isTooDeep(message)) {
      if (waiting === undefined) return void this.#give('it sent a message that is nested too deep');
      return void waiting.reject(new BuddyError('extension.answer', 'it answered with something that is nested too deep'));
    }
    switch (said['type']) {
      case 'loaded':
        return void this.#loaded(said['manifest']);
      case 'unloadable':
        return void this.#give(text('why'));
      case 'answer':
        return void waiting?.resolve(said['value']);
      case 'thrown':
        return void waiting?.reject(new BuddyError('extension.failed', text('why')));
      case 'report':
        return void waiting?.report(text('text'));
      case 'pong':
        this.#unanswered = 0;
        return;
      case 'notify':
        if (++this.#notices > MOST_NOTICES) return void this.#give(`it told more than ${MOST_NOTICES} notices in a second`);
        return void this.#options.onSaid({ type: 'notify', text: text('text') });
      case 'log':
        return void this.#options.onSaid({ type: 'log', text: text('text') });
      case 'widget':
        return void this.#options.onSaid({ type: 'widget', id: text('id'), widget: said['widget'] });
      default:
        this.#give('it sent a message that cannot be read');
    }
  }

  #loaded(manifest: unknown): void {
    if (this.#isLoaded) return void this.#give('it said twice what it has');
    this.#isLoaded = true;
    this.#settleManifest.resolve(manifest);
    for (const timer of this.#timers.splice(0)) timer.dispose();
    this.#timers.push(
      this.#options.clock.every(PING_MS, () => {
        this.#messages = 0;
        this.#notices = 0;
        if (this.#unanswered >= MOST_UNANSWERED)
          return void this.#give(`it gave no sign of life for ${(MOST_UNANSWERED * PING_MS) / 1000} s`);
        this.#unanswered++;
        this.#post({ type: 'ping', id: 0 });
      }),
    );
  }

  /** It is no good any more. */
  #give(why: string): void {
    if (this.#isOver) return;
    this.#close(why);
    void this.#worker.end();
    this.#options.onGone(why);
  }

  #close(why: string): void {
    this.#isOver = true;
    for (const timer of this.#timers.splice(0)) timer.dispose();
    const gone = new BuddyError('extension.gone', why);
    this.#settleManifest.reject(gone);
    for (const waiting of [...this.#waiting.values()]) waiting.reject(gone);
  }
}

function parsed(message: string): Fields | null {
  try {
    const value: unknown = JSON.parse(message);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}
