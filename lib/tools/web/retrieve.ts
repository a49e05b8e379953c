/** One page over the network, under a budget: each redirect judged anew, decoded bytes counted, and an end to the waiting. */

import type { Clock } from '../../base/clock.js';
import { abortError, BuddyError, hasText, messageOf } from '../../base/errors.js';
import type { HttpClient } from '../../base/http.js';
import { ProxyError } from '../../base/proxy.js';
import { hostOf, isUnusualPort, urlRefusal, type WebRules } from '../../policy/web-address.js';

/** What came back. */
export interface Retrieved {
  /** Where it came from in the end. */
  readonly url: URL;
  readonly status: number;
  /** `content-type` as it was sent; '' for none. */
  readonly type: string;
  readonly bytes: Uint8Array;
  /** False: the answer goes on after `bytes`. */
  readonly isWhole: boolean;
  /** Length that was announced; null when it was not. Compressed, where it was sent so. */
  readonly announced: number | null;
  /** The addresses that led on to others, in their order. */
  readonly hops: readonly string[];
  /** Set when the person has not said yes to the host that it leads to: nothing was asked of that. */
  readonly leadsTo?: URL;
}

/** What to ask for, and how much it may take. */
export interface Retrieval {
  readonly url: URL;
  readonly rules: WebRules;
  readonly headers: Readonly<Record<string, string>>;
  /** Follow to other hosts; otherwise `leadsTo` tells. */
  readonly followsFar: boolean;
  readonly mostBytes: number;
  /** True for a type of which the body is not wanted. */
  skips(type: string): boolean;
}

const MOST_HOPS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Runs `work` with a signal that also fires after `timeMs`. Rejects with `web.timeout` then, with an AbortError when `signal` fires. */
export async function within<T>(clock: Clock, timeMs: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  if (signal.aborted) throw abortError();
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = clock.after(timeMs, onAbort);
  try {
    return await work(stop.signal);
  } catch (thrown) {
    if (signal.aborted) throw abortError();
    if (stop.signal.aborted)
      throw new BuddyError('web.timeout', `it was not done after ${timeMs / 1000} s`, {
        hint: 'Another page may be faster; the user can allow more in network.fetch_timeout_secs',
        retryable: true,
      });
    throw thrown;
  } finally {
    timer.dispose();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Gets it. Rejects with `web.refused`, `web.redirects`, `web.failed`, or whatever the abort of `signal` gives. */
export async function retrieve(client: HttpClient, wanted: Retrieval, signal: AbortSignal): Promise<Retrieved> {
  const hops: string[] = [];
  for (let url = wanted.url; ; ) {
    const reason = urlRefusal(url, wanted.rules);
    if (reason !== null) throw new BuddyError('web.refused', hops.length === 0 ? reason : `${hops.at(-1)} leads to ${url.href}: ${reason}`);
    const response = await ask(client, url, wanted.headers, signal);
    const next = nextOf(response, url);
    if (next === null) return await answerOf(response, url, hops, wanted);
    await response.body?.cancel();
    hops.push(url.href);
    if (hops.length > MOST_HOPS) throw new BuddyError('web.redirects', `${wanted.url.href} leads on more than ${MOST_HOPS} times`);
    if (url.protocol === 'https:' && next.protocol === 'http:')
      throw new BuddyError('web.refused', `${url.href} leads from https to ${next.href}`);
    if (next.host !== url.host && isUnusualPort(next, wanted.rules))
      throw new BuddyError('web.refused', `${url.href} leads to ${next.href}, which is no port for pages`);
    if (!wanted.followsFar && !isSameSite(next, wanted.url) && urlRefusal(next, wanted.rules) === null) {
      return { url, status: response.status, type: '', bytes: new Uint8Array(), isWhole: true, announced: null, hops, leadsTo: next };
    }
    url = next;
  }
}

/** With and without `www.` it is the same host to people. */
function isSameSite(one: URL, other: URL): boolean {
  const bare = (url: URL) => `${hostOf(url).replace(/^www\./, '')}:${url.port}`;
  return bare(one) === bare(other);
}

/** Where a redirect leads, without what belongs to the reader; null when it is none. */
function nextOf(response: Response, from: URL): URL | null {
  const location = response.headers.get('location');
  if (!REDIRECTS.has(response.status) || location === null) return null;
  if (!URL.canParse(location, from.href)) throw new BuddyError('web.redirects', `${from.href} leads to what is no address`);
  const next = new URL(location, from);
  next.hash = '';
  return next;
}

async function ask(client: HttpClient, url: URL, headers: Retrieval['headers'], signal: AbortSignal): Promise<Response> {
  try {
    return await client.fetch(url, { method: 'GET', redirect: 'manual', headers, signal, credentials: 'omit' });
  } catch (thrown) {
    throw trouble(thrown, url);
  }
}

async function answerOf(response: Response, url: URL, hops: readonly string[], { mostBytes, skips }: Retrieval): Promise<Retrieved> {
  const type = response.headers.get('content-type') ?? '';
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const announced = Number.isSafeInteger(length) && length >= 0 ? length : null;
  const head = { url, status: response.status, type, announced, hops };
  if (skips(type)) {
    await response.body?.cancel();
    return { ...head, bytes: new Uint8Array(), isWhole: false };
  }
  try {
    return { ...head, ...(await readBody(response, mostBytes)) };
  } catch (thrown) {
    throw trouble(thrown, url);
  }
}

/** The first `most` bytes, after decompression. */
export async function readBody(response: Response, most: number): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value.subarray(0, most - size));
    size += value.length;
    if (size <= most) continue;
    await reader.cancel();
    return { bytes: Buffer.concat(parts), isWhole: false };
  }
  return { bytes: Buffer.concat(parts), isWhole: true };
}

/** The system's and undici's codes, for people. */
const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name could not be looked up; is there a network?',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken off',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no network to that host',
  ETIMEDOUT: 'the connection could not be made in time',
  EPROTO: 'it does not speak TLS there',
  UND_ERR_CONNECT_TIMEOUT: 'the connection could not be made in time',
  UND_ERR_SOCKET: 'the connection was broken off',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are too long',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** What `fetch` threw, as a sentence about `url`. */
export function trouble(thrown: unknown, url: URL): BuddyError {
  if (thrown instanceof ProxyError) {
    const said = thrown.status === null ? 'did not lead there' : `answered ${thrown.status}`;
    return new BuddyError('web.failed', `${url.href}: the proxy ${thrown.proxy} ${said}`, { cause: thrown });
  }
  let at: unknown = thrown;
  for (let depth = 0; depth < 5 && typeof at === 'object' && at !== null; depth++) {
    if (at instanceof BuddyError) return new BuddyError('web.refused', `${url.href} is not fetched: ${at.message}`, { cause: thrown });
    const words = hasText(at, 'code') ? WORDS[at.code] : undefined;
    if (words !== undefined) return new BuddyError('web.failed', `${url.href}: ${words}`, { cause: thrown });
    const { cause, errors } = at as { readonly cause?: unknown; readonly errors?: readonly unknown[] };
    at = cause ?? errors?.[0] ?? { message: messageOf(at), last: true };
    if ((at as { readonly last?: true }).last === true) break;
  }
  return new BuddyError('web.failed', `${url.href}: ${messageOf(at)}`, { cause: thrown });
}
