/** web_search: what each engine answers, in one shape; and no results told apart from an answer that cannot be read. */

import type { RequestListener } from 'node:http';
import type { SearchSource, WebAccess } from '../../lib/tools/web/access.js';
import { webSearch } from '../../lib/tools/web-search.js';
import { FakeClock } from '../support/fake-clock.js';
import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { callContext, type Route, type Site, startSite } from '../support/site.js';
import { until } from '../support/until.js';

let site: Site | null = null;
afterEach(async () => {
  await site?.close();
  site = null;
});

const clock = new FakeClock();
const source = (engine: SearchSource['engine'], url: string, key = ''): SearchSource => ({ engine, url, key: () => Promise.resolve(key) });
const DUCK = source('duckduckgo', 'http://html.duckduckgo.com/html/');

async function searched(search: SearchSource, routes: Record<string, Route>, args: object = {}, signal = new AbortController().signal) {
  site = await startSite(routes, { search });
  return webSearch.run(webSearch.parse({ query: 'disk full', why: 'w', ...args }), callContext(site.web, clock, signal));
}

/** Built as html.duckduckgo.com builds it. */
const result = (href: string, title: string, snippet: string, more = '') => `
<div class="result results_links results_links_deep web-result ${more}">
  <div class="links_main links_deep result__body">
    <h2 class="result__title"><a rel="nofollow" class="result__a" href="${href}">${title}</a></h2>
    <div class="result__extras"><div class="result__extras__url"><a class="result__url" href="${href}"> shown </a></div></div>
    <a class="result__snippet" href="${href}">${snippet}</a>
    <div class="clear"></div>
  </div>
</div>`;
const resultPage = (inside: string) => `<!DOCTYPE html><html><head><title>disk full at DuckDuckGo</title></head>
<body class="body--html"><form id="search_form" action="/html/"><input name="q"></form>
<div id="links" class="results">${inside}</div></body></html>`;
const wrapped = (to: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(to)}&amp;rut=0123`;
const html = (body: string, status = 200): Route => ({ type: 'text/html; charset=UTF-8', body, status });

describe('DuckDuckGo', () => {
  test('results with their real addresses, without advertisements', async () => {
    const page = resultPage(
      [
        result('//duckduckgo.com/y.js?ad_domain=shop.example&amp;ad_provider=x', 'Buy disks', 'cheap', 'result--ad'),
        result(wrapped('https://wiki.example/Disk?a=1&b=2'), 'Full <b>disk</b>', 'What to <b>do</b> &amp; how'),
        result('https://direct.example/', 'Direct', ''),
        result('javascript:alert(1)', 'Not of the web', 'x'),
        result(wrapped('file:///etc/passwd'), 'Not of the web either', 'x'),
      ].join(''),
    );
    const found = await searched(DUCK, { '/html/': html(page) });
    expect(found.result).toEqual({
      query: 'disk full',
      engine: 'duckduckgo',
      results: [
        { title: 'Full disk', url: 'https://wiki.example/Disk?a=1&b=2', snippet: 'What to do & how' },
        { title: 'Direct', url: 'https://direct.example/', snippet: '' },
      ],
    });
    expect(found.summary).toBe('2 results · duckduckgo');
    expect(found.text).toBe(
      '1. Full disk\n   https://wiki.example/Disk?a=1&b=2\n   What to do & how\n\n2. Direct\n   https://direct.example/',
    );
    expect(site?.asked).toEqual(['html.duckduckgo.com /html/?q=disk+full']);
  });

  test('as many as are asked for', async () => {
    const page = resultPage(Array.from({ length: 30 }, (_, at) => result(`https://r${at}.example/`, `r${at}`, '')).join(''));
    const { summary } = await searched(DUCK, { '/html/': html(page) }, { count: 3 });
    expect(summary).toBe('3 results · duckduckgo');
  });

  test.each([
    ['a box', '<div class="result results_links result--no-result"><div class="no-results">No results.</div></div>'],
    ['a word', '<div class="no-results">No results found for <b>disk full</b>.</div>'],
  ])('no results, said with %s', async (_name, inside) => {
    const { result: answer, summary, isError } = await searched(DUCK, { '/html/': html(resultPage(inside)) });
    expect([answer, summary, isError]).toEqual([
      expect.objectContaining({ results: [], note: 'The engine says that there are no results.' }),
      'no results · duckduckgo',
      false,
    ]);
  });

  test.each([
    ['another page', '<div class="serp"><a class="hit" href="https://x.example/">x</a></div>'],
    ['boxes without links', '<div class="result"><span>x</span></div>'],
    ['nothing', ''],
  ])('%s is told as a layout that is not known, never as no results', async (_name, inside) => {
    await expect(searched(DUCK, { '/html/': html(resultPage(inside)) })).rejects.toMatchObject({
      code: 'web.layout',
      hint: expect.stringContaining('does not mean that there are none'),
    });
  });

  test.each([
    [
      'a challenge',
      200,
      '<form id="challenge-form"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form>',
    ],
    ['no results yet', 202, ''],
    ['too many', 429, ''],
  ])('%s is told as what it is', async (_name, status, inside) => {
    await expect(searched(DUCK, { '/html/': html(resultPage(inside), status) })).rejects.toMatchObject({
      code: 'web.challenge',
      retryable: true,
    });
  });

  test('is asked under the guard, and over TLS, when the settings name no other place', async () => {
    const asked: string[] = [];
    site = await startSite({});
    const client = {
      fetch: (url: unknown) => {
        asked.push(String(url));
        return Promise.resolve(new Response(resultPage(result('https://a.example/', 'a', ''))));
      },
      close: () => Promise.resolve(),
    };
    const web: WebAccess = {
      ...site.web,
      connect: () => Promise.resolve(client),
      connectFreely: () => Promise.reject(new Error('without a guard')),
    };
    await webSearch.run(webSearch.parse({ query: 'a&b', why: 'w' }), callContext(web, clock));
    expect(asked).toEqual(['https://html.duckduckgo.com/html/?q=a%26b']);
  });
});

