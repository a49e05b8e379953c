/** What the person said no to: so that a question that comes again says so, and a model that does not give up is stopped. */

import type { TaskId } from '../protocol/commands.js';

/** Owns the count of it, in this session and for the running prompt. */
export class Denials {
  readonly #most: () => number;
  readonly #session = new Map<string, number>();
  #task: TaskId | null = null;
  #inTask = new Map<string, number>();

  /** `most`: so many refusals of like acts end a prompt. */
  constructor(most: () => number) {
    this.#most = most;
  }

  /** The person said no. `alike`: what like acts share with it. */
  add(task: TaskId, alike: readonly string[]): void {
    if (task !== this.#task) {
      this.#task = task;
      this.#inTask = new Map();
    }
    for (const key of new Set(alike)) {
      this.#session.set(key, (this.#session.get(key) ?? 0) + 1);
      this.#inTask.set(key, (this.#inTask.get(key) ?? 0) + 1);
    }
  }

  /** How often the person said no to the like of that in this session. */
  before(alike: readonly string[]): number {
    return Math.max(0, ...alike.map((key) => this.#session.get(key) ?? 0));
  }

  /** What the person refused so often in that prompt that it ends; null: nothing. */
  tooOften(task: TaskId): { readonly what: string; readonly times: number } | null {
    const most = this.#most();
    if (task !== this.#task || most === 0) return null;
    const found = [...this.#inTask].find(([, times]) => times >= most);
    return found === undefined ? null : { what: found[0], times: found[1] };
  }

  /** Another session begins. */
  forget(): void {
    this.#session.clear();
    this.#inTask.clear();
  }
}
