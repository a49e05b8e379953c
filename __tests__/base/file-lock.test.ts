/** A lock that cannot be taken away is told of; the work that was done under it counts. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import { withFileLock } from '../../lib/base/file-lock.js';

const isRoot = process.getuid?.() === 0;
/** Nothing is removed from such a folder: the mode says so, and to root an attribute of the file system. */
const stick = (folder: string) => (isRoot ? execFileSync('chattr', ['+a', folder]) : chmodSync(folder, 0o500));
const loosen = (folder: string) => (isRoot ? execFileSync('chattr', ['-a', folder]) : chmodSync(folder, 0o700));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'buddy-lock-'));
});
afterEach(() => {
  spawnSync('chattr', ['-a', folder], { stdio: 'ignore' });
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

function canStick(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'buddy-lock-'));
  try {
    stick(probe);
    loosen(probe);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

const sticking = canStick() ? test : test.skip;
if (sticking === test.skip) process.stderr.write('file-lock: no folder can be made here that nothing is removed from; skipped\n');

const lock = (notice: (text: string) => void) => ({
  ...{ path: join(folder, 'x.lock'), pid: process.pid, hostname: 'here', clock: systemClock, notice },
});
const { signal } = new AbortController();

sticking('what was done counts, and the lock that is left is told of', async () => {
  const told: string[] = [];
  const result = await withFileLock(
    lock((text) => told.push(text)),
    signal,
    async () => {
      stick(folder);
      return 'done';
    },
  );
  expect(result).toBe('done');
  expect(told).toEqual([expect.stringMatching(/^The lock .*x\.lock cannot be taken away: .*; others wait for it for a minute$/)]);
  expect(existsSync(join(folder, 'x.lock'))).toBe(true);
});

sticking('what went wrong under it is not hidden by it', async () => {
  const work = async () => {
    stick(folder);
    throw new Error('the work failed');
  };
  await expect(
    withFileLock(
      lock(() => undefined),
      signal,
      work,
    ),
  ).rejects.toThrow('the work failed');
});

test('usually it is gone afterwards, and nothing is told', async () => {
  const told: string[] = [];
  expect(
    await withFileLock(
      lock((text) => told.push(text)),
      signal,
      async () => existsSync(join(folder, 'x.lock')),
    ),
  ).toBe(true);
  expect([told, existsSync(join(folder, 'x.lock'))]).toEqual([[], false]);
});
