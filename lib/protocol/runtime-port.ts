/** The whole of what a front end holds of the runtime. */

import type { Event } from '../base/emitter.js';
import type { RuntimeCommand } from './commands.js';
import type { RuntimeEventEnvelope } from './events.js';

export interface RuntimePort {
  /** Every event from now on, in order, synchronously. */
  readonly onEvent: Event<RuntimeEventEnvelope>;
  /** Puts a command on the actor's queue; it never throws and never waits. */
  send(command: RuntimeCommand): void;
}
