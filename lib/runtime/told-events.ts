/** Where every event of a run goes out: without secrets, numbered, and to whoever listens. */

import type { Clock } from '../base/clock.js';
import { Emitter, type Event } from '../base/emitter.js';
import { createSecrets, type Secrets } from '../policy/redaction.js';
import type { RuntimeEvent, RuntimeEventEnvelope } from '../protocol/events.js';
import { maskedEvents } from './masked-events.js';

/** Told of each event; of the runtime itself, before or after all others. */
export interface Listeners {
  before(event: RuntimeEvent): void;
  after(event: RuntimeEvent, tsMs: number): void;
}

/** One per runtime. */
export class ToldEvents {
  readonly #clock: Clock;
  readonly #masked: ReturnType<typeof maskedEvents>;
  readonly #listeners: Listeners;
  readonly #events = new Emitter<RuntimeEventEnvelope>();
  #seq = 0;

  /** Without secrets only what looks like one is masked. */
  constructor(clock: Clock, secrets: Secrets | undefined, listeners: Listeners) {
    this.#clock = clock;
    this.#masked = maskedEvents(secrets ?? createSecrets(() => []));
    this.#listeners = listeners;
  }

  get event(): Event<RuntimeEventEnvelope> {
    return this.#events.event;
  }

  tell(happened: RuntimeEvent): void {
    const tsMs = this.#clock.now();
    for (const event of this.#masked(happened)) {
      this.#listeners.before(event);
      this.#events.fire({ seq: ++this.#seq, tsMs, event });
      this.#listeners.after(event, tsMs);
    }
  }
}
