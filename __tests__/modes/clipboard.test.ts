/** Where copied text goes: a real tmux when we are in one, the terminal, or a file. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import { copyText } from '../../lib/modes/clipboard.js';

const home = mkdtempSync(join(tmpdir(), 'buddy-copy-'));
afterAll(() => rmSync(home, { recursive: true }));

const hostWith = (env: Readonly<Record<string, string | undefined>>) =>
  ({ env: { PATH: process.env['PATH'], ...env }, homeDir: home, clock: systemClock }) as unknown as Host;

test('inside tmux the text goes to tmux, whatever its length', async () => {
  const socket = join(home, 'tmux');
  const tmux = (...args: readonly string[]) =>
    spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
  tmux('new-session', '-d', 'sleep 600');
  const session = tmux('display-message', '-p', '#{session_id}').stdout.trim().slice(1);
  try {
    const text = 'é line\n'.repeat(50_000);
    const copied = await copyText(hostWith({ TMUX: `${socket},1,${session}` }), text, () => false);
    expect(copied).toEqual({ isCopied: true, words: 'copied 400.0 kB (also to tmux)' });
    expect(tmux('show-buffer').stdout).toBe(text);
  } finally {
    tmux('kill-server');
  }
});

test('a tmux that is gone is no tmux: the terminal takes it', async () => {
  const got: string[] = [];
  const take = (text: string) => got.push(text) > 0;
  const copied = await copyText(hostWith({ TMUX: '/nowhere/tmux,1,0' }), 'abc', take);
  expect([copied, got]).toEqual([{ isCopied: true, words: 'copied 3 B' }, ['abc']]);
});

test('what no terminal takes becomes a file that only we can read', async () => {
  const { isCopied, words } = await copyText(hostWith({}), 'too long', () => false);
  const path = /written to (\S+)$/.exec(words)?.[1] ?? '';
  expect([isCopied, readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([true, 'too long', 0o600]);
});
