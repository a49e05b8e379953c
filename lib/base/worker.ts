/** The only file that starts worker threads: work on hostile input, and programs of others, that must neither hold up the screen nor take all memory. */

import { StringDecoder } from 'node:string_decoder';
import { Worker } from 'node:worker_threads';
import type { Clock } from './clock.js';
import { abortError, BuddyError, messageOf } from './errors.js';
import { systemCode } from './files.js';

/** What one piece of work may take. */
export interface WorkerLimits {
  readonly clock: Clock;
  readonly timeMs: number;
  /** Of JavaScript's own heap. */
  readonly memoryMb: number;
}

/**
 * The first message of the worker at `path` (compiled) to which `input` was given. It has no environment and is ended afterwards.
 * Rejects with `worker.time`, `worker.memory`, `worker.failed`, or an AbortError when `signal` fires.
 */
export function runWorker(path: string, input: unknown, limits: WorkerLimits, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortError());
    const worker = new Worker(path, {
      workerData: input,
      env: {},
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    const settle = (end: () => void) => {
      timer.dispose();
      signal.removeEventListener('abort', onAbort);
      worker.removeAllListeners();
      // What it still says while it is being ended is nobody's business.
      worker.on('error', () => undefined);
      void worker.terminate().then(end, end);
    };
    const fail = (error: Error) => settle(() => reject(error));
    const onAbort = () => fail(abortError());
    const timer = limits.clock.after(limits.timeMs, () =>
      fail(new BuddyError('worker.time', `it was not done after ${Math.round(limits.timeMs / 100) / 10} s`)),
    );
    signal.addEventListener('abort', onAbort, { once: true });
    worker.once('message', (message: unknown) => settle(() => resolve(message)));
    worker.once('error', (thrown: unknown) =>
      fail(
        systemCode(thrown) === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new BuddyError('worker.memory', `it needed more than ${limits.memoryMb} MB`)
          : new BuddyError('worker.failed', messageOf(thrown), { cause: thrown }),
      ),
    );
    worker.once('exit', (code) => fail(new BuddyError('worker.failed', `it ended with ${code} and said nothing`)));
  });
}

/** What a worker that stays is started with. */
export interface LastingOptions {
  readonly input: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of JavaScript's own heap. */
  readonly memoryMb: number;
  onMessage(message: unknown): void;
  /** What it prints. */
  onOutput(text: string): void;
  /** Once, however it ends, but not by `end`: why, in words. */
  onGone(why: string): void;
}

/** A worker that stays until it is ended. The process does not wait for it. */
export interface LastingWorker {
  post(message: unknown): void;
  /** Ends it at once, whatever it does. Resolves when it is gone; nothing is told any more. */
  end(): Promise<void>;
}

/** Starts the worker at `path` (compiled). It has only the environment that is given. */
export function startWorker(path: string, { input, env, memoryMb, onMessage, onOutput, onGone }: LastingOptions): LastingWorker {
  const worker = new Worker(path, {
    workerData: input,
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as NodeJS.Dict<string>,
    execArgv: [],
    argv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  let isGone = false;
  const gone = (why: string) => {
    if (isGone) return;
    isGone = true;
    onGone(why);
  };
  worker.unref();
  worker.on('message', (message: unknown) => (isGone ? undefined : onMessage(message)));
  for (const stream of [worker.stdout, worker.stderr]) {
    const decoder = new StringDecoder('utf8');
    stream.on('data', (bytes: Buffer) => onOutput(decoder.write(bytes)));
  }
  worker.on('error', (thrown: unknown) => {
    const isMemory = systemCode(thrown) === 'ERR_WORKER_OUT_OF_MEMORY';
    gone(isMemory ? `it needed more than ${memoryMb} MB` : `it fell: ${messageOf(thrown)}`);
  });
  worker.on('exit', (code) => gone(`it ended itself (exit code ${code})`));
  return {
    post(message) {
      if (!isGone) worker.postMessage(message);
    },
    async end() {
      isGone = true;
      await worker.terminate().catch(() => undefined);
    },
  };
}
