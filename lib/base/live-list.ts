/** A list that may change while the program runs. */

import type { Event } from './emitter.js';

/** What is in it now, and when that changes. */
export interface LiveList<T> {
  list(): readonly T[];
  readonly onChange: Event<void>;
}
