/** What a real tmux says of the keys that it passes on. */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import { multiplexerNotes, tmuxLines } from '../../lib/modes/extended-keys.js';

const notes = (env: Host['env']) =>
  multiplexerNotes({ env: { PATH: process.env['PATH'], ...env }, clock: systemClock }, new AbortController().signal);

test('outside of one there is nothing to say; of screen, and of a tmux elsewhere, what is known', async () => {
  expect(await notes({ TERM: 'xterm-256color' })).toEqual([]);
  expect((await notes({ TERM: 'screen', STY: '1.tty' })).join()).toContain('GNU screen');
  expect(await notes({ TERM: 'tmux-256color' })).toEqual(expect.arrayContaining(tmuxLines.map((line) => `  ${line}`)));
});

test('inside of tmux: the lines that are missing, and none once they are there', async () => {
  const name = `bt-${randomBytes(5).toString('hex')}`;
  const tmux = (...args: readonly string[]) => execFileSync('tmux', ['-L', name, ...args], { encoding: 'utf8' });
  try {
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', 's', 'cat');
    const env = { TERM: 'tmux-256color', TMUX: `/tmp/tmux-${userInfo().uid}/${name},1,0` };
    expect((await notes(env)).slice(1)).toEqual(tmuxLines.map((line) => `  ${line}`));
    tmux('set-option', '-s', 'extended-keys', 'on');
    tmux('set-option', '-s', 'focus-events', 'on');
    expect((await notes(env)).slice(1)).toEqual([`  ${tmuxLines[1]}`]);
  } finally {
    tmux('kill-server');
    rmSync(`/tmp/tmux-${userInfo().uid}/${name}`, { force: true });
  }
});
