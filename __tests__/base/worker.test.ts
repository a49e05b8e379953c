/** Work in a thread of its own: it answers, or it is ended; it can take neither all time nor all memory. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import { runWorker } from '../../lib/base/worker.js';
import { FakeClock } from '../support/fake-clock.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'worker-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function worker(name: string, body: string): string {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, `import { parentPort, workerData } from 'node:worker_threads';\n${body}`);
  return path;
}
const limits = { clock: systemClock, timeMs: 10_000, memoryMb: 64 };
const never = new AbortController().signal;

test('answers with its first message, and sees nothing of the environment', async () => {
  const path = worker('echo', 'parentPort.postMessage([workerData, Object.keys(process.env)]); setInterval(() => {}, 1000);');
  expect(await runWorker(path, { a: 1 }, limits, never)).toEqual([{ a: 1 }, []]);
});

test('a loop without end is ended when its time is over, or when the user interrupts', async () => {
  const path = worker('loop', 'for (;;);');
  const clock = new FakeClock();
  const late = expect(runWorker(path, null, { ...limits, clock }, never)).rejects.toMatchObject({
    code: 'worker.time',
    message: 'it was not done after 10 s',
  });
  await clock.advance(10_000);
  await late;
  const stop = new AbortController();
  const stopped = expect(runWorker(path, null, limits, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  stop.abort();
  await stopped;
});

test('one that takes too much memory ends alone', async () => {
  const path = worker('greedy', 'const all = []; for (;;) all.push(new Array(10000).fill({ a: all.length }));');
  await expect(runWorker(path, null, limits, never)).rejects.toMatchObject({ code: 'worker.memory', message: 'it needed more than 64 MB' });
});

test.each([
  ['throws', 'throw new Error("torn");', 'torn'],
  ['says nothing', 'process.exit(3);', 'it ended with 3 and said nothing'],
])('one that %s is a sentence', async (name, body, message) => {
  await expect(runWorker(worker(name.replace(' ', '-'), body), null, limits, never)).rejects.toMatchObject({
    code: 'worker.failed',
    message,
  });
});
