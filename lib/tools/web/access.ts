/** What the tools of the web are given: the user's rules, a way to connect under them, and a thread that reads pages. */

import type { HttpClient } from '../../base/http.js';
import type { WebRules } from '../../policy/web-address.js';
import type { ResultPage } from './duckduckgo-page.js';
import type { KeptPages } from './kept-pages.js';
import type { ReadPage } from './page.js';

/** Which search engine is asked. */
export interface SearchSource {
  readonly engine: 'duckduckgo' | 'searxng' | 'brave' | 'tavily';
  /** Its address; '' for the usual one. */
  readonly url: string;
  /** The key it wants; '' for none. Throws BuddyError when one was named and cannot be had. */
  key(signal: AbortSignal): Promise<string>;
}

/** Reads pages in a thread of its own. Rejects with `worker.*` or an AbortError. */
export interface PageReader {
  page(html: string, url: string, signal: AbortSignal): Promise<ReadPage>;
  duckDuckGo(html: string, url: string, signal: AbortSignal): Promise<ResultPage>;
}

/** The web as the user lets it be used. */
export interface WebAccess {
  readonly rules: WebRules;
  /** Ask before a page is fetched. */
  readonly confirm: boolean;
  /** Longest time for one page, redirects and reading included. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly search: SearchSource;
  readonly pages: PageReader;
  readonly kept: KeptPages;
  /** Does the text hold a secret that is known to this program, in whatever encoding? */
  betrays(text: string): boolean;
  /** Connections that the rules allow, and none but public ones else; to be closed by whoever asked. */
  connect(): Promise<HttpClient>;
  /** Connections without a guard, for the server that the user named in the settings. */
  connectFreely(): Promise<HttpClient>;
  /** Host of the proxy that stands before `url`, null for none: what lies behind it cannot be judged. */
  proxyOf(url: URL): string | null;
}
