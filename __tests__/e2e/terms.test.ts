/** M1: under each TERM that a real tmux can be told, the screen is drawn with the colours that it has, and given back. */

import { until } from '../support/until.js';
import { withEye } from './eye.js';

test(
  'tmux-256color, screen-256color, xterm-256color, linux, vt100: drawn, and given back; dumb: refused in a sentence',
  () =>
    withEye(async (eye) => {
      for (const [term, colours] of [
        ['tmux-256color', true],
        ['screen-256color', true],
        ['xterm-256color', true],
        ['linux', true],
        ['vt100', false],
      ] as const) {
        await eye.line(`clear; export TERM=${term} COLORTERM=`);
        await eye.start('keys', new RegExp(`buddy-tui keys +TERM=${term}`));
        await eye.press('C-o');
        await eye.sees(/Ctrl\+O \(C-o\) +0f/);
        // What has a colour of its own: the lines for tmux.conf, which come when tmux has answered.
        await eye.sees('set -s extended-keys on');
        expect(await eye.flag('alternate_on')).toBe('1');
        const looks = await eye.tmux('capture-pane', '-p', '-e', '-t', 'e');
        expect([term, /\x1b\[[0-9;]*(?:3[1-7]|38;5|9[0-7])[0-9;]*m/.test(looks)]).toEqual([term, colours]);
        await eye.press('q', 'q');
        // What is typed before that is the tester's.
        await until('the screen is given back', async () => (await eye.flag('pane_current_command')) === 'bash');
        await eye.line(`echo "given back: $?"; echo ${term}-end`);
        await eye.sees(new RegExp(`given back: 0\\n${term}-end`));
        expect(await eye.flag('alternate_on')).toBe('0');
      }
      await eye.line('clear; export TERM=dumb');
      await eye.start('keys', 'TERM=dumb is no terminal that a screen can be drawn on');
    }),
  60_000,
);
