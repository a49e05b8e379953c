/** Leaving and coming back: the session is kept or ended as a person says, and the next start continues in it. */

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { until } from '../support/until.js';
import { answer, type Eye, type Home, programPath, withEye } from './eye.js';

// Each starts the program several times; each wait inside has its own limit.
jest.setTimeout(90_000);

const SESSION = 'buddy-agent-mo';

/** Has the agent run a command and waits for its exit code. */
async function agentRuns(eye: Eye, command: string): Promise<void> {
  await eye.line(`run ${command}`);
  await eye.sees(/approve on this host/);
  await answer(eye, 'y');
  // Told, and the prompt is over: Ctrl+C would interrupt it before.
  await eye.sees(/^(?![\s\S]*▶ #\d)[\s\S]*exit code \d/);
}

/** Starts the command in the pane by hand and waits until the dashboard shows that it runs. */
async function runsInPane(eye: Eye, command: string): Promise<void> {
  await eye.press('F6');
  await eye.sees('you have the keyboard');
  await eye.line(command);
  await eye.sees(/running \w+/);
  await eye.press('F6');
  await eye.sees('The agent has the keyboard again');
}

/** Ends the sessions that a test kept. */
async function endAll(home: Home): Promise<void> {
  await home.tmux('kill-server');
}

/** Exit code and output of the program without a terminal. */
function without(home: Home, ...args: readonly string[]) {
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(process.execPath, [programPath(), ...args], { env: home.env, cwd: home.folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    ).stdin?.end();
  });
}

function configure(home: Home, onExit: string): void {
  mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
  writeFileSync(join(home.folder, '.config', 'buddy', 'buddy.toml'), `[tmux]\non_exit = "${onExit}"\n`, { mode: 0o600 });
}

test('Enter keeps: it is told how to join and to end it, and the next start continues in the same shell', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await agentRuns(eye, 'cd /usr; STAYS=yes; echo kept-$((40+2))');
    await eye.press('C-c');
    await eye.sees('again to quit');
    await eye.press('C-c');
    await eye.sees('idle, nothing runs');
    await eye.press('Enter');
    const told = await eye.sees('continue ');
    expect(told).toContain(`The tmux session ${SESSION} was kept: its shell waits there.`);
    expect(told).toContain(`join it      tmux -L ${home.socket} attach -t ${SESSION}`);
    expect(told).toContain(`end it       tmux -L ${home.socket} kill-session -t '=${SESSION}'`);
    expect(await home.tmux('ls', '-F', '#{session_name} #{session_attached}')).toBe(`${SESSION} 0\n`);
    await eye.line('clear');
    expect(await eye.start('', 'Continues in the session that was kept at')).toContain('kept-42');
    await eye.sees(/pane shared · idle/);
    await agentRuns(eye, 'echo "[$STAYS] $PWD"');
    await eye.sees('[yes] /usr');
    await eye.leave();
    await eye.sees('READY>');
    await until('nothing is left', async () => (await home.tmux('ls')) === '');
  }));

test('a third Ctrl+C keeps as well, and the printed line ends the session', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await eye.press('C-c');
    await eye.sees('again to quit');
    await eye.press('C-c');
    await eye.sees('leave · tmux session');
    await eye.press('Escape');
    await until('the question is gone', async () => !(await eye.screen()).includes('leave ·'));
    await eye.press('C-d');
    await eye.sees('leave · tmux session');
    await eye.press('C-c');
    const line = /end it +(tmux .*)/.exec(await eye.sees(/end it +tmux/))?.[1] ?? '';
    expect(await home.tmux('ls')).not.toBe('');
    await eye.line(line.trim());
    await until('the session is ended', async () => (await home.tmux('ls')) === '');
  }));

