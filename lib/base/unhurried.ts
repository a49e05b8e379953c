/** Long lists, worked on in steps, so that keys and frames have their turn in between. */

import { type Clock, delay } from './clock.js';

/** Milliseconds of work between two pauses: a frame has 16. */
const STEP_MS = 10;

/** Gives others their turn when this has had its own for long enough. Rejects with an AbortError as soon as `signal` has fired. */
export type Pause = () => Promise<void>;

/** A pause that is taken when it is due, and costs nothing when it is not. */
export function pausing(clock: Clock, signal: AbortSignal): Pause {
  let since = clock.monotonic();
  return async () => {
    if (!signal.aborted && clock.monotonic() - since < STEP_MS) return;
    await delay(clock, 0, signal);
    since = clock.monotonic();
  };
}

/** Entries that are sorted or merged before a pause is thought of. */
const STEP = 2000;

/** `entries` in the order of `compare`, stable. */
export async function sortedInSteps<T>(entries: readonly T[], compare: (a: T, b: T) => number, pause: Pause): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < entries.length; at += STEP) {
    runs.push(entries.slice(at, at + STEP).sort(compare));
    await pause();
  }
  while (runs.length > 1) {
    const next: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) next.push(await merged(runs[at] ?? [], runs[at + 1] ?? [], compare, pause));
    runs = next;
  }
  return runs[0] ?? [];
}

async function merged<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number, pause: Pause): Promise<readonly T[]> {
  const all: T[] = [];
  let at = 0;
  for (const entry of right) {
    for (let first = left[at]; at < left.length && first !== undefined && compare(first, entry) <= 0; first = left[at]) {
      all.push(first);
      at++;
      if (all.length % STEP === 0) await pause();
    }
    all.push(entry);
    if (all.length % STEP === 0) await pause();
  }
  return all.concat(left.slice(at));
}
