/** One lock per tmux server. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { systemClock } from '../../lib/base/clock.js';
import { lockPath, withServerLock } from '../../lib/targets/tmux/server-lock.js';
import { FakeClock } from '../support/fake-clock.js';
import { never, privateSocket } from './local-target.js';

const paths: string[] = [];
afterEach(() => {
  for (const path of paths.splice(0)) rmSync(path, { force: true });
});

function newPath(): string {
  const path = lockPath('somebody', privateSocket());
  paths.push(path);
  return path;
}

test('two never work at the same time, and nothing is left', async () => {
  const path = newPath();
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  await Promise.all(Array.from({ length: 8 }, () => withServerLock(path, process.pid, systemClock, never, work)));
  expect(most).toBe(1);
  expect(existsSync(path)).toBe(false);
});

test('a lock whose process is gone is taken over', async () => {
  const path = newPath();
  writeFileSync(path, '999999999 gone');
  expect(await withServerLock(path, process.pid, systemClock, never, async () => readFileSync(path, 'utf8'))).toMatch(`${process.pid} `);
  expect(existsSync(path)).toBe(false);
});

test('a lock that is held for too long is waited for, then passed by and left alone', async () => {
  const path = newPath();
  writeFileSync(path, `${process.pid} held`);
  const clock = new FakeClock();
  let worked = false;
  const done = withServerLock(path, process.pid, clock, never, async () => {
    worked = true;
  });
  await clock.advance(14_000);
  expect(worked).toBe(false);
  await clock.advance(2000);
  await done;
  expect(readFileSync(path, 'utf8')).toBe(`${process.pid} held`);
});

test('waiting ends at once when cancelled', async () => {
  const path = newPath();
  writeFileSync(path, `${process.pid} held`);
  const cancel = new AbortController();
  const done = withServerLock(path, process.pid, new FakeClock(), cancel.signal, async () => 'worked');
  cancel.abort();
  await expect(done).rejects.toMatchObject({ name: 'AbortError' });
});

test('another user or another socket has another lock', () => {
  expect(new Set([lockPath('a', 'b'), lockPath('a', 'c'), lockPath('b', 'b')]).size).toBe(3);
});
