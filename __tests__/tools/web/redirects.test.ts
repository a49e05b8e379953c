/** Redirects: each one is judged as if it had been asked for, and what is refused is never connected to. */

import { fetchUrl } from '../../../lib/tools/fetch-url.js';
import type { WebAccess } from '../../../lib/tools/web/access.js';
import { closedAddresses, testEachAddress } from '../../support/addresses.js';
import { FakeClock } from '../../support/fake-clock.js';
import { callContext, type Route, type Site, startSite } from '../../support/site.js';

let site: Site | null = null;
afterEach(async () => {
  await site?.close();
  site = null;
});

async function fetched(
  url: string,
  routes: Record<string, Route>,
  more: Partial<WebAccess> = {},
  names: Record<string, readonly string[]> = {},
) {
  site = await startSite(routes, more, names);
  return fetchUrl.run(fetchUrl.parse({ url, why: 'w' }), callContext(site.web, new FakeClock()));
}
const page: Route = { type: 'text/plain', body: 'arrived' };

testEachAddress(closedAddresses)('to %s: one connection, to the page that led there', async (address) => {
  const to = `http://${address.includes(':') ? `[${address}]` : address}/secret`;
  await expect(fetched('http://a.example/', { '/': { to }, '/secret': page })).rejects.toMatchObject({
    code: 'web.refused',
    message: expect.stringContaining('http://a.example/ leads to'),
  });
  expect([site?.asked, site?.reached, site?.connections()]).toEqual([['a.example /'], ['93.184.216.34'], 1]);
});

testEachAddress(closedAddresses)('to a name that is %s: one connection as well', async (address) => {
  const names = { 'b.example': [address] };
  await expect(fetched('http://a.example/', { '/': { to: 'http://b.example/secret' } }, {}, names)).rejects.toMatchObject({
    code: 'web.refused',
    message: expect.stringContaining('is not a public address'),
  });
  expect([site?.asked, site?.connections()]).toEqual([['a.example /'], 1]);
});

test('to itself, when its name has become this machine meanwhile', async () => {
  const again: Route = (_request, response) => response.writeHead(302, { location: '/again', connection: 'close' }).end();
  const names = { 'a.example': ['93.184.216.34', '127.0.0.1'] };
  await expect(fetched('http://a.example/', { '/': again }, {}, names)).rejects.toMatchObject({ code: 'web.refused' });
  expect([site?.asked, site?.connections()]).toEqual([['a.example /'], 1]);
});

test.each([
  ['file:///etc/passwd', 'only http and https'],
  ['ftp://b.example/', 'only http and https'],
  ['data:text/plain,x', 'only http and https'],
  ['http://me:secret@b.example/', 'user name or password'],
  ['http://b.example:6379/', 'no port for pages'],
  ['http://localhost/', 'name of this machine'],
  ['//', 'no address'],
])('to %s is refused: %s', async (to, reason) => {
  await expect(fetched('http://a.example/', { '/': { to } })).rejects.toThrow(reason);
  expect(site?.connections()).toBe(1);
});

test('five are followed, a sixth is not', async () => {
  const steps = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at): [string, Route] => [`/${at}`, { to: `/${at + 1}` }]));
  const { result } = await fetched('http://a.example/0', { ...steps(5), '/5': page });
  expect(result).toMatchObject({
    url: 'http://a.example/5',
    content: 'arrived',
    redirected_from: expect.arrayContaining(['http://a.example/4']),
  });
  await site?.close();
  await expect(fetched('http://a.example/0', { ...steps(6), '/6': page })).rejects.toThrow('leads on more than 5 times');
  expect(site?.asked.length).toBe(6);
});

test('one without a place to go is shown as it is, and a loop ends', async () => {
  const nowhere: Route = (_request, response) => response.writeHead(302).end('gone fishing');
  expect((await fetched('http://a.example/', { '/': nowhere })).result).toMatchObject({ status: 302, content: 'gone fishing' });
  await site?.close();
  await expect(fetched('http://a.example/', { '/': { to: '/' } })).rejects.toMatchObject({ code: 'web.redirects' });
});

test('where each page is asked about, another host is told and not gone to', async () => {
  const { result, summary } = await fetched('http://a.example/', { '/': { to: 'http://b.example/x' } }, { confirm: true });
  expect(result).toMatchObject({ redirects_to: 'http://b.example/x' });
  expect(summary).toBe('302 · leads to http://b.example/x');
  expect(site?.asked).toEqual(['a.example /']);
  await site?.close();
  const same = await fetched('http://a.example/', { '/': { to: 'http://www.a.example/x' }, '/x': page }, { confirm: true });
  expect(same.summary).toBe('200 · text/plain · 7 B · at http://www.a.example/x');
});

test('nothing of the reader is carried: no cookie, no login, no word of where it comes from', async () => {
  const setsCookie: Route = (_request, response) => response.writeHead(302, { location: '/x', 'set-cookie': 'id=1; Path=/' }).end();
  await fetched('http://a.example/', { '/': setsCookie, '/x': page });
  const { cookie, authorization, referer } = site?.last()?.headers ?? {};
  expect([cookie, authorization, referer, site?.last()?.headers['user-agent']]).toEqual([
    undefined,
    undefined,
    undefined,
    'buddy-tui under test',
  ]);
});
