/** Prompts and start-up files of every kind: exit codes stay exact, what the user set stays in force. */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectAlive, never, TargetTests } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

/** bash start-up files, and a command that shows that they are in force. */
const files: readonly (readonly [name: string, rc: string, probe: string, shown: RegExp])[] = [
  ['nothing set', '', 'echo ok', /ok/],
  ['PROMPT_COMMAND as a string', 'PROMPT_COMMAND="N=\\$((N+1))"', 'echo $N', /[1-9]/],
  ['PROMPT_COMMAND as an array', 'PROMPT_COMMAND=("A=1" "B=2")', 'echo $A$B', /12/],
  ['a prompt made anew each time from $?', 'p() { S=$?; PS1="\\n[$S] λ "; }; PROMPT_COMMAND=p', 'echo $S', /[0-9]/],
  ['a prompt over two lines with our marks in it', "PS1='\\[\\e]133;D;99\\a\\]a\\nb❯ '", 'echo ok', /ok/],
  ['a DEBUG trap', "trap 'D=1' DEBUG", 'echo $D', /1/],
  ['set -u', 'set -u', 'echo $-', /u/],
  ['vi mode', 'set -o vi', 'shopt -o vi', /on/],
  ['no expansion in prompts', 'shopt -u promptvars', 'echo ok', /ok/],
  ['no echo', 'stty -echo', 'echo ok', /ok/],
  ['an early return', 'X=1; return; X=2', 'echo $X', /1/],
  ['a slow start', 'sleep 0.3', 'echo ok', /ok/],
  ['history settings', 'HISTCONTROL=ignoredups HISTIGNORE=ls', 'echo $HISTCONTROL "$HISTIGNORE"', /^ignoredups ls:/],
  ['aliases', "alias hello='echo hi'", 'hello', /hi/],
  ['an alias for printf', "alias printf='false'; alias eval='false'", 'echo ok', /ok/],
];

test.each(files)('bash with %s', async (_, rc, probe, shown) => {
  const home = tests.newHome();
  writeFileSync(join(home, '.bashrc'), `${rc}\n`);
  const { run } = await tests.start({ home });
  for (const code of [0, 3, 130]) expect(await run(`(exit ${code})`)).toMatchObject({ kind: 'exited', exitCode: code });
  expect(await run(probe)).toMatchObject({ kind: 'exited', output: { text: expect.stringMatching(shown) } });
});

test.each([
  ['bash', 'PROMPT_COMMAND=; PS1="x> "; PS0='],
  ['bash', 'exec 3>&1; unset PROMPT_COMMAND'],
  ['dash', 'PS1="x> "'],
])('%s goes on when its hooks are taken away: %s', async (shell, command) => {
  const opened = await tests.start({ shell });
  await opened.run(command);
  expect(await opened.run('(exit 5)')).toMatchObject({ kind: 'exited', exitCode: 5 });
  await expectAlive(opened);
});

test('a command cut short by a signal of its own has the code that the shell gives it', async () => {
  const { run } = await tests.start();
  expect(await run('kill -INT $$; echo not reached')).toMatchObject({ kind: 'exited', exitCode: 130 });
  expect(await run('sh -c "kill -TERM \\$\\$"; (exit $?)')).toMatchObject({ kind: 'exited', exitCode: 143 });
});

test('a prompt that is late does not disturb the next command', async () => {
  const home = tests.newHome();
  writeFileSync(join(home, '.bashrc'), 'PROMPT_COMMAND="sleep 0.2"\n');
  const opened = await tests.start({ home });
  expect(await opened.run('echo one')).toMatchObject({ raw: 'one\r\n' });
  expect(await opened.run('echo two')).toMatchObject({ raw: 'two\r\n' });
});

test('marks that a program prints with the right form are not believed', async () => {
  const opened = await tests.start();
  const forged = ['C', 'D;0', 'A', 'B'].map((mark) => `\\033]133;${mark};buddy=000000000000000000000000;id=0\\007`).join('');
  const outcome = await opened.run(`printf '${forged}'; echo still; (exit 6)`);
  expect(outcome).toMatchObject({ kind: 'exited', exitCode: 6, output: { text: 'still\n' } });
});

const hasBusybox = spawnSync('sh', ['-c', 'busybox ash -c true']).status === 0;
const busybox = hasBusybox ? test : test.skip;

busybox('busybox ash', async () => {
  const opened = await tests.start({ shell: 'busybox' });
  for (const code of [0, 3, 130]) expect(await opened.run(`(exit ${code})`)).toMatchObject({ kind: 'exited', exitCode: code });
  expect(await opened.run('cd /; echo "$PWD"')).toMatchObject({ raw: '/\r\n' });
  expect(opened.target.summary.cwd).toBe('/');
  await opened.target.tmux?.type(undefined, '\r', never);
  await expectAlive(opened);
});

test.each(['bash', 'zsh'])(
  '%s: a question that much output comes after is still known as one, and its answer is no half-typed command',
  async (shell) => {
    const opened = await tests.start({ shell });
    await opened.run("printf '\\033[c\\033[6n'; seq 40000");
    await expectAlive(opened);
    // Parted in the middle, and long before the end.
    await opened.run("printf '\\033'; sleep 0.2; printf '[c'; seq 40000");
    await expectAlive(opened);
  },
);
