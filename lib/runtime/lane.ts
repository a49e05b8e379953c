/** The prompt lane: one prompt runs, the others wait where they can be seen and changed. */

import type { Brings, QueueChange } from '../protocol/commands.js';
import type { QueuedText, RuntimeEvent } from '../protocol/events.js';

/** How many of the texts that wait are told at a time. */
export interface QueueModes {
  /** Between two requests of the running prompt. */
  readonly steering: 'one' | 'all';
  /** When a prompt has ended; `all` makes one prompt of them. */
  readonly followUp: 'one' | 'all';
}

/** What a person said, with what comes with it. */
export interface Said extends Brings {
  readonly text: string;
  /** Whose words they are when they are a stranger's, in the person's name: `server:prompt`. */
  readonly from?: string | undefined;
}

/** What a command says, and nothing else of it. */
export function saidBy({ text, mentions, images }: Said): Said {
  return { text, ...(mentions === undefined ? {} : { mentions }), ...(images === undefined ? {} : { images }) };
}

/** Texts that wait. Steering goes into the running prompt, follow-ups become prompts of their own. */
export class PromptLane {
  readonly #emit: (event: RuntimeEvent) => void;
  readonly #modes: QueueModes;
  #waiting: readonly QueuedText[] = [];
  /** What comes with those that wait, by their id. */
  readonly #brings = new Map<string, Omit<Said, 'text'>>();
  #count = 0;

  constructor(emit: (event: RuntimeEvent) => void, modes: QueueModes = { steering: 'all', followUp: 'one' }) {
    this.#emit = emit;
    this.#modes = modes;
  }

  add({ text, ...brings }: Said, mode: QueuedText['mode']): void {
    this.#count++;
    const id = `q${this.#count}`;
    this.#brings.set(id, brings);
    this.#change([...this.#waiting, { id, text, mode }]);
  }

  /** Takes every steering text, or the first one. */
  takeSteering(): readonly Said[] {
    const steering = this.#waiting.filter((entry) => entry.mode === 'steer');
    const taken = this.#modes.steering === 'all' ? steering : steering.slice(0, 1);
    const said = taken.map((entry) => this.#said(entry));
    if (taken.length > 0) this.#change(this.#waiting.filter((entry) => !taken.includes(entry)));
    return said;
  }

  /** Takes the next text of any kind, or all of them as one, to be a prompt of its own; null when none waits. */
  takeNext(): Said | null {
    const taken = this.#modes.followUp === 'all' ? this.#waiting : this.#waiting.slice(0, 1);
    if (taken.length === 0) return null;
    const said = taken.map((entry) => this.#said(entry));
    this.#change(this.#waiting.slice(taken.length));
    const [only] = said;
    return said.length === 1 && only !== undefined ? only : joined(said);
  }

  /** Takes everything out and hands it back to whoever typed it. */
  giveBack(): void {
    if (this.#waiting.length === 0) return;
    const texts = this.#waiting.map((entry) => entry.text);
    this.#change([]);
    this.#emit({ type: 'queue.returned', texts });
  }

  /** Changes one that waits. Answers why it cannot be done, or null: it may have been told meanwhile. */
  edit(id: string, change: QueueChange): string | null {
    const at = this.#waiting.findIndex((entry) => entry.id === id);
    const entry = this.#waiting[at];
    if (entry === undefined) return 'that text does not wait any more';
    if (change === 'earlier' || change === 'later') return this.#move(at, change === 'earlier' ? -1 : 1);
    this.#change(this.#waiting.filter((other) => other !== entry));
    if (change === 'take') this.#emit({ type: 'queue.returned', texts: [entry.text] });
    return null;
  }

  /** Changes places with the next one of its kind in that direction: only among those the order means something. */
  #move(at: number, by: 1 | -1): string | null {
    const { mode } = this.#waiting[at] ?? {};
    let to = at + by;
    while (this.#waiting[to] !== undefined && this.#waiting[to]?.mode !== mode) to += by;
    const [one, other] = [this.#waiting[at], this.#waiting[to]];
    if (one === undefined || other === undefined) return `it is the ${by < 0 ? 'first' : 'last'} of its kind already`;
    this.#change(this.#waiting.map((entry) => (entry === one ? other : entry === other ? one : entry)));
    return null;
  }

  #said({ id, text }: QueuedText): Said {
    return { text, ...this.#brings.get(id) };
  }

  #change(waiting: readonly QueuedText[]): void {
    this.#waiting = waiting;
    for (const id of this.#brings.keys()) if (!waiting.some((entry) => entry.id === id)) this.#brings.delete(id);
    this.#emit({ type: 'queue.changed', waiting });
  }
}

/** Several as one. */
function joined(said: readonly Said[]): Said {
  const images = said.flatMap((one) => one.images ?? []);
  return {
    text: said.map(({ text }) => text).join('\n\n'),
    mentions: said.map(({ text, mentions = text }) => mentions).join('\n\n'),
    ...(images.length === 0 ? {} : { images }),
  };
}
