/** Waiting for a promise, but not for ever. */

import type { Clock } from './clock.js';

/** True when `promise` settles within `ms`, false when the time is over or `signal` fires first. */
export function settledWithin(promise: Promise<unknown>, ms: number, clock: Clock, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (settled: boolean) => {
      timer.dispose();
      signal?.removeEventListener('abort', onAbort);
      resolve(settled);
    };
    const onAbort = () => finish(false);
    const timer = clock.after(ms, () => finish(false));
    if (signal?.aborted === true) return finish(false);
    signal?.addEventListener('abort', onAbort, { once: true });
    promise.then(
      () => finish(true),
      () => finish(true),
    );
  });
}
