/** A typed event: one side fires, many listen (after xterm.js `common/Event.ts`). */

import { type Disposable, disposable } from './disposable.js';

/** Subscribe to it; the answer ends the subscription. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The firing side of an Event. Listeners are called in the order they came, synchronously. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** The listening side, to be handed out. */
  readonly event: Event<T> = (listener) => {
    const own = (value: T) => listener(value);
    this.#listeners.add(own);
    return disposable(() => this.#listeners.delete(own));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
