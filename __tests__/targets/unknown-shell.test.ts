/** A shell without our marks in the place of ours: seen, never typed into, and replaced by one with marks when a person asks for it. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { expectAlive, never, noticesOf, type OpenTarget, TargetTests } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

function clientOf({ target }: OpenTarget) {
  if (target.tmux === null) throw new Error('no tmux');
  const [pane] = target.tmux.panes();
  if (pane === undefined) throw new Error('no pane');
  return { tmux: target.tmux, pane: pane.pane };
}

const stateOf = (opened: OpenTarget) => clientOf(opened).tmux.panes()[0]?.state.kind;

test.each([
  ['bash', 'exec zsh -f'],
  ['bash', 'exec bash --norc'],
  ['bash', 'exec fish --no-config'],
  ['bash', 'exec dash'],
  ['zsh', 'exec bash --norc'],
  ['fish', 'exec zsh -f'],
])(
  '%s: a person types "%s": unknown shell, nothing runs there; /integrate brings marks back and keeps folder and environment',
  async (shell, line) => {
    const opened = await tests.start({ shell });
    const { tmux, pane } = clientOf(opened);
    await opened.run('cd /tmp');
    await opened.run(shell === 'fish' ? 'set -gx KEPT yes' : 'export KEPT=yes');
    await tmux.type(pane, `${line}\r`, never);
    await until('the shell is seen to be unknown', () => stateOf(opened) === 'unknown-shell');
    const refused = await opened.run('touch /tmp/never');
    expect(refused).toMatchObject({ kind: 'refused', state: { kind: 'unknown-shell' }, reason: expect.stringContaining('/integrate') });
    await tmux.integrate(pane, never);
    expect(noticesOf(opened)).toEqual(['A shell with our marks has taken the place of the unknown one; folder and environment were kept.']);
    expect(await opened.run('echo $KEPT; pwd')).toMatchObject({ kind: 'exited', exitCode: 0, output: { text: 'yes\n/tmp\n' } });
    expect(opened.target.summary.cwd).toBe('/tmp');
  },
);

test('a command of ours that becomes another shell is lost, and told so', async () => {
  const opened = await tests.start();
  expect(await opened.run('exec zsh -f')).toMatchObject({ kind: 'lost', reason: expect.stringContaining('another shell') });
  expect(stateOf(opened)).toBe('unknown-shell');
});

test('a shell inside of ours is a program that runs, not an unknown shell; when it ends ours is back', async () => {
  const opened = await tests.start();
  const { tmux, pane } = clientOf(opened);
  await tmux.type(pane, 'zsh -f\r', never);
  await until('zsh runs', () => JSON.stringify(clientOf(opened).tmux.panes()[0]?.state).includes('zsh'));
  await expect(tmux.integrate(pane, never)).rejects.toMatchObject({ code: 'target.pane' });
  await tmux.type(pane, 'exit\r', never);
  await until('our prompt is back', () => stateOf(opened) === 'idle');
  await expectAlive(opened);
});

test.each(['idle for a while', 'at once'])(
  'another program is put in the place of the shell (%s): nothing is typed into it',
  async (when) => {
    const opened = await tests.start();
    await opened.run('true');
    const typed = join(opened.home, 'typed');
    opened.tmux('respawn-pane', '-k', '-t', clientOf(opened).pane, `exec cat > ${typed}`);
    await until('it is there', () => existsSync(typed));
    if (when !== 'at once') await until('it is seen', () => stateOf(opened) === 'running');
    const refused = await opened.run('echo never');
    expect(refused).toMatchObject({ kind: 'refused', state: { kind: 'running', program: 'cat' } });
    expect(readFileSync(typed, 'utf8')).toBe('');
    opened.tmux('kill-pane', '-t', clientOf(opened).pane);
    await until('that it is gone is told', () => noticesOf(opened).length > 0);
    await expectAlive(opened);
  },
);
