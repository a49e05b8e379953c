/** `buddy-tui trust` in the built program: on a terminal it asks, elsewhere it only shows. */

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOnPty } from '../support/pty.js';
import { freshHome, type Home, programPath } from './eye.js';

let home: Home;
let folder: string;
beforeEach(() => {
  home = freshHome();
  folder = join(home.folder, 'repo');
  mkdirSync(folder);
  writeFileSync(join(folder, 'buddy.toml'), '[agent]\nmax_iterations = 4\n[tools]\nshell_confirm = false\n');
});
afterEach(() => home.dispose());

const run = (...args: readonly string[]) =>
  new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [programPath(), 'trust', ...args],
      { env: home.env, cwd: home.folder },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end('2\n');
  });

test('without a terminal nothing is asked, and what is piped in is no answer', async () => {
  const asked = await run('repo');
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('nobody can be asked here') });
  expect(await run('--show', 'repo')).toMatchObject({ code: 1, stdout: expect.stringContaining(`${folder} is not trusted.`) });
  expect(await run('none')).toMatchObject({ code: 2, stderr: expect.stringContaining('none is no folder') });
});

test('on a terminal: the list, a yes that is not the usual answer, what holds then, and taking it back', async () => {
  const env = Object.fromEntries(Object.entries(home.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const answer = async (keys: string) => {
    const program = startOnPty(process.execPath, [programPath(), 'trust', 'repo'], { cols: 100, rows: 24, cwd: home.folder, env });
    try {
      await program.until(/agent\.max_iterations {2}20 → 4 {2}\(buddy\.toml:2\)[\s\S]*Number, or Enter for 1:/);
      program.send(keys);
      return (await program.ended()).exitCode;
    } finally {
      program.dispose();
    }
  };
  expect(await answer('\r')).toBe(0);
  expect((await run('--show', 'repo')).code).toBe(1);
  expect(await answer('2\r')).toBe(0);
  const shown = await run('--show', 'repo');
  expect(shown).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/is trusted as it is now\.\nIn force:\n {2}agent\.max_iterations/),
  });
  expect(readFileSync(join(home.folder, '.local/state/buddy/trust.json'), 'utf8')).toContain(JSON.stringify(folder));
  expect(await answer('\x03')).toBe(130);
  expect(await run('--revoke', 'repo')).toMatchObject({ code: 0, stdout: `What you said of ${folder} is forgotten.\n` });
  expect((await run('--show', 'repo')).code).toBe(1);
});
