/** The prompt lane: one prompt runs, the others wait where they can be seen. */

import type { QueuedText, RuntimeEvent } from '../protocol/events.js';

/** Texts that wait. Steering goes into the running prompt, follow-ups become prompts of their own. */
export class PromptLane {
  readonly #emit: (event: RuntimeEvent) => void;
  #waiting: readonly QueuedText[] = [];
  #count = 0;

  constructor(emit: (event: RuntimeEvent) => void) {
    this.#emit = emit;
  }

  add(text: string, mode: QueuedText['mode']): void {
    this.#count++;
    this.#change([...this.#waiting, { id: `q${this.#count}`, text, mode }]);
  }

  /** Takes every steering text. */
  takeSteering(): readonly string[] {
    const steering = this.#waiting.filter((entry) => entry.mode === 'steer');
    if (steering.length > 0) this.#change(this.#waiting.filter((entry) => entry.mode !== 'steer'));
    return steering.map((entry) => entry.text);
  }

  /** Takes the next text of any kind, to be a prompt of its own; null when none waits. */
  takeNext(): string | null {
    const [next, ...rest] = this.#waiting;
    if (next === undefined) return null;
    this.#change(rest);
    return next.text;
  }

  /** Takes everything out and hands it back to whoever typed it. */
  giveBack(): void {
    if (this.#waiting.length === 0) return;
    const texts = this.#waiting.map((entry) => entry.text);
    this.#change([]);
    this.#emit({ type: 'queue.returned', texts });
  }

  #change(waiting: readonly QueuedText[]): void {
    this.#waiting = waiting;
    this.#emit({ type: 'queue.changed', waiting });
  }
}
