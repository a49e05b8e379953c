/** Time that moves only when a test says so. */

import type { Clock } from '../../lib/base/clock.js';
import { disposable } from '../../lib/base/disposable.js';

interface Timer {
  dueMs: number;
  readonly everyMs: number | null;
  readonly run: () => void;
}

/** A Clock for tests. `advance` runs what is due, in order, and lets promises settle in between. */
export class FakeClock implements Clock {
  #nowMs: number;
  #stepMs = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs = 1_700_000_000_000) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs + this.#stepMs;
  }

  /** Somebody sets the wall clock; no time passes. */
  step(ms: number): void {
    this.#stepMs += ms;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void) {
    return this.#add({ dueMs: this.#nowMs + ms, everyMs: null, run });
  }

  every(ms: number, run: () => void) {
    return this.#add({ dueMs: this.#nowMs + ms, everyMs: ms, run });
  }

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size;
  }

  async advance(ms: number): Promise<void> {
    const end = this.#nowMs + ms;
    for (;;) {
      await settle();
      const next = [...this.#timers].filter((timer) => timer.dueMs <= end).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (next === undefined) break;
      this.#nowMs = next.dueMs;
      if (next.everyMs === null) this.#timers.delete(next);
      else next.dueMs += next.everyMs;
      next.run();
    }
    this.#nowMs = end;
    await settle();
  }

  #add(timer: Timer) {
    this.#timers.add(timer);
    return disposable(() => this.#timers.delete(timer));
  }
}

/** Lets every promise that can settle now do so. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
