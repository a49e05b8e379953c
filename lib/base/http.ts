/** The only file that imports undici: how this program reaches the network. */

import { Agent, type Dispatcher, ProxyAgent, fetch as undiciFetch } from 'undici';
import { type ProxyEnvironment, ProxyError, proxyFor } from './proxy.js';

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
  /** Where HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY are read from; no proxy when left out. */
  readonly env?: ProxyEnvironment;
  /** Certificates of the authorities to trust; the usual ones when left out. */
  readonly authorities?: readonly string[];
}

/** Idle connections are dropped early: a server or a NAT that closed one meanwhile would fail the next request. */
const KEEP_ALIVE_MS = 2000;

/**
 * A client without time limits of its own but the one for connecting: whoever reads an answer watches over its silences.
 * Rejects as fetch does (`TypeError: fetch failed` with the system's error as its cause), with a ProxyError when a proxy
 * stood between, and with `network.proxy` when the address of one cannot be understood.
 */
export function createHttpClient({ connectTimeoutMs, env = {}, authorities }: HttpOptions): HttpClient {
  const tls = { timeout: connectTimeoutMs, ...(authorities === undefined ? {} : { ca: [...authorities] }) };
  const waits = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: KEEP_ALIVE_MS };
  const direct = new Agent({ ...waits, connect: tls });
  const proxies = new Map<string, Dispatcher>();

  function through(proxy: URL): Dispatcher {
    const known = proxies.get(proxy.href);
    if (known !== undefined) return known;
    // Plain http goes to the proxy as it is: many refuse to open a tunnel for it.
    const agent = new ProxyAgent({ ...waits, uri: proxy.href, proxyTunnel: false, requestTls: tls, proxyTls: tls });
    proxies.set(proxy.href, agent);
    return agent;
  }

  const ownFetch: Fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const proxy = proxyFor(url, env);
    const dispatcher = proxy === null ? direct : through(proxy);
    const ask = undiciFetch as unknown as (input: unknown, init: unknown) => Promise<Response>;
    try {
      return await ask(input, { ...init, dispatcher });
    } catch (thrown) {
      if (proxy === null || init?.signal?.aborted === true) throw thrown;
      throw new ProxyError(proxy.host, thrown);
    }
  };
  return {
    fetch: ownFetch,
    close: async () => {
      await Promise.all([direct, ...proxies.values()].map((agent) => agent.destroy()));
    },
  };
}
