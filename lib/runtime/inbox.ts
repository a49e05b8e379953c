/** The commands that wait for the actor: one is dealt with at a time, and whoever sent it can be told what became of it. */

import { BuddyError } from '../base/errors.js';
import type { RuntimeCommand } from '../protocol/commands.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { RuntimePort } from '../protocol/runtime-port.js';

/** What an inbox needs of the actor. */
export interface InboxOptions {
  /** Does what can be done now. Answers why it is refused, or null; a BuddyError is a refusal as well. */
  perform(command: RuntimeCommand): string | null;
  /** How many tasks have begun so far. */
  tasks(): number;
  emit(event: RuntimeEvent): void;
}

/** Owns the queue. */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #waiting: Parameters<RuntimePort['send']>[] = [];
  #draining = false;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** As in `RuntimePort`. */
  send(...sent: Parameters<RuntimePort['send']>): void {
    this.#waiting.push(sent);
    if (this.#draining) return;
    this.#draining = true;
    queueMicrotask(() => {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) this.#handle(...next);
      this.#draining = false;
    });
  }

  #handle(command: RuntimeCommand, answered: Parameters<RuntimePort['send']>[1]): void {
    const { perform, tasks, emit } = this.#options;
    const before = tasks();
    let refused: string | null;
    try {
      refused = perform(command);
    } catch (thrown) {
      if (!(thrown instanceof BuddyError)) throw thrown;
      refused = thrown.message;
    }
    if (refused !== null) emit({ type: 'command.refused', command: command.type, reason: refused });
    answered?.({ refused, task: tasks() === before ? null : String(before + 1) });
  }
}
