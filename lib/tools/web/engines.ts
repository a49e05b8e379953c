/** The search engines that can be asked, one function each: a query becomes results, or a sentence that says why there are none to tell. */

import { BuddyError } from '../../base/errors.js';
import type { HttpClient } from '../../base/http.js';
import { isSafeForSecrets } from '../../base/proxy.js';
import type { SearchSource, WebAccess } from './access.js';
import { decode } from './content.js';
import type { FoundPage } from './duckduckgo-page.js';
import { readBody, retrieve, trouble } from './retrieve.js';

/** Results in the engine's order; an empty list: it says that there are none. */
export type Engine = (query: string, count: number, web: WebAccess, signal: AbortSignal) => Promise<readonly FoundPage[]>;

const MOST_BYTES = 2_000_000;
const MOST_TITLE = 300;
const MOST_SNIPPET = 600;

/** Where each is asked when the settings name no other place. */
const USUAL: Readonly<Record<SearchSource['engine'], string>> = {
  duckduckgo: 'https://html.duckduckgo.com/html/',
  searxng: '',
  brave: 'https://api.search.brave.com',
  tavily: 'https://api.tavily.com',
};

/** The engines, by the name they have in the settings. */
export const engines: Readonly<Record<SearchSource['engine'], Engine>> = { duckduckgo, searxng, brave, tavily };

async function duckduckgo(query: string, count: number, web: WebAccess, signal: AbortSignal): Promise<readonly FoundPage[]> {
  const url = addressOf(web.search);
  url.searchParams.set('q', query);
  return await connected(web, async (client) => {
    const headers = { accept: 'text/html', 'accept-language': 'en', 'user-agent': web.userAgent };
    const rules = web.search.url === '' ? web.rules : { allowedDomains: [], blockedDomains: [], privateHosts: [url.host] };
    const got = await retrieve(client, { url, rules, headers, followsFar: false, mostBytes: MOST_BYTES, skips: () => false }, signal);
    if (got.status === 403 || got.status === 429) throw challenged(url);
    if (got.status >= 400) throw refused(url, got.status);
    const page = await web.pages.duckDuckGo(decode(got.type, got.bytes, 'html', got.isWhole).text, got.url.href, signal);
    switch (page.kind) {
      case 'results':
        return page.results.slice(0, count).map(shortened);
      case 'none':
        return [];
      case 'challenge':
        throw challenged(url);
      case 'unknown':
        // "Accepted" is what it says when it gives no results to a program, whatever is on the page.
        if (got.status === 202) throw challenged(url);
        throw new BuddyError('web.layout', `the page of results of ${url.host} is built in an unknown way, so they cannot be read`, {
          hint: 'This does not mean that there are none; the user can choose another search.engine',
        });
    }
  });
}

function challenged(url: URL): BuddyError {
  return new BuddyError('web.challenge', `${url.host} wants proof that a person is asking, and gave no results`, {
    hint: 'Wait before you search again; the user can choose another search.engine',
    retryable: true,
  });
}

/** SearXNG, https://docs.searxng.org/dev/search_api.html. */
async function searxng(query: string, count: number, web: WebAccess, signal: AbortSignal): Promise<readonly FoundPage[]> {
  const url = addressOf(web.search, 'search');
  url.searchParams.set('q', query);
  url.searchParams.set('format', 'json');
  const key = await web.search.key(signal);
  const answer = await askApi(
    key === '' ? url : withKey(url),
    { headers: key === '' ? {} : { authorization: `Bearer ${key}` } },
    web,
    signal,
  );
  const results = found(answer['results'], 'content', count);
  const silent = answer['unresponsive_engines'];
  if (results.length > 0 || !Array.isArray(silent) || silent.length === 0) return results;
  throw new BuddyError('web.search', `the engines behind ${url.host} gave no answer: ${silent.slice(0, 8).map(String).join('; ')}`, {
    hint: 'This does not mean that there are no results',
    retryable: true,
  });
}

/** Brave, https://api-dashboard.search.brave.com/documentation. */
async function brave(query: string, count: number, web: WebAccess, signal: AbortSignal): Promise<readonly FoundPage[]> {
  const url = addressOf(web.search, 'res/v1/web/search');
  url.searchParams.set('q', query);
  url.searchParams.set('count', String(count));
  const answer = await askApi(withKey(url), { headers: { 'x-subscription-token': await keyOf(web, signal) } }, web, signal);
  // Without results there is no `web` at all.
  const pages = answer['web'] ?? (answer['type'] === 'search' ? { results: [] } : {});
  return found((pages as Readonly<Record<string, unknown>>)['results'], 'description', count);
}

