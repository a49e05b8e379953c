/** Keys that end things, and a person who types in between. */

import { until } from '../../../support/until.js';
import { never } from '../../../targets/local-target.js';
import type { Scenario } from '../cell.js';

export const keys: readonly Scenario[] = [
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
    name: 'cancelled with a child in the background',
    async play(cell) {
      const cancel = new AbortController();
      let seen = '';
      const outcome = cell.opened.target.run(
        { command: `sh -c 'sleep 600 & echo $! >child; echo begun; sleep 600'; echo after`, wait: { kind: 'exit' } },
        { signal: cancel.signal, onChunk: (chunk) => (seen += chunk) },
      );
      await until('it has begun', () => seen.includes('begun'));
      cancel.abort();
      expect(await outcome).toMatchObject({ kind: 'cancelled', stopped: true });
      await cell.gives("sh -c 'kill $(cat child); rm child'", 0, /^/);
    },
  },
  {
    name: 'an unfinished line of a person',
    async play(cell) {
      await cell.types('echo "half\r');
      if (cell.shell === 'fish') await cell.untilScreen('"half');
      else await cell.untilState('continuation');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused' });
      await cell.emptiesLine();
    },
  },
  {
    name: 'a line that a person types ahead',
    async play(cell) {
      const begun = await cell.begins(`sh -c 'echo begun; until [ -e go ]; do sleep 0.02; done; exit 5'`);
      await until('it has begun', () => begun.lastLine() === 'begun');
      await cell.types('sh -c "echo AHE""AD; exit 6"\r');
      await until('it stands there', async () => (await cell.tmux.capture({}, never)).includes('exit 6"'));
      await cell.opened.target.writeFile('go', Buffer.from(''), never);
      await cell.ends(begun, 5, /^begun\n/);
      await cell.untilScreen('AHEAD');
      await until('its code is told', () => cell.opened.events.some((event) => event.type === 'pane.state' && event.lastExit === 6));
      // dash does not show it again, so nobody knows what it was.
      if (cell.shell !== 'dash')
        await until('it is told', () => cell.told().some(({ text, exitCode }) => text.endsWith('exit 6"') && exitCode === 6));
      await cell.untilState('idle');
      await cell.gives('rm go', 0, '');
    },
  },
  {
    name: 'windows in another order',
    async play(cell) {
      await cell.gives('tmux new-window -d sleep 600', 0, '');
      await cell.gives('tmux swap-window -d -s :0 -t :1', 0, '');
      await cell.gives('echo still here', 0, 'still here\n');
      await cell.gives('tmux kill-window -t :0', 0, '');
      await cell.gives('tmux move-window -r', 0, '');
      await cell.untilState('idle');
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
    name: 'lines of a person are told',
    async play(cell) {
      await cell.byHand('sh -c "exit 3"', 3);
      await cell.byHand('cd /usr', 0);
      expect(cell.opened.target.summary.cwd).toBe('/usr');
      await cell.gives('echo between', 0, 'between\n');
      await cell.byHand(`echo ${'long '.repeat(40)}end`, 0);
      await cell.byHand("printf 'no end'", 0);
      await cell.gives('echo after', 0, 'after\n');
    },
  },
  {
    name: 'half a line at the prompt',
    async play(cell) {
      await cell.types('half a');
      await cell.untilScreen('half a');
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused' });
      await cell.emptiesLine();
    },
  },
];
