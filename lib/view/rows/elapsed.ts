/** How long something has been going on, for people. */

import { formatElapsed } from '../../base/duration.js';

/** Whole seconds: `0 s`, `12 s`, `3:05`. For what still runs, where tenths would only flicker. */
export function runningFor(sinceMs: number, nowMs: number): string {
  const ms = Math.max(0, nowMs - sinceMs);
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : formatElapsed(ms);
}
