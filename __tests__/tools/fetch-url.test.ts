/** fetch_url: what a page becomes, what it may take, and who is asked. */

import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { abortError } from '../../lib/base/errors.js';
import { fetchUrl } from '../../lib/tools/fetch-url.js';
import type { WebAccess } from '../../lib/tools/web/access.js';
import { FakeClock } from '../support/fake-clock.js';
import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { callContext, type Route, type Site, startSite } from '../support/site.js';
import { until } from '../support/until.js';

const sites: Site[] = [];
const clock = new FakeClock();
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

async function opened(routes: Record<string, Route>, more: Partial<WebAccess> = {}): Promise<Site> {
  const site = await startSite(routes, more);
  sites.push(site);
  return site;
}
const run = ({ web }: Site, args: object, signal = new AbortController().signal) =>
  fetchUrl.run(fetchUrl.parse({ url: 'http://a.example/', why: 'w', ...args }), callContext(web, clock, signal));
const fetched = async (route: Route, args: object = {}) => run(await opened({ '/': route }), args);

describe('what it gives', () => {
  test('HTML as markdown, with title, status, sizes and whole links', async () => {
    const body = '<title>Disks</title><h1>Full?</h1><p>See <a href="/df">df</a>.</p><script>steal()</script>';
    const { result, summary, isError } = await fetched({ type: 'text/html', body });
    expect(result).toEqual({
      url: 'http://a.example/',
      status: 200,
      type: 'text/html',
      title: 'Disks',
      received_bytes: body.length,
      size: 39,
      content: '# Full?\n\nSee [df](http://a.example/df).',
    });
    expect([summary, isError]).toEqual(['200 · text/html · 39 B', false]);
  });

  test('the HTML itself when that is asked for, and JSON and text as they are', async () => {
    const html = '<p>x  <b>y</b>\n';
    expect((await fetched({ type: 'text/html', body: html }, { raw: true })).result).toMatchObject({ content: html });
    const json = '{ "a":  [1] }';
    expect((await fetched({ type: 'application/problem+json', body: json })).result).toMatchObject({ content: json });
    expect((await fetched({ type: 'text/plain', body: html })).result).toMatchObject({ content: html });
  });

  test('a page that is made by scripts says that there is nothing to read', async () => {
    const { result } = await fetched({ type: 'text/html', body: '<div id="root"></div><script src="/app.js"></script>' });
    expect(result).toMatchObject({ content: '', note: expect.stringContaining('without its scripts') });
  });

  test('an error page is an error that can be read', async () => {
    const { result, summary, isError } = await fetched({ type: 'text/html', body: '<h1>Gone</h1>', status: 410 });
    expect([summary, isError, result]).toEqual([
      '410 · text/html · 6 B',
      true,
      expect.objectContaining({ status: 410, content: '# Gone' }),
    ]);
  });

  test.each([
    ['a picture', 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1])],
    ['a picture that is HTML', 'image/png', Buffer.from('<p>hello</p>')],
    ['what calls itself text and is not', 'text/plain', Buffer.from([1, 0, 2])],
    ['an archive of no known type', '', Buffer.from([0x50, 0x4b, 3, 4, 0, 0])],
  ])('of %s only type and size', async (_name, type, body) => {
    const { result, summary } = await fetched((_request, response) => {
      response.writeHead(200, { ...(type === '' ? {} : { 'content-type': type }), 'content-length': body.length }).end(body);
    });
    expect(result).toMatchObject({ binary: true, size: body.length, type: type === '' ? 'unknown type' : type });
    expect(result).not.toHaveProperty('content');
    expect(summary).toContain(`${body.length} B`);
  });

  test.each([
    ['the header', 'text/plain; charset=ISO-8859-1', Buffer.from([0x6b, 0xfc]), 'kü'],
    ['the header, Japanese', 'text/plain; charset="shift_jis"', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['the page', 'text/html', Buffer.concat([Buffer.from('<meta charset="windows-1251"><p>'), Buffer.from([0xc4, 0xe0])]), 'Да'],
    ['its first bytes', 'text/plain', Buffer.from([0xff, 0xfe, 0x68, 0x00, 0xe9, 0x00]), 'hé'],
    ['nobody, and it is UTF-8', 'text/plain', Buffer.from('naïve'), 'naïve'],
    ['nobody, and it is not', 'text/plain', Buffer.from([0x6e, 0xef]), 'nï'],
    ['nobody knows it', 'text/plain; charset=klingon', Buffer.from('é'), 'é'],
  ])('the charset told by %s', async (_name, type, body, expected) => {
    expect((await fetched({ type, body })).result).toMatchObject({ content: expected });
  });

  test('a long page in pieces of the same fetch, cut between characters', async () => {
    let served = 0;
    const site = await opened({
      '/': (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(`aé€😀${++served}`),
    });
    const first = await run(site, { limit: 8 });
    expect(first.result).toMatchObject({ content: 'aé€', size: 11, truncated: true, note: '5 bytes follow; read on with offset 6.' });
    expect(first.summary).toBe('200 · text/plain · 6 B of 11 B');
    const rest = await run(site, { offset: 6 });
    expect([rest.result, served]).toEqual([expect.objectContaining({ content: '😀1' }), 1]);
    expect((await run(site, { offset: 500 })).result).toMatchObject({ content: '', size: 11 });
  });
});

