/** When the lists of a server are asked for anew: however often it says that they have changed, it is asked once in a while. */

import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';

/** What a server lists. */
export type ListKind = 'tools' | 'prompts' | 'resources';

/** At most so often (milliseconds). */
const OFTEN_MS = 500;
/** From so many times on each wait is twice the one before, up to the longest, until it has been quiet for as long. */
const FREE = 4;
const LONGEST_MS = 60_000;

/** Owns the timer. */
export class Relisting {
  readonly #clock: Clock;
  readonly #ask: (what: readonly ListKind[]) => void;
  readonly #changed = new Set<ListKind>();
  #timer: Disposable | null = null;
  #times = 0;
  #lastMs = 0;

  constructor(clock: Clock, ask: (what: readonly ListKind[]) => void) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** The server says that this has changed. */
  changed(what: ListKind): void {
    this.#changed.add(what);
    if (this.#timer !== null) return;
    if (this.#clock.monotonic() - this.#lastMs > LONGEST_MS) this.#times = 0;
    const waitMs = Math.min(LONGEST_MS, OFTEN_MS * 2 ** Math.max(0, this.#times - FREE));
    this.#timer = this.#clock.after(waitMs, () => {
      const what = [...this.#changed];
      this.stop();
      this.#times++;
      this.#lastMs = this.#clock.monotonic();
      this.#ask(what);
    });
  }

  /** Nobody is asked any more for what was said so far. */
  stop(): void {
    this.#timer?.dispose();
    this.#timer = null;
    this.#changed.clear();
  }
}
