/** The whole of what a front end holds of the runtime. */

import type { Event } from '../base/emitter.js';
import type { RuntimeCommand, TaskId } from './commands.js';
import type { RuntimeEventEnvelope } from './events.js';

/** What became of a command. */
export interface CommandAnswer {
  /** Why it was refused, as in `command.refused`; null: it was taken. */
  readonly refused: string | null;
  /** The task that it began; null: none. */
  readonly task: TaskId | null;
}

export interface RuntimePort {
  /** Every event from now on, in order, synchronously. */
  readonly onEvent: Event<RuntimeEventEnvelope>;
  /** Puts a command on the actor's queue; it never throws and never waits. `answered` is told once, after the events that it made at once. */
  send(command: RuntimeCommand, answered?: (answer: CommandAnswer) => void): void;
}
