/** What a person types in the pane is told as a list: text, exit code, folder; never what the agent ran. */

import { spawnSync } from 'node:child_process';
import type { PaneCommand } from '../../lib/protocol/panes.js';
import { withoutPrivate } from '../../lib/targets/tmux/typed-commands.js';
import { until } from '../support/until.js';
import { never, type OpenTarget, TargetTests } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

const isInstalled = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const shells = ['bash', 'zsh', 'fish', 'dash'].filter(isInstalled);

function told(opened: OpenTarget): readonly PaneCommand[] {
  return opened.events.flatMap((event) =>
    event.type === 'pane.command' ? [{ text: event.text, exitCode: event.exitCode, cwd: event.cwd }] : [],
  );
}

async function type(opened: OpenTarget, keys: string, count: number): Promise<PaneCommand | undefined> {
  await opened.target.tmux?.type(undefined, keys, never);
  await until(`${count} commands are told`, () => told(opened).length >= count);
  return told(opened).at(-1);
}

test.each(shells)(
  '%s: text, exit code and folder of each; a blank in front makes it private; the agent’s own are not told',
  async (shell) => {
    const opened = await tests.start({ shell, mirror: true });
    expect(await type(opened, 'cd /tmp; false\r', 1)).toEqual({ text: 'cd /tmp; false', exitCode: 1, cwd: '/tmp' });
    expect(await opened.run('echo the agent; cd /')).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(await type(opened, 'echo wrnog\x7f\x7f\x7fong\r', 2)).toEqual({ text: 'echo wrong', exitCode: 0, cwd: '/' });
    expect(await type(opened, ' echo secret\r', 3)).toEqual({ text: '(private)', exitCode: 0, cwd: '/' });
    const screen = await opened.target.tmux?.capture({ start: -100 }, never);
    expect([screen?.includes('echo secret'), screen?.includes('(private)'), screen?.includes('echo wrong')]).toEqual([false, true, true]);
    expect(await type(opened, 'sh -c "exit 7"\r', 4)).toEqual({ text: 'sh -c "exit 7"', exitCode: 7, cwd: '/' });
    expect(told(opened)).toHaveLength(4);
  },
);

test('bash: a line that wraps, one from the history, one of two rows', async () => {
  const opened = await tests.start({ shell: 'bash', mirror: true, cols: 40 });
  const long = `echo ${'x'.repeat(90)}`;
  expect(await type(opened, `${long}\r`, 1)).toMatchObject({ text: long });
  expect(await type(opened, '\x1b[A\r', 2)).toMatchObject({ text: long });
  expect(await type(opened, 'for i in 1 2\rdo true\rdone\r', 3)).toMatchObject({ text: 'for i in 1 2\n> do true\n> done', exitCode: 0 });
});

test('only what stands at the end of a row is left out, every row of a longer line', () => {
  const screen = '$  mysql -psecret\n  $ for\n> mysql -psecret now\n$ ls';
  expect(withoutPrivate(screen, [' mysql -psecret'])).toBe('$  (private)\n  $ for\n> mysql -psecret now\n$ ls');
  expect(withoutPrivate('$  for\n> x secret', [' for\n> x secret'])).toBe('$  (private)\n (private)');
});

test('a private line is left out while its command still runs', async () => {
  const opened = await tests.start({ shell: 'bash', mirror: true });
  await opened.target.tmux?.type(undefined, ' cat - secret\r', never);
  await until('it runs', () => opened.target.tmux?.panes()[0]?.state.kind === 'running');
  const screen = await until('it is left out', async () => {
    const text = (await opened.target.tmux?.capture({}, never)) ?? '';
    return text.includes('(private)') ? text : null;
  });
  expect(screen).not.toContain('cat - secret');
  await opened.target.tmux?.type(undefined, '\x03', never);
});
