/** kill -9 at random points, a few times; `npm run stress -- --kills 200 --seed N` does it more often and elsewhere. */

import { execFile } from 'node:child_process';
import { jest } from '@jest/globals';
import { programPath } from './eye.js';

const KILLS = 15;
const SEED = 11;

jest.setTimeout(300_000);

test('killed at random points: what was on the screen is in the session, nothing is asked or run by itself, the terminal is usable', async () => {
  programPath();
  const [code, said] = await new Promise<readonly [number | string | null | undefined, string]>((resolve) => {
    const args = ['scripts/stress/kills.mjs', '--kills', String(KILLS), '--seed', String(SEED)];
    execFile(process.execPath, args, (error, stdout, stderr) => resolve([error === null ? 0 : error.code, stdout + stderr]));
  });
  expect([code, said]).toEqual([0, expect.stringMatching(/kill -9, 15 times, seed 11[\s\S]*; 0 wrong/)]);
  // It has not missed what it is for.
  const counts = /turns (\d+), shown (\d+), answered (\d+), allowed (\d+), ran (\d+)/.exec(said)?.slice(1).map(Number) ?? [];
  for (const count of counts) expect(count).toBeGreaterThan(2);
});