const json = (value: unknown, status = 200): Route => ({ type: 'application/json', body: JSON.stringify(value), status });

describe('servers that answer with JSON', () => {
  const BRAVE = source('brave', 'http://brave.localhost', 'key-1');
  const TAVILY = source('tavily', 'http://tavily.localhost/', 'key-2');
  const SEARX = source('searxng', 'http://searx.example/sub');

  test('SearXNG', async () => {
    const { result: answer } = await searched(SEARX, {
      '/sub/search': json({
        query: 'q',
        results: [
          { url: 'https://a.example/', title: 'A', content: 'about  a' },
          { url: 'ftp://b', title: 'B' },
        ],
      }),
    });
    expect(answer).toMatchObject({ engine: 'searxng', results: [{ title: 'A', url: 'https://a.example/', snippet: 'about a' }] });
    expect(site?.asked).toEqual(['searx.example /sub/search?q=disk+full&format=json']);
    expect(site?.last()?.headers.authorization).toBeUndefined();
  });

  test('SearXNG whose engines gave no answer says so, not that there is nothing', async () => {
    const answer = {
      results: [],
      unresponsive_engines: [
        ['google', 'timeout'],
        ['bing', 'CAPTCHA'],
      ],
    };
    await expect(searched(SEARX, { '/sub/search': json(answer) })).rejects.toThrow(
      'searx.example gave no answer: google,timeout; bing,CAPTCHA',
    );
    await site?.close();
    const { summary } = await searched(SEARX, { '/sub/search': json({ results: [], unresponsive_engines: [] }) });
    expect(summary).toBe('no results · searxng');
  });

  test('Brave', async () => {
    const { result: answer } = await searched(
      BRAVE,
      {
        '/res/v1/web/search': json({
          type: 'search',
          web: { results: [{ url: 'https://a.example/', title: 'A', description: 'a <strong>b</strong> &amp; c' }] },
        }),
      },
      { count: 5 },
    );
    expect(answer).toMatchObject({ results: [{ title: 'A', url: 'https://a.example/', snippet: 'a b & c' }] });
    expect(site?.asked).toEqual(['brave.localhost /res/v1/web/search?q=disk+full&count=5']);
    expect(site?.last()?.headers['x-subscription-token']).toBe('key-1');
    await site?.close();
    expect((await searched(BRAVE, { '/res/v1/web/search': json({ type: 'search', query: {} }) })).summary).toBe('no results · brave');
  });

  test('Tavily', async () => {
    let body = '';
    const answers: RequestListener = (request, response) => {
      request.on('data', (part: Buffer) => {
        body += part.toString();
      });
      request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results: [] })));
    };
    expect((await searched(TAVILY, { '/search': answers })).summary).toBe('no results · tavily');
    expect([JSON.parse(body), site?.last()?.headers.authorization, site?.last()?.method]).toEqual([
      { query: 'disk full', max_results: 8 },
      'Bearer key-2',
      'POST',
    ]);
  });

  test.each([
    ['is not accepted', 401, {}, 'brave.localhost answered 401'],
    ['is too busy', 429, {}, 'brave.localhost answered 429'],
    ['gives another shape', 200, { hits: [] }, 'something else than results'],
    ['gives a list', 200, [], 'something else than results'],
  ])('an answer that %s is a sentence', async (_name, status, value, message) => {
    await expect(searched(BRAVE, { '/res/v1/web/search': json(value, status) })).rejects.toThrow(message);
  });

  test('a key is never carried on to where a redirect leads', async () => {
    await expect(searched(BRAVE, { '/res/v1/web/search': { to: 'http://other.example/steal' } })).rejects.toThrow(
      'brave.localhost answered 302',
    );
    expect(site?.asked).toEqual(['brave.localhost /res/v1/web/search?q=disk+full&count=8']);
  });

  test.each(['brave', 'tavily', 'searxng'] as const)('no key goes to %s over an open line', async (engine) => {
    await expect(searched(source(engine, 'http://search.example/', 'key-3'), {})).rejects.toThrow(
      'the key of the search engine is not sent to http://search.example, which is not encrypted',
    );
    expect(site?.asked).toEqual([]);
  });

  test('what the user has to set is said', async () => {
    await expect(searched(source('brave', ''), {})).rejects.toMatchObject({
      code: 'web.search',
      hint: expect.stringContaining('BRAVE_API_KEY'),
    });
    await site?.close();
    await expect(searched(source('searxng', ''), {})).rejects.toThrow('needs the address of a server in search.url');
  });

  test('a silent server is given up, and left at once when the user interrupts', async () => {
    const silent: Route = () => undefined;
    const stop = new AbortController();
    const interrupted = expect(searched(SEARX, { '/sub/search': silent }, {}, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
    await until('the server was asked', () => site?.asked.length === 1);
    stop.abort();
    await interrupted;
    await site?.close();
    site = null;
    const late = expect(searched(SEARX, { '/sub/search': silent })).rejects.toMatchObject({ code: 'web.timeout' });
    await until('the server was asked', () => site?.asked.length === 1);
    await clock.advance(20_000);
    await late;
  });
});

