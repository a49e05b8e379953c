/** The only file that imports undici: how this program reaches the network. */

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher, ProxyAgent, fetch as undiciFetch } from 'undici';
import { BuddyError } from './errors.js';
import { type ProxyEnvironment, ProxyError, proxyFor } from './proxy.js';
import { sameAddress } from './public-address.js';

/** The standard fetch. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A fetch with connections of its own. */
export interface HttpClient {
  readonly fetch: Fetch;
  /** Ends every connection at once; requests under way reject. */
  close(): Promise<void>;
}

/** Decides where connections may go. It is asked about the very address that is then connected to. */
export interface AddressGuard {
  /** Every address of a name. Rejects with the system's error. */
  resolve(hostname: string): Promise<readonly string[]>;
  /** Why there must be no connection to `address`, which was found for `hostname`; null when there may be one. */
  refusal(address: string, hostname: string, port: number): string | null;
  /** Where a connection to an address that was let through is opened instead; there, when left out. */
  reach?(address: string): { readonly address: string; readonly port: number };
}

export interface HttpOptions {
  /** Longest time until a connection stands. */
  readonly connectTimeoutMs: number;
  /** Where HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY are read from; no proxy when left out. */
  readonly env?: ProxyEnvironment;
  /** Certificates of the authorities to trust; the usual ones when left out. */
  readonly authorities?: readonly string[];
  /** Asked before each connection that goes straight to a server. What lies behind a proxy it cannot see. */
  readonly guard?: AddressGuard;
}

/** Idle connections are dropped early: a server or a NAT that closed one meanwhile would fail the next request. */
const KEEP_ALIVE_MS = 2000;

/** The addresses of a name as this machine knows them. */
export async function systemAddresses(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);
}

/** The addresses of the host of a connection, all of them allowed. Throws `network.refused`, or the system's error. */
async function judged(guard: AddressGuard, host: string, port: number): Promise<readonly string[]> {
  const hostname = host.replace(/^\[|\]$/g, '');
  const addresses = isIP(hostname) === 0 ? await guard.resolve(hostname) : [hostname];
  if (addresses.length === 0) throw new BuddyError('network.refused', `${hostname} has no address`);
  for (const address of addresses) {
    // One that is refused is enough: a name that says both is not to be trusted with either.
    const reason = guard.refusal(address, hostname, port);
    if (reason !== null) throw new BuddyError('network.refused', reason);
  }
  return addresses;
}

/** Connects to judged addresses only; the name is not asked for a second time. */
function guardedConnector(guard: AddressGuard, options: buildConnector.BuildOptions): buildConnector.connector {
  return (wanted, callback) => {
    const port = Number(wanted.port) || (wanted.protocol === 'https:' ? 443 : 80);
    const fail = (thrown: unknown) => callback(thrown instanceof Error ? thrown : new Error(String(thrown)), null);
    judged(guard, wanted.hostname, port).then((addresses) => {
      const places = addresses.map((address) => guard.reach?.(address) ?? { address, port });
      const reached = new Set(places.map(({ address }) => sameAddress(address)));
      const answers = places.map(({ address }) => ({ address, family: isIP(address) }));
      const connect = buildConnector({
        ...options,
        // undici asks for no name when the host is a number: then it is connected to as it is, which was judged as well.
        lookup: (_hostname, { all }, answer) =>
          all === true ? answer(null, answers) : answer(null, answers[0]?.address ?? '', answers[0]?.family ?? 4),
      });
      const [first] = places;
      const literal = isIP(wanted.hostname.replace(/^\[|\]$/g, '')) !== 0;
      const place = { port: String(first?.port ?? port), hostname: literal ? (first?.address ?? wanted.hostname) : wanted.hostname };
      connect({ ...wanted, ...place }, (error, socket) => {
        if (error !== null) return callback(error, null);
        if (reached.has(sameAddress(socket.remoteAddress ?? ''))) return callback(null, socket);
        socket.destroy();
        fail(new BuddyError('network.refused', `the connection went to ${socket.remoteAddress ?? 'nobody knows where'}`));
      });
    }, fail);
  };
}

/**
 * A client without time limits of its own but the one for connecting: whoever reads an answer watches over its silences.
 * Rejects as fetch does (`TypeError: fetch failed` with the system's error as its cause), with a ProxyError when a proxy
 * stood between, and with `network.proxy` when the address of one cannot be understood.
 */
export function createHttpClient({ connectTimeoutMs, env = {}, authorities, guard }: HttpOptions): HttpClient {
  const tls = { timeout: connectTimeoutMs, ...(authorities === undefined ? {} : { ca: [...authorities] }) };
  const waits = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: KEEP_ALIVE_MS };
  const direct = new Agent({ ...waits, connect: guard === undefined ? tls : guardedConnector(guard, tls) });
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
