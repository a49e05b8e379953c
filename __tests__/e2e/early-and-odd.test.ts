/** What is typed before the program is ready, where it must not run, and readers that go away. */

import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOnPty } from '../support/pty.js';
import { until } from '../support/until.js';
import { freshHome, programPath, withEye } from './eye.js';

test('a prompt that is sent while the program is still starting is not lost', () =>
  withEye(async (eye, home) => {
    mkdirSync(join(home.folder, 'bin'));
    const slow = join(home.folder, 'bin', 'tmux');
    const rest = process.env['PATH'] ?? '';
    writeFileSync(slow, `#!/bin/sh\nwhile [ ! -e '${home.folder}/go' ]; do sleep 0.05; done\nPATH='${rest}' exec tmux "$@"\n`);
    chmodSync(slow, 0o755);
    await eye.line('PATH=$HOME/bin:$PATH');
    await eye.start('', 'conversation');
    await eye.type('hello to you');
    await eye.sees('hello to you');
    await eye.press('Enter');
    await until('the draft was sent', async () => !(await eye.screen()).includes('hello to you'));
    writeFileSync(join(home.folder, 'go'), '');
    await eye.sees('hello to you');
    await eye.sees(/pane shared · idle/);
  }));

test('what is typed before the first picture has ended stands in the draft, in its order', async () => {
  const home = freshHome();
  const program = startOnPty(process.execPath, [programPath()], { cwd: home.folder, env: home.env as Record<string, string> });
  await until('it has taken the terminal', () => program.raw().includes('\x1b[?1049h'));
  for (const letter of 'early words') program.send(letter);
  await program.until(/> early words/);
  program.send('\r');
  await program.until(/● early words/);
  program.signal('SIGTERM');
  await program.ended();
  program.dispose();
  await home.dispose();
});

test('the times of the start are told when the screen has been given back', async () => {
  const home = freshHome();
  const env = { ...home.env, BUDDY_TIMING: '1' } as Record<string, string>;
  const program = startOnPty(process.execPath, [programPath()], { cwd: home.folder, env });
  await program.until(/Ask, or/);
  program.signal('SIGTERM');
  await program.ended();
  expect(program.raw()).toMatch(
    /\x1b\[\?1049lstart-up profile: .*\r\nnode .* ms\r\nimports .*\r\nconfig .*\r\nterminal .*\r\nfirst picture +[\d.]+ ms +[\d.]+ ms\r\n/,
  );
  program.dispose();
  await home.dispose();
});

test('in a pane that it manages itself it does not run, and says why', () =>
  withEye(async (eye, home) => {
    await eye.start();
    const session = (await home.tmux('ls', '-F', '#{session_name}')).trim();
    const inside = `${process.execPath} ${programPath()}; echo code=$?`;
    await home.tmux('send-keys', '-t', `${session}:`, '-l', inside);
    await home.tmux('send-keys', '-t', `${session}:`, 'Enter');
    const shown = await until('the inner program has ended', async () => {
      const screen = await home.tmux('capture-pane', '-p', '-J', '-t', `${session}:`);
      return /code=\d/.test(screen) ? screen : null;
    });
    expect(shown).toContain('this terminal is a pane that buddy-tui manages itself');
    expect(shown).toContain('code=2');
  }));

test('exec goes on to its answer when nobody reads what it says on the way', async () => {
  const home = freshHome();
  const child = spawn(process.execPath, [programPath(), 'exec', '--direct', '--dangerously-auto-approve', 'run echo answer-$((6*7))'], {
    env: home.env,
    cwd: home.folder,
  });
  child.stdin.end();
  child.stderr.destroy();
  let stdout = '';
  child.stdout.on('data', (bytes: Buffer) => {
    stdout += bytes.toString('utf8');
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(stdout).toContain('answer-42');
  expect(code).toBe(0);
  await home.dispose();
});

test('exec --json shows a terminal no control character of a command', async () => {
  const home = freshHome();
  const args = ['exec', '--json', '--direct', '--dangerously-auto-approve', "run printf '\\302\\23331mred\\177'"];
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, [programPath(), ...args], { env: home.env, cwd: home.folder }, (_error, text) => resolve(text)).stdin?.end();
  });
  expect(stdout).toContain('\\u009b31mred\\u007f');
  expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  await home.dispose();
});

test('what Node warns of and what libraries print does not get into the screen', async () => {
  const home = freshHome();
  const stray = join(home.folder, 'stray.cjs');
  const lines = [
    'const say = () => { process.emitWarning("stray warning"); for (const way of ["log", "error", "warn", "info"]) console[way]("stray " + way); };',
    'process.on("SIGUSR2", say);',
  ];
  writeFileSync(stray, `${lines.join('\n')}\n`);
  const env = { ...home.env, NODE_OPTIONS: `--require ${stray}` } as Record<string, string>;
  const program = startOnPty(process.execPath, [programPath(), '-v'], { cwd: home.folder, env });
  await program.until(/pane shared · idle/);
  program.signal('SIGUSR2');
  const log = join(home.folder, '.local', 'state', 'buddy', 'buddy.log');
  await until('all of it is in the log', () => existsSync(log) && /stray warning/.test(readFileSync(log, 'utf8')));
  for (const way of ['log', 'error', 'warn', 'info']) expect(readFileSync(log, 'utf8')).toContain(`warn stray ${way}`);
  program.signal('SIGTERM');
  await program.ended();
  expect(program.raw()).not.toContain('stray');
  program.dispose();
  await home.dispose();
});
