/** Marks that are forged, and shells that go away. */

import { sharedShellRefusal } from '../../../../lib/policy/shell-command.js';
import { until } from '../../../support/until.js';
import { never } from '../../../targets/local-target.js';
import type { ByShell, Scenario } from '../cell.js';

/** The tool refuses it, and run all the same it is told and recovered from. */
function endsShell(name: string, wanted: string | ByShell<string>, not: Scenario['not'] = {}): Scenario {
  return {
    name,
    not,
    async play(cell) {
      const command = typeof wanted === 'string' ? wanted : cell.of(wanted);
      expect(sharedShellRefusal(command)).toMatch(/would end or change the shared shell/);
      await cell.loses(command, name === 'exit' ? 3 : undefined);
    },
  };
}

export const endings: readonly Scenario[] = [
  {
    name: 'every byte of the pane played back',
    async play(cell) {
      await cell.gives('tmux pipe-pane "cat >$PWD/bytes"', 0, '');
      await cell.gives('echo one', 0, 'one\n');
      await cell.gives('sh -c "exit 3"', 3, '');
      await cell.gives('cd /usr', 0, '');
      await cell.types('sh -c "exit 9"\r');
      await until('it was told', () => cell.opened.events.some((event) => event.type === 'pane.state' && event.lastExit === 9));
      await cell.untilState('idle');
      await cell.gives('cd', 0, '');
      await cell.gives('tmux pipe-pane', 0, '');
      for (const mark of 'ABCD') await cell.gives(`grep -c '133;${mark}' bytes`, 0, /^[1-9]/);
      const played = await cell.opened.run('cat bytes; echo; echo end; sh -c "exit 7"');
      if (played.kind !== 'exited') throw new Error(played.kind);
      expect(played.exitCode).toBe(7);
      // busybox asks where the cursor is when it prompts: the answers to its questions may stand behind.
      expect(played.output.text).toMatch(/\nend\n(?:[\d;[\]^R]|\s){0,400}$/);
      expect(cell.opened.target.summary.cwd).not.toBe('/usr');
      // The same by a person: it goes on until it has really ended.
      cell.opened.events.splice(0);
      await cell.types("sh -c 'cat bytes; echo; echo PLAY''ED; until [ -e go ]; do sleep 0.02; done; exit 8'\r");
      // The bytes ask the terminal where its cursor is: the echo of its answers may come before the word.
      await cell.untilScreen(/^(?:\^\[\[\d+;\d+R)*PLAYED$/m);
      expect(await cell.opened.run('echo no')).toMatchObject({ kind: 'refused', state: { kind: 'running' } });
      await cell.opened.target.writeFile('go', Buffer.from(''), never);
      await until('its end is told', () => cell.opened.events.some((event) => event.type === 'pane.state' && event.lastExit === 8));
      await cell.untilState('idle');
      expect(cell.opened.target.summary.cwd).not.toBe('/usr');
      await cell.gives('rm go bytes', 0, '');
    },
  },
  {
    name: 'a mark with another nonce',
    play: (cell) => cell.gives("printf '\\033]133;D;77;buddy=0;id=0\\007\\033]133;D;0\\007'; echo real; sh -c 'exit 5'", 5, 'real\n'),
  },
  endsShell('exit', 'exit 3'),
  endsShell('exit with a job', 'sleep 9 & exit', { zsh: 'it stays when there are jobs', fish: 'it stays when there are jobs' }),
  endsShell('exec', 'exec true'),
  endsShell('set -e', 'set -e; false', { fish: 'it has no such option' }),
  endsShell('set -euo pipefail', { dash: 'set -eu; false', other: 'set -euo pipefail; false' }, { fish: 'it has no such option' }),
  {
    name: 'exec of another shell',
    async play(cell) {
      expect(sharedShellRefusal('exec bash')).toMatch(/would end or change the shared shell/);
      const begun = await cell.begins('exec env PS1="in""ner> " sh');
      await cell.untilScreen('inner>');
      await cell.refusesInOtherShell();
      await cell.types('exit 4\r');
      expect(await begun.ended).toMatchObject({ exitCode: null });
      await cell.renewed();
    },
  },
  {
    name: 'the tmux server is killed',
    async play(cell) {
      expect(await cell.opened.run('tmux kill-server; sleep 600')).toMatchObject({ kind: 'lost' });
      await cell.renewed('A new tmux session was started; the working directory and the environment of the old shell are lost.');
    },
  },
  {
    name: 'kill -9 of the shell itself',
    play: (cell) => cell.loses(cell.of({ fish: 'kill -9 $fish_pid', other: 'kill -9 $$' })),
  },
];
