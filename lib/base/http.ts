/** The only file that imports undici: how this program reaches the network. */

import { Agent, fetch as undiciFetch } from 'undici';

/** The standard fetch. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A fetch with connections of its own. */
export interface HttpClient {
  readonly fetch: Fetch;
  /** Ends every connection at once; requests under way reject. */
  close(): Promise<void>;
}

export interface HttpOptions {
  /** Longest time until a connection stands. */
  readonly connectTimeoutMs: number;
}

/** Idle connections are dropped early: a server or a NAT that closed one meanwhile would fail the next request. */
const KEEP_ALIVE_MS = 2000;

/**
 * A client without time limits of its own but the one for connecting: whoever reads an answer watches over its silences.
 * Rejects as fetch does: `TypeError: fetch failed` with the system's error as its cause.
 */
export function createHttpClient({ connectTimeoutMs }: HttpOptions): HttpClient {
  const agent = new Agent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });
  const ownFetch = (input: unknown, init: unknown) => undiciFetch(input as string, { ...(init as object), dispatcher: agent });
  return { fetch: ownFetch as unknown as Fetch, close: () => agent.destroy() };
}
