/** Searching this host: with ripgrep and fd, with one of them, and with what every system has. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenTarget, TargetTests } from './local-target.js';
import { searchContract } from './search-contract.js';

const NEEDED = ['sh', 'find', 'grep', 'xargs', 'head', 'tail', 'cut', 'tr', 'wc', 'cat', 'sleep', 'readlink', 'rm', 'yes', 'printf'];
const whereIs = (program: string) =>
  spawnSync('sh', ['-c', `for d in /bin /usr/bin; do [ -x $d/${program} ] && echo $d/${program}; done | tail -n 1`], {
    encoding: 'utf8',
  }).stdout.trim();
const hasBoth = ['rg', 'fdfind'].every((program) => whereIs(program).startsWith('/'));
const hasBusybox = whereIs('busybox').startsWith('/');

/** Each ground, with the programs that are there besides. */
const grounds: readonly (readonly [string, 'tmux' | 'direct', readonly string[], boolean])[] = [
  ['what every system has', 'direct', [], true],
  ['what every system has, beside a pane', 'tmux', [], true],
  ['busybox', 'direct', ['busybox'], hasBusybox],
  ['ripgrep and fd', 'direct', ['rg', 'fdfind'], hasBoth],
  ['ripgrep alone', 'direct', ['rg'], hasBoth],
  ['fd alone', 'direct', ['fdfind'], hasBoth],
];

if (!hasBoth) test.todo('ripgrep and fd-find are not installed here: the tests with them are skipped');

describe.each(grounds)('%s', (_name, via, programs, canRun) => {
  const tests = new TargetTests();
  let opened: OpenTarget;
  beforeAll(async () => {
    const home = tests.newHome();
    const bin = join(home, 'bin');
    mkdirSync(bin);
    for (const program of NEEDED) symlinkSync(programs.includes('busybox') ? whereIs('busybox') : whereIs(program), join(bin, program));
    for (const program of programs) if (existsSync(whereIs(program))) symlinkSync(whereIs(program), join(bin, program));
    // tmux and the shell are found in their own places.
    opened = await tests.start({ home, via, env: via === 'direct' ? { PATH: bin } : {}, shell: '/bin/bash' });
  });
  afterAll(() => tests.closeAll());

  searchContract(canRun ? test : test.skip, () => ({
    target: opened.target,
    shell: (script) => spawnSync('sh', ['-c', script], { cwd: opened.home, encoding: 'utf8' }).stdout,
  }));
});
