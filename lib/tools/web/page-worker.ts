/** The worker thread for pages: it is given one, answers with what was read of it, and is ended. */

import { parentPort, workerData } from 'node:worker_threads';
import { duckDuckGoResults } from './duckduckgo-page.js';
import { openPage, readPage } from './page.js';

/** What is asked of it. */
export interface PageWork {
  /** `whole`: without a look for the article in it. */
  readonly read: 'page' | 'whole' | 'duckduckgo';
  readonly html: string;
  readonly url: string;
}

const { read, html, url } = workerData as PageWork;
parentPort?.postMessage(read === 'duckduckgo' ? duckDuckGoResults(openPage(html, url)) : readPage(html, url, read === 'whole'));
