/** The only file that starts worker threads: work on hostile input that must neither hold up the screen nor take all memory. */

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
