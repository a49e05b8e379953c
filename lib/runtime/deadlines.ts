/** Time limits of tasks: each ends its task when it has passed. */

import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';
import type { TaskId } from '../protocol/commands.js';

/** One limit for a task at most. */
export class Deadlines implements Disposable {
  readonly #clock: Clock;
  readonly #passed: (task: TaskId) => void;
  readonly #timers = new Map<TaskId, Disposable>();

  /** `passed` is told once the limit of a task has passed. */
  constructor(clock: Clock, passed: (task: TaskId) => void) {
    this.#clock = clock;
    this.#passed = passed;
  }

  /** Takes the place of the limit that the task had; null for none. Answers when it passes (clock.now()), or null. */
  set(task: TaskId, afterMs: number | null): number | null {
    this.drop(task);
    if (afterMs === null) return null;
    const timer = this.#clock.after(afterMs, () => {
      this.#timers.delete(task);
      this.#passed(task);
    });
    this.#timers.set(task, timer);
    return this.#clock.now() + afterMs;
  }

  /** The task has ended. */
  drop(task: TaskId): void {
    this.#timers.get(task)?.dispose();
    this.#timers.delete(task);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) timer.dispose();
    this.#timers.clear();
  }
}
