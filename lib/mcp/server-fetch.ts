/** The fetch for one server: its headers go to it alone, and its stream of events is not opened again without a pause. */

import { type Clock, delay } from '../base/clock.js';
import { BuddyError } from '../base/errors.js';
import type { Fetch } from '../base/http.js';

/** A stream of events is opened at most so often, whatever the server says of it in `retry` (milliseconds). */
const REOPEN_MS = 1000;

/** So many requests wait for the head of their answer: a server that asks and asks would have us open connections without end. */
const MOST_UNANSWERED = 64;

/** What is asked, and with what. */
export interface ServedBy {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** The same fetch. The SDK asks other hosts as well, those where a server says that people log in: they get none of the headers. */
export function serverFetch(fetch: Fetch, { url, headers, clock }: ServedBy): Fetch {
  const home = new URL(url);
  let openedMs = Number.NEGATIVE_INFINITY;
  let unanswered = 0;
  return async (input, init = {}) => {
    const to = new URL(input instanceof Request ? input.url : input);
    const isHome = to.host === home.host && (to.protocol === home.protocol || to.protocol === 'https:');
    const sent = new Headers(init.headers);
    if (isHome) for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    if ((init.method ?? 'GET') === 'GET' && sent.get('accept') === 'text/event-stream') {
      const waitMs = openedMs + REOPEN_MS - clock.monotonic();
      openedMs = Math.max(clock.monotonic(), openedMs + REOPEN_MS);
      if (waitMs > 0) await delay(clock, waitMs, init.signal ?? new AbortController().signal);
    }
    if (unanswered >= MOST_UNANSWERED) throw new BuddyError('mcp.request', 'it leaves too many requests without an answer');
    unanswered++;
    try {
      return await fetch(input, { ...init, headers: sent });
    } finally {
      unanswered--;
    }
  };
}
