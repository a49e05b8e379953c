/** What a killed program left on in the pane: the mouse, which would type into the shell, and the alternate screen. */

import { until } from '../support/until.js';
import { expectAlive, never, type OpenTarget, TargetTests } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

const flags = (opened: OpenTarget): string =>
  opened.tmux('list-panes', '-a', '-F', '#{alternate_on} #{mouse_any_flag} #{mouse_sgr_flag} #{cursor_flag}').stdout.trim();

/** As a full-screen program that is killed: SIGKILL gives it no time to clean up. */
const killed = `sh -c 'printf "\\033[?1049h\\033[?1002h\\033[?1006h\\033[?25lIN FULL SCREEN"; kill -9 $$'`;

/** The rows that the pane shows. */
const picture = (opened: OpenTarget): string => opened.tmux('capture-pane', '-p', '-t', '%0').stdout.trimEnd();

test.each(['bash', 'zsh', 'fish'])('%s: both are off at the next prompt, which is drawn on the normal screen', async (shell) => {
  const opened = await tests.start({ shell });
  await opened.run('echo before');
  expect(await opened.run(killed)).toMatchObject({ kind: 'exited', exitCode: 137 });
  await until('the flags are off', () => flags(opened) === '0 0 0 1');
  await until('the prompt is on the normal screen', () => /\nbefore\n[\s\S]*\n.*[#$>]$/.test(picture(opened)));
  expect(picture(opened)).not.toMatch(/^IN FULL|033\(B/m);
  await expectAlive(opened);
});

test('what a person typed and killed too; a shell without a line editor has the mouse off', async () => {
  const opened = await tests.start({ shell: 'bash' });
  const { tmux } = opened.target;
  await tmux?.type(undefined, `${killed}\r`, never);
  await until('the flags are off', () => flags(opened) === '0 0 0 1');
  const plain = await tests.start({ shell: 'dash' });
  await plain.run(killed);
  await until('the flags are off', () => flags(plain) === '0 0 0 1');
  await expectAlive(plain);
});

test('a program that is at work on the alternate screen keeps it', async () => {
  const opened = await tests.start();
  const running = opened.run(`sh -c 'printf "\\033[?1049h\\033[?1002h"; sleep 2.5; printf "\\033[?1002l\\033[?1049l"'`);
  await until('it is there', () => flags(opened).startsWith('1 1'));
  await until('it was looked at', () => opened.events.some((event) => event.type === 'pane.state' && event.state.kind === 'fullscreen'));
  expect(flags(opened)).toMatch(/^1 1/);
  expect(await running).toMatchObject({ kind: 'exited', exitCode: 0 });
});