describe('who is asked', () => {
  const prompted = async (query: string, more: Partial<WebAccess>) => {
    site = await startSite({ '/html/': html(resultPage(result('https://a.example/', 'a', ''))) }, { search: DUCK, ...more });
    const call = { id: 'c1', name: 'web_search', argsText: JSON.stringify({ query, why: 'to find it' }) };
    const bench = await startRuntime([{ calls: [call] }, { text: 'done' }], fakeTarget(), {
      review: { denylist: [], allowedPaths: [], homeDir: '/home/ann', confirmShell: true, web: site.web },
    });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    return bench;
  };

  test('nobody, as the settings are at first', async () => {
    const bench = await prompted('disk full', {});
    await bench.seen('task.ended');
    expect(bench.find('tool.ended')[0]).toMatchObject({ summary: '1 result · duckduckgo', isError: false });
  });

  test.each([
    ['when they want to be', 'disk full', { confirm: true }, 'search with duckduckgo', [] as readonly string[]],
    [
      'before a secret is told',
      'why is hunter2 wrong',
      { betrays: (text: string) => text.includes('hunter2') },
      'search with duckduckgo',
      ['the query holds a secret'],
    ],
  ])('the user, %s', async (_name, query, more, title, reasons) => {
    const bench = await prompted(query, more);
    await bench.seen('approval.requested');
    expect(bench.find('approval.requested')[0]?.request).toMatchObject({ title, body: query, computed: { network: true, reasons } });
    bench.answer('deny');
    await bench.seen('task.ended');
    expect([bench.find('tool.ended')[0]?.summary, site?.connections()]).toEqual(['denied', 0]);
  });
});
