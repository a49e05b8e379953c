/** zsh and fish in a real pane: started with the user's own files, exact, and without a trace of us in prompt, options and history. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chooseShell } from '../../../lib/targets/shells/index.js';
import { until } from '../../support/until.js';
import { expectAlive, never, type OpenTarget, TargetTests } from '../local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

test.each([
  ['/usr/bin/zsh', 'zsh'],
  ['/opt/fish/bin/fish', 'fish'],
  ['/bin/bash', 'bash'],
  ['/bin/dash', 'sh'],
  ['busybox', 'sh'],
])('%s is spoken to as %s', (program, name) => {
  const choice = chooseShell([undefined, '', program]);
  expect([choice.program, choice.shell.name]).toEqual([program, name]);
});

test('a shell that nobody knows is replaced by sh; a script for POSIX shells never goes to fish', () => {
  expect(chooseShell(['/usr/bin/tcsh'])).toMatchObject({ program: 'sh' });
  expect(chooseShell(['/usr/bin/fish', '/bin/zsh'], { posix: true })).toMatchObject({ program: '/bin/zsh' });
});

/** A target whose home holds these files. */
async function start(shell: string, files: Readonly<Record<string, string>>): Promise<OpenTarget> {
  const home = tests.newHome();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return tests.start({ shell, home });
}

async function gives(opened: OpenTarget, command: string, exitCode: number, text: string): Promise<void> {
  expect(await opened.run(command)).toMatchObject({ kind: 'exited', exitCode, output: { text } });
}

async function untilScreen(opened: OpenTarget, text: RegExp): Promise<void> {
  await until(`the pane shows ${text}`, async () => text.test((await opened.target.tmux?.capture({}, never)) ?? ''));
}

test('zsh: its own ZDOTDIR, prompts and history', async () => {
  const opened = await start('zsh', {
    '.zshenv': 'export ZDOTDIR=$HOME/dot',
    'dot/.zshrc': "PROMPT=$'two lines\\n%? > ' RPROMPT='[right]' HISTFILE=$HOME/history SAVEHIST=10 HISTSIZE=10\nsetopt inc_append_history",
  });
  await gives(opened, 'sh -c "exit 3"', 3, '');
  await untilScreen(opened, /two lines\n3 > +\[right\]$/);
  await gives(opened, `echo \${ZDOTDIR:t} $+__BD_ZDOTDIR; [[ -o bang_hist ]] && echo '!!' # note`, 0, 'dot 0\n!!\n');
  await gives(opened, 'printf abc', 0, 'abc');
  await opened.target.tmux?.type(undefined, 'cd /; echo by hand\r', never);
  await untilScreen(opened, /^by hand$/m);
  await until('the folder is told', () => opened.target.summary.cwd === '/');
  await gives(opened, 'echo "open', 1, 'zsh: unmatched "\n');
  await gives(opened, '[[ $PROMPT_EOL_MARK$+PROMPT_EOL_MARK == 0 || -n $PROMPT_EOL_MARK ]]', 1, '');
  expect(readFileSync(join(opened.home, 'history'), 'utf8')).toBe('cd /; echo by hand\n');
});

test('fish: its own prompts, status and history', async () => {
  const opened = await start('fish', {
    '.config/fish/config.fish':
      'set -g fish_greeting\nfunction fish_prompt; echo "[$status] two lines"; echo \'> \'; end\nfunction fish_right_prompt; echo right; end\n',
  });
  await gives(opened, 'sh -c "exit 3"', 3, '');
  await untilScreen(opened, /\[3\] two lines\n> +right$/);
  await gives(opened, 'echo $status; set kept 1 # note', 0, '3\n');
  await gives(opened, 'cd /; and echo $kept $PWD', 0, '1 /\n');
  expect(opened.target.summary.cwd).toBe('/');
  await gives(opened, "if true\n\techo 'a\\b' \"it's\"\nend\nfalse", 1, "a\\b it's\n");
  await opened.target.tmux?.type(undefined, 'echo by hand\r', never);
  await untilScreen(opened, /^by hand$/m);
  await until('a command runs again', async () => (await opened.run('true')).kind === 'exited');
  await gives(opened, 'history', 0, 'echo by hand\n');
});

test('the code that a shell wrote down before it was gone counts', async () => {
  const opened = await start('bash', {});
  const folder = "$(tr '\\0' '\\n' </proc/$$/cmdline | sed -n 's:/rc$::p')";
  await gives(opened, `printf '%s 7\\n' "$__bd_id" >"${folder}/status"; kill -9 $$`, 7, '');
  await expectAlive(opened);
});

test('fish: an exit is told with its code, and the next command gets a new shell', async () => {
  const opened = await start('fish', {});
  await gives(opened, 'exit 3', 3, '');
  await expectAlive(opened);
});
