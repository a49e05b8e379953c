/** Silence noticed: of a server that says nothing any more. */

import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';

/** Fires once when nobody touched it for `idleMs`. One timer, whatever the number of touches. */
export class Watchdog implements Disposable {
  readonly #clock: Clock;
  #idleMs: number;
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

  /** From now on it fires after `idleMs`. */
  hurry(idleMs: number): void {
    this.#idleMs = idleMs;
    this.#timer.dispose();
    this.touch();
    this.#timer = this.#clock.after(idleMs, () => this.#look());
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
