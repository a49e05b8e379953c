/** The worker that reads pages, as it is built: it is found, it reads, and hostile pages end it alone. */

import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import { runWorker } from '../../lib/base/worker.js';

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

test('a page that takes more memory than it is given ends the worker and nothing else', async () => {
  await expect(read('<p>x'.repeat(300_000), { memoryMb: 48 })).rejects.toMatchObject({ code: 'worker.memory' });
});

test('a page that takes longer than it may is given up', async () => {
  await expect(read('<div class=x><p>words, words</p>'.repeat(40_000), { timeMs: 700 })).rejects.toMatchObject({ code: 'worker.time' });
});
