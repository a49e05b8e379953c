/** Time, injected. The only file that touches timers and the system clocks. */

import { type Disposable, disposable } from './disposable.js';
import { abortError } from './errors.js';

/** What the program knows of time. Tests hand in a `FakeClock`. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  now(): number;
  /** Monotonic clock in milliseconds; only differences mean something. */
  monotonic(): number;
  /** Calls `run` once after `ms`; disposing it first cancels. */
  after(ms: number, run: () => void): Disposable;
  /** Calls `run` every `ms` until disposed. */
  every(ms: number, run: () => void): Disposable;
}

/** The longest a timer of Node can wait; it takes a longer time for none at all (2^31 - 1 ms, 24.8 days). */
const LONGEST_TIMER_MS = 0x7fffffff;

/** The machine's clock. A timer of `after` keeps the process alive until it fired, one of `every` does not. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    let timer: NodeJS.Timeout;
    const wait = (restMs: number) => {
      const nowMs = Math.min(restMs, LONGEST_TIMER_MS);
      timer = setTimeout(() => (restMs > nowMs ? wait(restMs - nowMs) : run()), nowMs);
    };
    wait(ms);
    return disposable(() => clearTimeout(timer));
  },
  every(ms, run) {
    const timer = setInterval(run, ms);
    timer.unref();
    return disposable(() => clearInterval(timer));
  },
};

/** Stops this thread for `ms`. Only for the last steps before the process ends, when no event will come any more. */
export function pauseThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Resolves after `ms`; rejects with an AbortError as soon as `signal` fires. */
export function delay(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortError());
    const onAbort = () => {
      timer.dispose();
      reject(abortError());
    };
    const timer = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