describe('what it may take', () => {
  test.each([
    ['gzip', gzipSync(Buffer.alloc(60_000_000, 'a'))],
    ['br', brotliCompressSync(Buffer.alloc(60_000_000, 'a'))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(60_000_000, 'a')))],
  ])('a small archive of a large page (%s) is read to the limit and no further', async (encoding, bomb) => {
    const { result } = await fetched(
      (_request, response) => response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding }).end(bomb),
      { limit: 10 },
    );
    expect(result).toMatchObject({ received_bytes: 5_000_000, note: expect.stringContaining('longer than 5.0 MB') });
  });

  test('an endless page as well', async () => {
    const endless: Route = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    expect((await fetched(endless, { limit: 1 })).result).toMatchObject({ received_bytes: 5_000_000 });
  });

  /** A byte now and then, for as long as somebody listens. */
  const drip = (response: ServerResponse): void => {
    if (response.destroyed) return;
    response.write('x');
    setTimeout(drip, 10, response);
  };
  const hangs: readonly (readonly [string, (response: ServerResponse) => void])[] = [
    ['says nothing', () => undefined],
    ['stops in the middle', (response) => response.writeHead(200, { 'content-type': 'text/plain' }).write('half')],
    ['drips', (response) => drip(response.writeHead(200, { 'content-type': 'text/plain' }))],
  ];

  test.each(hangs)('a server that %s is given up when the time is over', async (_name, hang) => {
    const site = await opened({ '/': (_request, response) => hang(response) });
    const running = run(site, {});
    const ended = expect(running).rejects.toMatchObject({ code: 'web.timeout', message: 'it was not done after 20 s' });
    await until('the server was asked', () => site.asked.length === 1);
    await clock.advance(20_000);
    await ended;
  });

  test.each(hangs)('a server that %s is left at once when the user interrupts', async (_name, hang) => {
    const site = await opened({ '/': (_request, response) => hang(response) });
    const stop = new AbortController();
    const ended = expect(run(site, {}, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
    await until('the server was asked', () => site.asked.length === 1);
    stop.abort();
    await ended;
  });

  test('reading is interrupted too', async () => {
    const pages: WebAccess['pages'] = {
      page: (_html, _url, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(abortError()))),
      duckDuckGo: () => Promise.reject(new Error('not asked')),
    };
    const site = await opened({ '/': { type: 'text/html', body: '<p>x' } }, { pages });
    const stop = new AbortController();
    const ended = expect(run(site, {}, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
    await until('the server was asked', () => site.asked.length === 1);
    stop.abort();
    await ended;
  });

  test('a page that cannot be read in time is shown as it came', async () => {
    const pages: WebAccess['pages'] = {
      page: () => Promise.reject(new Error('too slow')),
      duckDuckGo: () => Promise.reject(new Error('x')),
    };
    const site = await opened({ '/': { type: 'text/html', body: '<p>x' } }, { pages });
    expect((await run(site, {})).result).toMatchObject({
      content: '<p>x',
      note: 'It could not be made readable (too slow), so this is its HTML.',
    });
  });

  test('headers without end and connections that break are sentences', async () => {
    const flood: Route = (_request, response) => response.writeHead(200, { 'x-flood': 'y'.repeat(500_000) }).end();
    await expect(fetched(flood)).rejects.toThrow('http://a.example/: its headers are too long');
    await expect(fetched((request) => request.socket.destroy())).rejects.toThrow('http://a.example/: the connection was broken off');
  });
});

describe('who is asked', () => {
  const call = (url: string) => ({ id: 'c1', name: 'fetch_url', argsText: JSON.stringify({ url, why: 'to see' }) });
  const review = (web: WebAccess) => ({ denylist: [], allowedPaths: [], homeDir: '/home/ann', confirmShell: true, web });
  const prompted = async (url: string, more: Partial<WebAccess> = {}, options: object = {}) => {
    const site = await opened({ '/': { type: 'text/plain', body: 'hello' }, '/other': { type: 'text/plain', body: 'other' } }, more);
    const bench = await startRuntime([{ calls: [call(url)] }, { text: 'done' }], fakeTarget(), { review: review(site.web), ...options });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    return { bench, site };
  };

  test('nobody, as the settings are at first; the policy "none" refuses it all the same', async () => {
    const { bench } = await prompted('http://a.example/');
    await bench.seen('task.ended');
    expect(bench.find('tool.ended')[0]).toMatchObject({ summary: '200 · text/plain · 5 B', text: 'hello', isError: false });
    const none = await prompted('http://a.example/', {}, { policy: { kind: 'none' } });
    await none.bench.seen('task.ended');
    expect([none.bench.find('tool.ended')[0]?.summary, none.site.connections()]).toEqual(['denied', 0]);
  });

  test('the user, with the whole address, when they want to be', async () => {
    const { bench, site } = await prompted('HTTP://A.example:80/?q=a b#part', { confirm: true });
    await bench.seen('approval.requested');
    expect(bench.find('approval.requested')[0]?.request).toMatchObject({
      title: 'fetch from a.example',
      body: 'http://a.example/?q=a%20b',
      claim: { risk: 'low', mutation: false, privesc: false, why: 'to see' },
      editable: true,
    });
    bench.answer('deny');
    await bench.seen('task.ended');
    expect([bench.find('tool.ended')[0]?.summary, site.connections()]).toEqual(['denied', 0]);
  });

  test.each([
    ['http://a.example:6379/', {}, 'port 6379 is not one of web pages'],
    ['http://a.example/?k=hunter2', { betrays: (text: string) => text.includes('hunter2') }, 'the address holds a secret'],
    [`http://a.example/${'a1b2c3d4e5f6g7h8i9j0k1l2m3/'.repeat(9)}`, {}, 'the address carries much that cannot be read'],
  ])('the user, before anything doubtful: %s', async (url, more, reason) => {
    const { bench } = await prompted(url, more);
    await bench.seen('approval.requested');
    expect(bench.find('approval.requested')[0]?.request.computed).toEqual({
      risk: 'high',
      mutation: false,
      privesc: false,
      network: true,
      reasons: [reason],
    });
  });

  test('the user, before a secret goes out, even where everything is allowed; not before an unusual port', async () => {
    const everything = { policy: { kind: 'all' } };
    const { bench, site } = await prompted('http://a.example/?k=hunter2', { betrays: (text) => text.includes('hunter2') }, everything);
    await bench.seen('approval.requested');
    expect(site.connections()).toBe(0);
    const port = await prompted('http://a.example:6379/', {}, everything);
    await port.bench.seen('task.ended');
    expect([port.bench.find('approval.requested'), port.bench.find('tool.ended')[0]?.text]).toEqual([[], 'hello']);
  });

  test('about this machine, when everything else happens elsewhere', async () => {
    const fake = fakeTarget();
    const far = { ...fake, target: { ...fake.target, summary: { ...fake.target.summary, kind: 'ssh' as const, label: 'web-01 (ssh)' } } };
    const site = await opened({});
    const bench = await startRuntime([{ calls: [call('http://a.example/')] }], far, { review: review({ ...site.web, confirm: true }) });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('approval.requested');
    expect(bench.find('approval.requested')[0]?.request.title).toBe('fetch from a.example, from this machine and not from web-01 (ssh)');
  });

  test('what they write instead is fetched, and refused where it would have been', async () => {
    const { bench, site } = await prompted('http://a.example/', { confirm: true });
    await bench.seen('approval.requested');
    const approval = bench.find('approval.requested')[0]?.request.id ?? '';
    bench.runtime.send({ type: 'approval.answer', approval, decision: 'once', body: 'http://a.example/other' });
    await bench.seen('task.ended');
    expect([bench.find('tool.ended')[0]?.text, site.asked]).toEqual(['other', ['a.example /other']]);
    const refused = await prompted('http://a.example/', { confirm: true });
    await refused.bench.seen('approval.requested');
    const id = refused.bench.find('approval.requested')[0]?.request.id ?? '';
    refused.bench.runtime.send({ type: 'approval.answer', approval: id, decision: 'once', body: 'http://127.0.0.1/' });
    await refused.bench.seen('task.ended');
    expect([refused.bench.find('tool.ended')[0]?.summary, refused.site.connections()]).toEqual(['refused', 0]);
  });

  test('nobody, for what is refused to everybody', async () => {
    const { bench, site } = await prompted('http://169.254.169.254/latest/meta-data/', { confirm: true }, { policy: { kind: 'all' } });
    await bench.seen('task.ended');
    expect(bench.find('approval.requested')).toEqual([]);
    expect(bench.find('tool.ended')[0]?.text).toBe(
      'http://169.254.169.254/latest/meta-data/ is not fetched: 169.254.169.254 is not a public address (metadata). Nothing ran.',
    );
    expect(site.connections()).toBe(0);
  });
});