test('what runs is named in the question; it goes on, and the next start shows it', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await runsInPane(eye, 'sleep 987');
    await eye.line('/quit');
    expect(await eye.sees('leave · tmux session')).toMatch(/pane shared {2}running sleep \d/);
    await eye.press('k');
    await eye.sees('sleep goes on in it');
    await eye.line('clear');
    await eye.start('', 'sleep is running there.');
    await eye.sees(/pane shared · running sleep/);
    await eye.line('/quit');
    await eye.sees('what runs there is ended');
    for (let asked = true; asked; asked = (await eye.screen()).includes('leave ·')) await eye.press('e');
    await eye.sees('READY>');
    await until('nothing is left', async () => (await home.tmux('ls')) === '');
  }));

test.each(['SIGTERM', 'SIGHUP'] as const)('%s keeps the session while something runs in it, and ends it when nothing does', (name) =>
  withEye(async (eye, home) => {
    await eye.start();
    await runsInPane(eye, 'sleep 987');
    process.kill(eye.pid(), name);
    await eye.sees('sleep goes on in it');
    expect(await home.tmux('ls', '-F', '#{session_name} #{session_attached}')).toBe(`${SESSION} 0\n`);
    const found = await without(home, 'doctor', '--json');
    expect(found.stdout).toContain('"kind":"kept"');
    await home.tmux('send-keys', '-t', `=${SESSION}:`, 'C-c');
    await eye.line('clear');
    await eye.start();
    process.kill(eye.pid(), name);
    await eye.sees('READY>');
    await until('nothing is left', async () => (await home.tmux('ls')) === '');
  }),
);

test('on_exit = "kill" asks nothing and leaves nothing; "keep" asks nothing and keeps', () =>
  withEye(async (eye, home) => {
    configure(home, 'kill');
    await eye.start();
    await eye.press('C-d');
    await eye.sees('READY>');
    await until('nothing is left', async () => (await home.tmux('ls')) === '');
    configure(home, 'keep');
    await eye.line('clear');
    await eye.start();
    await eye.press('C-d');
    await eye.sees('was kept');
    expect(await home.tmux('ls')).not.toBe('');
    await endAll(home);
  }));

test('exec leaves a kept session alone, ends its own, and keeps with on_exit = "keep"', () =>
  withEye(async (eye, home) => {
    await eye.start();
    await agentRuns(eye, 'STAYS=yes');
    await eye.line('/quit keep');
    await eye.sees('was kept');
    const run = () => without(home, 'exec', '--dangerously-auto-approve', 'run echo "[$STAYS]"');
    expect((await run()).stdout).toContain('[]');
    expect(await home.tmux('ls', '-F', '#{session_name}')).toBe(`${SESSION}\n`);
    configure(home, 'keep');
    expect((await run()).stdout).toContain('[yes]');
    expect(await home.tmux('ls', '-F', '#{session_name} #{session_attached}')).toBe(`${SESSION} 0\n`);
    await endAll(home);
  }));

test('what the agent left running in the background is a task again, and its end is told with its exit code', () =>
  withEye(async (eye, home) => {
    configure(home, 'keep');
    // The demo waits for its commands: the program is left while one runs.
    await eye.start();
    await eye.line('run until [ -e go ]; do sleep 0.1; done; (exit 5)');
    await eye.sees(/approve on this host/);
    await answer(eye, 'y');
    await eye.sees(/running /);
    await eye.line('/quit keep');
    await eye.sees('was kept');
    await eye.line('clear');
    await eye.start('', 'is still running there');
    await eye.sees(/⧗ #1 job until \[ -e go \]/);
    writeFileSync(join(home.folder, 'go'), '');
    await eye.sees(/exit 5/);
    await eye.line('/quit end');
    await eye.sees('READY>');
    await until('nothing is left', async () => (await home.tmux('ls')) === '');
  }));

test('80×24: the question and what is told afterwards can be read', () =>
  withEye(
    async (eye, home) => {
      await eye.start();
      await eye.press('C-d');
      const shown = await eye.sees('leave · tmux session');
      expect(shown).toContain('Enter keep');
      expect(shown).toContain('e     end');
      await eye.press('Enter');
      await eye.sees('join it');
      await endAll(home);
    },
    80,
    24,
  ));
