/** The soak itself works: three faults of one seed, and what must hold after them holds. */

import { execFile } from 'node:child_process';
import { jest } from '@jest/globals';
import { programPath } from './eye.js';

// Three starts of the program and more, on a loaded machine.
jest.setTimeout(180_000);

function soak(...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/soak.mjs', ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: `${stdout}${stderr}` }),
    );
  });
}

test('three rounds of one seed', async () => {
  programPath();
  const { code, said } = await soak('--seed', '7', '--rounds', '3', '--fault', 'F2', '--fault', 'F12', '--fault', 'F18');
  expect(said).toMatch(/round {3}1 .* ok [\s\S]*round {3}2 .* ok [\s\S]*round {3}3 .* ok [\s\S]*seed 7\n\nfault +rounds +failed/);
  expect(code).toBe(0);
});

test('what it cannot be asked for', async () => {
  expect(await soak('--fault', 'F99')).toEqual({
    code: expect.any(Number),
    said: expect.stringContaining('there is no such fault; there are F1 F2'),
  });
  expect((await soak('--seed', 'x')).said).toContain('usage: npm run soak');
});
