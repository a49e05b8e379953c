/** The plain mode on the built program: a conversation in lines, in a pipe and on a simple terminal; it only ever appends. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChatServer } from '../support/chat-server.js';
import { type PtyProgram, startOnPty } from '../support/pty.js';
import { until } from '../support/until.js';
import { freshHome, type Home, programPath } from './eye.js';

let home: Home;
let program: PtyProgram | null = null;
beforeEach(() => {
  home = freshHome();
});
afterEach(async () => {
  program?.dispose();
  program = null;
  await home.dispose();
});

function piped(input: string): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [programPath(), '--plain'], { env: home.env, cwd: home.folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

function onTerminal(env: Readonly<Record<string, string>> = {}, args: readonly string[] = ['--plain']): PtyProgram {
  const all = Object.fromEntries(
    Object.entries({ ...home.env, ...env }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  // The terminal's name is set last: node-pty has its own idea of it.
  program = startOnPty('/usr/bin/env', [`TERM=${all['TERM'] ?? 'xterm-256color'}`, process.execPath, programPath(), ...args], {
    cols: 100,
    rows: 40,
    cwd: home.folder,
    env: all,
  });
  return program;
}

test('lines of a pipe are prompts and commands, one after the other; what would need a yes is refused', async () => {
  const { code, stdout, stderr } = await piped('/usage\nrun touch made\n/status\nwhat time is it?\n');
  expect(code).toBe(0);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^Question: run_shell.*\n {2}\| touch made$/m);
  expect(stdout).toContain('The question was answered with no (policy).');
  expect(stdout).toContain('No model has answered yet.');
  expect(stdout.match(/^Answer:$/gm)?.length).toBeGreaterThanOrEqual(2);
  expect(stdout).toContain('approve  ask');
  expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
  expect(existsSync(join(home.folder, 'made'))).toBe(false);
  expect(await home.tmux('ls')).toBe('');
});

test('settings are told, set and put back in lines, one after the other', async () => {
  const file = join(home.folder, '.config', 'buddy', 'buddy.toml');
  mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
  writeFileSync(file, '# mine\n[editor]\nmode = "emacs" # for now\n');
  const { code, stdout } = await piped(
    '/settings editor.mode vi\n/settings editor.mode\n/set limits.jobs = 3\n/limits\n/settings reset editor.mode\n/set editor.mode ed\n/settings\n',
  );
  expect(code).toBe(0);
  expect(stdout).toContain(`editor.mode = "vi" in ${file}:3, at once.`);
  expect(stdout).toMatch(/^editor\.mode = "vi" {2}\(.*buddy\.toml:3\)$/m);
  expect(stdout).toMatch(/^limits\.jobs = 3 in .*:6, at once\.$/m);
  expect(stdout).toContain('editor.mode must be one of "emacs", "vi".');
  expect(stdout).toMatch(/^tools\.shell_confirm = true {2}\(default\)$/m);
  expect(readFileSync(file, 'utf8')).toBe('# mine\n[editor]\n# for now\n\n[limits]\njobs = 3\n');
});

test('lines of a pipe that wait become one prompt when the settings say so, and the end still comes', async () => {
  mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
  writeFileSync(join(home.folder, '.config', 'buddy', 'buddy.toml'), '[queue]\nfollow_up = "all"\n', { mode: 0o600 });
  const { code, stdout, stderr } = await piped('one\ntwo\nthree\n');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.match(/^Answer:$/gm)).toHaveLength(2);
});

test('/trust as the last line of a pipe says what the folder would change, and /status that it is ignored', async () => {
  writeFileSync(join(home.folder, 'buddy.toml'), '[agent]\nmax_iterations = 4\n[tools]\nshell_confirm = false\n');
  const { code, stdout } = await piped('/status\n/trust\n');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^folder {3}\S+ is not trusted\. buddy\.toml is ignored\. \/trust shows more\.$/m);
  expect(stdout).toMatch(
    /It would change:\n {2}agent\.max_iterations {2}20 → 4 {2}\(buddy\.toml:2\)\nRefused, whatever you say:\n {2}tools\.shell_confirm/,
  );
});

test('/compact as the last line of a pipe is waited for, and the end comes', async () => {
  const server = await startChatServer(function* ({ prompt }) {
    if (prompt.startsWith('<transcript>')) yield { content: '## Done\nAll of it.' };
    else yield { content: `${'word '.repeat(1500)}the end of ${prompt}.` };
  });
  mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
  const profile = `[models.mock]\napi_base_url = "${server.baseUrl}"\napi_key = "none"\nmodel = "mock-1"\ncontext_limit = 8192\n`;
  writeFileSync(join(home.folder, '.config', 'buddy', 'buddy.toml'), profile, { mode: 0o600 });
  try {
    const child = execFile(process.execPath, [programPath(), '--plain'], { env: home.env, cwd: home.folder });
    let said = '';
    child.stdout?.on('data', (text: string) => {
      said += text;
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    for (const prompt of ['one', 'two', 'three']) {
      child.stdin?.write(`${prompt}\n`);
      await until(`${prompt} is answered`, () => said.includes(`the end of ${prompt}.`), 15_000);
    }
    child.stdin?.end('/compact\n');
    expect(await ended).toBe(0);
    expect(said).toMatch(/What came before was summarised: \d+ tokens became \d+/i);
  } finally {
    await server.close();
  }
});

test('on a terminal: the whole question, a number answers it, the output and the exit code are said', async () => {
  const { until: shows, send, ended, raw, terminal } = onTerminal();
  /** A number that comes too soon after the question is refused: it is entered again until it counts. */
  const answers = async (number: string, then: RegExp): Promise<void> => {
    const refusals = () => raw().split('still waits').length;
    for (;;) {
      const before = refusals();
      send(`${number}\r`);
      await until(`${number} is taken or refused`, () => then.test(terminal.text()) || refusals() > before);
      if (then.test(terminal.text())) return;
    }
  };
  await shows(/\/help lists the commands/);
  send('run echo seen-$((40+2))\r');
  await shows(/4 no, and say why/);
  send('yes\r');
  await shows(/The question still waits: enter a number from 1 to 4/);
  await answers('1', /^seen-42\nEnded: exit 0/m);
  send('run echo never\r');
  await shows(/echo never[\s\S]*4 no, and say why/);
  await answers('4', /Why not\? The model is told\./);
  send('not today\r');
  await shows(/not today/);
  send('/quit\r');
  expect(await ended()).toEqual({ exitCode: 0, signal: 0 });
  expect(await home.tmux('ls')).toBe('');
});

test('TERM=dumb is plain by itself: no escape sequence at all; Ctrl+C ends it', async () => {
  const { until: shows, send, ended, raw } = onTerminal({ TERM: 'dumb' }, []);
  await shows(/\/help lists the commands/);
  send('/ps\r');
  await shows(/Nothing runs\./);
  send('\x03');
  expect(await ended()).toEqual({ exitCode: 0, signal: 0 });
  expect(raw()).not.toContain('\x1b');
});
