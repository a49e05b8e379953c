/** A program of the working folder is never taken for one of the system. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '../../lib/base/process.js';
import { programPath } from '../../lib/base/program-path.js';

const root = mkdtempSync(join(tmpdir(), 'program-path-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function program(folder: string, says: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tool'), `#!/bin/sh\necho ${says}\n`);
  chmodSync(join(folder, 'tool'), 0o755);
}

test.each(['.', '', 'bin', '..'])('a PATH with %j in front of all finds the one of the system', async (odd) => {
  const cwd = join(root, 'repo');
  for (const folder of [cwd, join(cwd, 'bin'), root]) program(folder, 'planted');
  program(join(root, 'system'), 'real');
  const env = { PATH: `${odd}:${join(root, 'system')}:/usr/bin:/bin` };
  const { stdout } = await runProcess('tool', [], { env, cwd }, new AbortController().signal);
  expect(stdout).toBe('real\n');
  const none = { PATH: `/usr/bin:/bin:${odd}` };
  await expect(runProcess('tool', [], { env: none, cwd }, new AbortController().signal)).rejects.toThrow('ENOENT');
});

test('a path, and a PATH of whole folders, stay as they are', () => {
  expect(programPath('./tool', '.:/bin')).toBe('./tool');
  expect(programPath('tool', '/usr/bin:/bin')).toBe('tool');
});
