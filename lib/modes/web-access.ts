/** The way to the web that the tools are given, made of the user's settings. Nothing is connected before it is used. */

import { join } from 'node:path';
import { abortError, BuddyError } from '../base/errors.js';
import type { Host } from '../base/host.js';
import type { HttpClient } from '../base/http.js';
import { proxyFor } from '../base/proxy.js';
import { runWorker } from '../base/worker.js';
import type { Settings } from '../config/settings.js';
import { openHttp } from '../models/index.js';
import type { Secrets } from '../policy/redaction.js';
import { addressRefusal, type WebRules } from '../policy/web-address.js';
import type { PageReader, WebAccess } from '../tools/web/access.js';
import type { ResultPage } from '../tools/web/duckduckgo-page.js';
import { KeptPages } from '../tools/web/kept-pages.js';
import type { ReadPage } from '../tools/web/page.js';
import type { PageWork } from '../tools/web/page-worker.js';
import { searchKey } from './search-key.js';

/** A page that takes longer to read was made to: then it is read without a look for its article, and after that not at all. */
const READING_MS = 6000;
const READING_MB = 512;

/** `secrets` are what must not be told to anybody; the key of the search engine becomes one of them. */
export function createWebAccess(host: Host, settings: Settings, secrets: Secrets): WebAccess {
  const rules: WebRules = {
    allowedDomains: settings['tools.fetch_allowed_domains'],
    blockedDomains: settings['tools.fetch_blocked_domains'],
    privateHosts: settings['tools.fetch_private_hosts'],
  };
  const holds = (text: string) => secrets.redact(text) !== text;
  return {
    rules,
    confirm: settings['tools.fetch_confirm'],
    timeoutMs: settings['network.fetch_timeout_secs'] * 1000,
    userAgent: `Mozilla/5.0 (compatible; buddy-tui/${host.version})`,
    search: {
      engine: settings['search.engine'],
      url: settings['search.url'].trim(),
      async key(signal) {
        const key = await searchKey(settings, host, signal);
        secrets.learn(key);
        return key;
      },
    },
    pages: pageReader(host),
    kept: new KeptPages(),
    betrays: (text) => holds(text) || holds(decoded(text)),
    connect: () => connect(host, settings, rules),
    connectFreely: () => openHttp(settings['network.ca_file'], host),
    proxyOf: (url) => proxyFor(url, host.env)?.host ?? null,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

async function connect(host: Host, settings: Settings, rules: WebRules): Promise<HttpClient> {
  const { systemAddresses } = await import('../base/http.js');
  return openHttp(settings['network.ca_file'], host, {
    resolve: systemAddresses,
    refusal: (address, hostname, port) => addressRefusal(address, hostname, port, rules),
  });
}

/** Each page is read in a thread of its own, from the bundle, and one after the other: each may take half a gigabyte. */
function pageReader(host: Host): PageReader {
  const path = join(host.packageDir, 'dist', 'bundle', 'tools', 'web', 'page-worker.js');
  const limits = { clock: host.clock, timeMs: READING_MS, memoryMb: READING_MB };
  let last: Promise<unknown> = Promise.resolve();
  const work = (read: PageWork['read'], html: string, url: string, signal: AbortSignal) => {
    const mine = last.then(() => runWorker(path, { read, html, url } satisfies PageWork, limits, signal));
    last = mine.catch(() => undefined);
    return unlessAborted(mine, signal);
  };
  return {
    async page(html, url, signal) {
      try {
        return (await work('page', html, url, signal)) as ReadPage;
      } catch (thrown) {
        if (!(thrown instanceof BuddyError) || thrown.code !== 'worker.time') throw thrown;
        return (await work('whole', html, url, signal)) as ReadPage;
      }
    },
    duckDuckGo: async (html, url, signal) => (await work('duckduckgo', html, url, signal)) as ResultPage,
  };
}

/** Nobody who was interrupted waits for the turn of their page. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abortError());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
