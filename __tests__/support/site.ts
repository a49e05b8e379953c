/** A small web on one local server: its names have public addresses, and what is really connected to is counted. */

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../lib/base/clock.js';
import { createHttpClient } from '../../lib/base/http.js';
import { addressRefusal } from '../../lib/policy/web-address.js';
import type { ToolContext } from '../../lib/tools/tool.js';
import type { WebAccess } from '../../lib/tools/web/access.js';
import { duckDuckGoResults } from '../../lib/tools/web/duckduckgo-page.js';
import { KeptPages } from '../../lib/tools/web/kept-pages.js';
import { openPage, readPage } from '../../lib/tools/web/page.js';
import { fakeTarget } from './fake-target.js';
import { judge } from './judging.js';

/** What a path answers: a body with its type, a place to go on to, or whatever the function does. */
export type Route =
  | { readonly type: string; readonly body: string | Buffer; readonly status?: number }
  | { readonly to: string }
  | RequestListener;

/** The server and the web access that leads to it and nowhere else. */
export interface Site {
  readonly web: WebAccess;
  /** Requests so far, as `host path`. */
  readonly asked: readonly string[];
  /** The last request. */
  last(): IncomingMessage | undefined;
  /** Addresses that were connected to, as the guard let them through. */
  readonly reached: readonly string[];
  /** TCP connections that arrived. */
  connections(): number;
  readonly port: number;
  close(): Promise<void>;
}

/** What a call of a tool of the web is given. */
export function callContext(web: WebAccess, clock: Clock, signal = new AbortController().signal): ToolContext {
  const { target } = fakeTarget();
  return { signal, clock, target, denylist: [], judge, caution: 'policy', web, report: () => undefined, background: () => '1' };
}

/** Starts it. `names` are addresses by host, one after the other when there are several; every other host has a public one. */
export async function startSite(
  routes: Readonly<Record<string, Route>>,
  more: Partial<WebAccess> = {},
  names: Readonly<Record<string, readonly string[]>> = {},
): Promise<Site> {
  const asked: string[] = [];
  const reached: string[] = [];
  let connections = 0;
  let last: IncomingMessage | undefined;
  const server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
    last = request;
    asked.push(`${request.headers.host} ${request.url}`);
    answer(routes[(request.url ?? '').split('?')[0] ?? ''], request, response);
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const rules = more.rules ?? { allowedDomains: [], blockedDomains: [], privateHosts: [] };
  const lookups = new Map<string, number>();
  const open = () =>
    createHttpClient({
      connectTimeoutMs: 5000,
      guard: {
        resolve(hostname) {
          const count = lookups.get(hostname) ?? 0;
          lookups.set(hostname, count + 1);
          const answers = names[hostname] ?? ['93.184.216.34'];
          return Promise.resolve([answers[Math.min(count, answers.length - 1)] ?? '']);
        },
        refusal: (address, hostname, at) => addressRefusal(address, hostname, at, rules),
        reach(address) {
          reached.push(address);
          return { address: '127.0.0.1', port };
        },
      },
    });
  return {
    asked,
    reached,
    port,
    last: () => last,
    connections: () => connections,
    web: {
      rules,
      confirm: false,
      timeoutMs: 20_000,
      userAgent: 'buddy-tui under test',
      kept: new KeptPages(),
      betrays: () => false,
      proxyOf: () => null,
      connect: () => Promise.resolve(open()),
      connectFreely: () => Promise.resolve(open()),
      search: { engine: 'duckduckgo', url: '', key: () => Promise.resolve('') },
      pages: {
        page: (html, url) => Promise.resolve(readPage(html, url)),
        duckDuckGo: (html, url) => Promise.resolve(duckDuckGoResults(openPage(html, url))),
      },
      ...more,
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(route: Route | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (route === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page');
  else if (typeof route === 'function') route(request, response);
  else if ('to' in route) response.writeHead(302, { location: route.to }).end();
  else response.writeHead(route.status ?? 200, { 'content-type': route.type }).end(route.body);
}