/** Tavily, https://docs.tavily.com/documentation/api-reference/endpoint/search. */
async function tavily(query: string, count: number, web: WebAccess, signal: AbortSignal): Promise<readonly FoundPage[]> {
  const url = addressOf(web.search, 'search');
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${await keyOf(web, signal)}` };
  const body = JSON.stringify({ query, max_results: count });
  const answer = await askApi(withKey(url), { method: 'POST', headers, body }, web, signal);
  return found(answer['results'], 'content', count);
}

/** The address, where a key may be sent. Throws `web.search` when it would go over an open line. */
function withKey(url: URL): URL {
  if (isSafeForSecrets(url.href)) return url;
  throw new BuddyError('web.search', `the key of the search engine is not sent to ${url.origin}, which is not encrypted`, {
    hint: 'The user has to give search.url as an https address',
  });
}

/** The address to ask. Throws `web.search` when there is none. */
function addressOf({ engine, url }: SearchSource, path = ''): URL {
  const base = url === '' ? USUAL[engine] : url;
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) {
    const problem =
      base === '' ? `search.engine = "${engine}" needs the address of a server in search.url` : `search.url holds no address: ${base}`;
    throw new BuddyError('web.search', problem, { hint: 'The user has to set it in buddy.toml' });
  }
  return new URL(path === '' ? base : `${base.replace(/\/+$/, '')}/${path}`);
}

async function keyOf({ search }: WebAccess, signal: AbortSignal): Promise<string> {
  const key = await search.key(signal);
  if (key !== '') return key;
  throw new BuddyError('web.search', `search.engine = "${search.engine}" needs a key`, {
    hint: `The user has to name it in search.api_key_env, _file or _command, or set ${search.engine.toUpperCase()}_API_KEY`,
  });
}

async function connected<T>(web: WebAccess, work: (client: HttpClient) => Promise<T>): Promise<T> {
  const client = await (web.search.url === '' ? web.connect() : web.connectFreely());
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** A JSON object from an engine. The key goes to that address and to no other: redirects are not followed. */
function askApi(url: URL, init: RequestInit, web: WebAccess, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
  return connected(web, async (client) => {
    let response: Response;
    let text: string;
    try {
      const headers = { ...init.headers, accept: 'application/json', 'user-agent': web.userAgent };
      response = await client.fetch(url, { ...init, headers, redirect: 'manual', credentials: 'omit', signal });
      const { bytes, isWhole } = await readBody(response, MOST_BYTES);
      text = decode(response.headers.get('content-type') ?? '', bytes, 'text', isWhole).text;
    } catch (thrown) {
      throw trouble(thrown, new URL(url.pathname, url));
    }
    if (response.status !== 200) throw refused(url, response.status);
    try {
      const answer: unknown = JSON.parse(text);
      if (typeof answer === 'object' && answer !== null) return answer as Readonly<Record<string, unknown>>;
    } catch {
      // Said below.
    }
    throw unreadable(url.host);
  });
}

function refused(url: URL, status: number): BuddyError {
  const hints: Readonly<Record<number, string>> = {
    401: 'The key is not accepted; the user has to look at search.api_key_env, _file or _command',
    403: 'The key is not accepted, or the server does not give JSON (SearXNG: add json to search.formats in its settings.yml)',
    429: 'Too many searches; wait before the next one',
  };
  const hint =
    status >= 300 && status < 400 ? 'It leads elsewhere, where a key is not sent; search.url should name that place' : hints[status];
  return new BuddyError('web.search', `${url.host} answered ${status} and gave no results`, {
    ...(hint === undefined ? {} : { hint }),
    retryable: status === 429 || status >= 500,
  });
}

function unreadable(host: string): BuddyError {
  return new BuddyError('web.layout', `${host} answered with something else than results`, {
    hint: 'This does not mean that there are none; the user should look at search.engine and search.url',
  });
}

/** The results in `list`, those with an address of the web. Throws `web.layout` when it is no list. */
function found(list: unknown, snippet: string, count: number): readonly FoundPage[] {
  if (!Array.isArray(list)) throw unreadable('the search engine');
  return list
    .flatMap((entry: unknown) => {
      const said = (name: string) => {
        const value = (entry as Readonly<Record<string, unknown>> | null)?.[name];
        return typeof value === 'string' ? withoutMarkup(value) : '';
      };
      const url = said('url');
      return /^https?:\/\//i.test(url) && URL.canParse(url) ? [{ title: said('title') || url, url, snippet: said(snippet) }] : [];
    })
    .slice(0, count)
    .map(shortened);
}

const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", nbsp: ' ' }));

/** Engines mark the words that were looked for. */
function withoutMarkup(text: string): string {
  return text
    .replace(/<\/?(?:strong|b|em|i|mark|span|br)\b[^>]*>/gi, '')
    .replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES.get(name.toLowerCase()) ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}

function shortened({ title, url, snippet }: FoundPage): FoundPage {
  const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most).trimEnd()}…` : text);
  return { title: cut(title, MOST_TITLE), url, snippet: cut(snippet, MOST_SNIPPET) };
}
