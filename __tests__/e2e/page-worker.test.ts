/** The worker that reads pages, as it is built: it is found, it reads, and hostile pages end it alone. */

import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import { runWorker } from '../../lib/base/worker.js';
import { defaultSettings } from '../../lib/config/settings.js';
import { createWebAccess } from '../../lib/modes/web-access.js';
import { createSecrets } from '../../lib/policy/redaction.js';

const path = join(process.cwd(), 'dist/bundle/tools/web/page-worker.js');
const read = (html: string, limits: { readonly timeMs?: number; readonly memoryMb?: number } = {}, what = 'page') =>
  runWorker(
    path,
    { read: what, html, url: 'https://a.example/' },
    { clock: systemClock, timeMs: 15_000, memoryMb: 256, ...limits },
    new AbortController().signal,
  );

test('reads a page, and a page of results', async () => {
  expect(await read('<title>t</title><p>hello <b>you</b>')).toEqual({ title: 't', markdown: 'hello **you**', part: 'page' });
  expect(await read('<p>nothing of the kind', {}, 'duckduckgo')).toEqual({ kind: 'unknown' });
});

test('a page on which the look for an article never ends is read whole', async () => {
  const host = { packageDir: process.cwd(), clock: systemClock, env: {}, version: '1' } as unknown as Host;
  const { pages } = createWebAccess(
    host,
    defaultSettings(),
    createSecrets(() => []),
  );
  const words = `<p>${'Many words, all of them about disks and how they fill up over the years. '.repeat(8)}</p>`;
  const html = `${words.repeat(12)}${'<div>'.repeat(1500)}deep`;
  const read = pages.page(html, 'https://a.example/', new AbortController().signal);
  expect(await read).toMatchObject({ part: 'page', markdown: expect.stringMatching(/^Many words[\s\S]*deep$/) });
}, 40_000);

test('who waits for the turn of their page can be interrupted', async () => {
  const host = { packageDir: process.cwd(), clock: systemClock, env: {}, version: '1' } as unknown as Host;
  const { pages } = createWebAccess(
    host,
    defaultSettings(),
    createSecrets(() => []),
  );
  const stop = new AbortController();
  const first = pages.page('<p>one', 'https://a.example/', new AbortController().signal);
  const second = expect(pages.page('<p>two', 'https://a.example/', stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  stop.abort();
  await second;
  expect(await first).toMatchObject({ markdown: 'one' });
});

test('a page that takes more memory than it is given ends the worker and nothing else', async () => {
  await expect(read('<p>x'.repeat(300_000), { memoryMb: 48 })).rejects.toMatchObject({ code: 'worker.memory' });
});

test('a page that takes longer than it may is given up', async () => {
  await expect(read('<div class=x><p>words, words</p>'.repeat(40_000), { timeMs: 700 })).rejects.toMatchObject({ code: 'worker.time' });
});
