/** Programs that want a person, and keys that end things. */

import { until } from '../../../support/until.js';
import { never } from '../../../targets/local-target.js';
import type { Scenario } from '../cell.js';

export const interaction: readonly Scenario[] = [
  {
    name: 'a full-screen editor',
    async play(cell) {
      const begun = await cell.begins('vi file');
      await cell.untilState('fullscreen', /^vi/);
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'fullscreen' } });
      await cell.types(':q!\r');
      await cell.ends(begun, 0, /^\s*$/);
      await cell.untilState('idle');
    },
  },
  {
    name: 'a pager',
    not: { ash: 'the less of busybox does not use the alternate screen' },
    async play(cell) {
      const begun = await cell.begins('seq 500 | less');
      await cell.untilState('fullscreen');
      await cell.types('q');
      // It may still be echoed: less shows its screen before it stops the echo.
      await cell.ends(begun, 0, /^q?\s*$/);
    },
  },
  {
    name: 'a password prompt',
    async play(cell) {
      const begun = await cell.begins(`sh -c 'printf "Geheim? "; stty -echo; read -r x; stty echo; echo; echo "got \${#x}"'`);
      await cell.untilState('password');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'password' } });
      await cell.types('abc\r');
      await cell.ends(begun, 0, 'Geheim? \ngot 3\n');
    },
  },
  {
    name: 'read -s',
    not: { dash: 'its read has no -s' },
    async play(cell) {
      const begun = await cell.begins(
        cell.of({ fish: 'read -s x; echo "got $x"', zsh: 'read -s x; echo "got $x"', other: 'read -r -s x; echo "got $x"' }),
      );
      await cell.untilState(cell.of<'password' | 'running'>({ fish: 'running', other: 'password' }));
      if (cell.shell === 'fish') await cell.untilScreen('read>');
      await cell.types('abc\r');
      await cell.ends(begun, 0, /got abc\n$/);
    },
  },
  {
    name: 'a question',
    async play(cell) {
      const begun = await cell.begins(`sh -c 'printf "name? "; read -r x; echo "got $x"'`);
      await until('it asks', () => begun.lastLine() === 'name?');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running' } });
      await cell.types('bob\r');
      await cell.ends(begun, 0, 'name? bob\ngot bob\n');
    },
  },
  {
    name: 'the python prompt',
    async play(cell) {
      const begun = await cell.begins('python3 -q');
      await cell.untilState('running', /python/);
      await cell.untilScreen('>>>');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running' } });
      await cell.types('exit(6)\r');
      await cell.ends(begun, 6, />>> exit\(6\)\n$/);
    },
  },
  {
    name: 'a shell in the shell',
    async play(cell) {
      const begun = await cell.begins('env PS1="in""ner> " sh');
      await cell.untilScreen('inner>');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running' } });
      await cell.types('exit 4\r');
      await cell.ends(begun, 4, /exit 4\n$/);
    },
  },
  {
    name: 'input to its end',
    async play(cell) {
      const begun = await cell.begins('cat');
      await cell.types('x\r');
      await until('it came back', () => begun.lastLine() === 'x');
      await cell.types('\x04');
      await cell.ends(begun, 0, 'x\nx\n');
    },
  },
  {
    name: 'Ctrl-C by a person',
    async play(cell) {
      const begun = await cell.begins(`sh -c 'echo begun; exec sleep 600'; echo after`);
      await until('it has begun', () => begun.lastLine() === 'begun');
      await cell.types('\x03');
      await cell.ends(begun, 130, /^begun\n\^C\n?$/);
    },
  },
  {
    name: 'cancelled',
    async play(cell) {
      const cancel = new AbortController();
      let seen = '';
      const outcome = cell.opened.target.run(
        { command: `sh -c 'echo begun; exec sleep 600'; echo after`, wait: { kind: 'exit' } },
        { signal: cancel.signal, onChunk: (chunk) => (seen += chunk) },
      );
      await until('it has begun', () => seen.includes('begun'));
      cancel.abort();
      expect(await outcome).toMatchObject({
        kind: 'cancelled',
        stopped: true,
        output: { text: expect.stringMatching(/^begun\n(?!after)/) },
      });
    },
  },
  {
    name: 'Ctrl-Z by a person',
    async play(cell) {
      const begun = await cell.begins("sh -c 'echo begun; exec sleep 600'");
      await until('it has begun', () => begun.lastLine() === 'begun');
      await cell.types('\x1a');
      await cell.ends(begun, cell.of({ fish: 0, other: 148 }), /^begun\n\^Z/);
      await cell.gives('kill -9 %1; wait', 0, /^/);
      // The shell says so once, whenever it notices.
      await until('the job is forgotten', async () => !/sleep/.test((await cell.opened.run('jobs')).raw));
    },
  },
  {
    name: 'the time is over',
    async play(cell) {
      const outcome = await cell.opened.run("sh -c 'until [ -e go ]; do sleep 0.02; done; echo end; exit 5'", { kind: 'for', ms: 60 });
      if (outcome.kind !== 'running') throw new Error(outcome.kind);
      expect(outcome.reason).toBe('time-out');
      await cell.opened.target.writeFile('go', Buffer.from(''), never);
      await cell.ends(outcome.background, 5, 'end\n');
      await cell.gives('rm go', 0, '');
    },
  },
  {
    name: 'a background command that is stopped',
    async play(cell) {
      const begun = await cell.begins("sh -c 'echo begun; exec sleep 600'");
      await until('it has begun', () => begun.lastLine() === 'begun');
      expect(await begun.stop(never)).toBe(true);
      await cell.ends(begun, 130, /^begun\n\^C\n?$/);
    },
  },
  {
    name: 'a background command that does not want to stop',
    patience: 40_000,
    async play(cell) {
      const begun = await cell.begins(`sh -c 'trap "" INT QUIT; echo begun; exec sleep 600'`);
      await until('it has begun', () => begun.lastLine() === 'begun');
      expect(await begun.stop(never)).toBe(true);
      await cell.ends(begun, 143, /^begun\n/);
    },
  },
  {
    name: 'copy mode',
    async play(cell) {
      await cell.gives('tmux copy-mode', 0, '');
      await cell.untilState('copy-mode');
      await cell.gives('echo below', 0, 'below\n');
      await cell.gives('tmux send-keys -X cancel', 0, '');
      await cell.untilState('idle');
    },
  },
  {
    name: 'half a line at the prompt',
    async play(cell) {
      await cell.types('half a');
      await cell.untilScreen('half a');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused' });
      await cell.types('\x03');
      await until('the line is gone', async () => (await cell.opened.run('true')).kind === 'exited');
    },
  },
];
