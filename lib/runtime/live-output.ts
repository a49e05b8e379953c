/** A running command's output on its way to the screen: gathered, so that a flood becomes a few events. */

import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';

/** At most this often an event (milliseconds): two frames. */
const GATHER_MS = 33;
/** Of one gathering only the end is shown; the whole is in the tool's result. */
const KEPT_CHARACTERS = 8192;

/** One per call. */
export class LiveOutput {
  readonly #clock: Clock;
  readonly #emit: (text: string) => void;
  #gathered = '';
  #timer: Disposable | null = null;

  constructor(clock: Clock, emit: (text: string) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  add(chunk: string): void {
    this.#gathered += chunk;
    if (this.#gathered.length > 2 * KEPT_CHARACTERS) this.#gathered = this.#gathered.slice(-KEPT_CHARACTERS);
    this.#timer ??= this.#clock.after(GATHER_MS, () => this.#flush());
  }

  /** Sends what is left. */
  end(): void {
    this.#timer?.dispose();
    this.#flush();
  }

  #flush(): void {
    this.#timer = null;
    if (this.#gathered === '') return;
    const text = this.#gathered.slice(-KEPT_CHARACTERS);
    this.#gathered = '';
    this.#emit(text);
  }
}
