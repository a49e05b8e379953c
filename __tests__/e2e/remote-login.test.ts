/** Questions of ssh: answered by a person on the terminal, before the screen is taken and when a connection is lost; told without one. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { type PtyProgram, shellPrints, startOnPty, startShellOnPty } from '../support/pty.js';
import { until } from '../support/until.js';
import { canDisguise, hasSshd, type SshServer, type SshServerOptions, startSshServer } from '../targets/ssh-server.js';
import { freshHome, type Home, programPath } from './eye.js';

// Logging in takes long on a loaded machine; each wait inside has its own limit.
jest.setTimeout(90_000);

const PASSPHRASE = 'open sesame';
const PASSWORD = 'pass word 1';

let home: Home;
let server: SshServer | null = null;
let program: PtyProgram | null = null;
beforeEach(() => {
  home = freshHome();
});
afterEach(async () => {
  program?.dispose();
  program = null;
  await home.dispose();
  await server?.close();
  server = null;
});
/**
 * Ctrl+C until the screen shows what comes of it. ssh notes one that comes between its question and its read (readpassphrase of OpenSSH), but
 * only acts on it with the next key: whoever gives up presses it again.
 */
async function giveUp(person: PtyProgram, seen: RegExp): Promise<void> {
  person.send('\x03');
  const again = setInterval(() => person.send('\x03'), 3000);
  await person.until(seen).finally(() => clearInterval(again));
}

const there = hasSshd ? test : test.skip;
const disguised = canDisguise ? test : test.skip;

/** Starts a server; answers the environment that finds its ssh, and where it is. */
async function serve(options: SshServerOptions) {
  const started = await startSshServer(options);
  server = started;
  const { user, host, port } = started.destination;
  const env = { ...home.env, ...started.env, BUDDY_TMUX_SOCKET: home.socket } as Readonly<Record<string, string>>;
  return { started, env, where: `${user}@${host}:${port}` };
}

/** The program on a terminal of 100 by 30. */
function onTerminal(env: Readonly<Record<string, string>>, ...args: readonly string[]): PtyProgram {
  program = startOnPty(process.execPath, [programPath(), ...args], { cols: 100, rows: 30, cwd: home.folder, env });
  return program;
}

/** Connections that outlive the program would be found by their control socket. */
const masters = () =>
  new Promise<readonly string[]>((resolve) => {
    execFile('ps', ['-eo', 'args='], (_error, stdout) =>
      resolve(stdout.split('\n').filter((line) => line.includes('ControlPath=/tmp/buddy-') && line.includes('-fN'))),
    );
  });

there('the dashboard: an unknown host and a passphrase are asked before the screen, and nothing stays behind', async () => {
  const { started, env, where } = await serve({ unknownHost: true, passphrase: PASSPHRASE });
  const person = onTerminal(env, '--ssh', where);
  await person.until(/The authenticity of host .*can't be established/);
  expect(person.raw()).toContain(
    'buddy-tui: cannot connect to 127.0.0.1: its host key is not known; ssh asks you now, Ctrl+C gives up.\r\n',
  );
  expect(person.raw()).not.toContain('\x1b[?1049h');
  person.send('yes\r');
  await person.until(/Enter passphrase for key/);
  person.send(`${PASSPHRASE}\r`);
  await person.until(/pane shared · idle/);
  await person.until(/127\.0\.0\.1 \(ssh\)/);
  expect(readFileSync(started.knownHosts, 'utf8')).toMatch(/^\[127\.0\.0\.1\]:\d+ /);
  expect(person.raw()).not.toContain(PASSPHRASE);
  person.send('/reconnect\r');
  await person.until(/The connection to 127\.0\.0\.1 stands\./);
  person.send('/quit end\r');
  expect(await person.ended()).toEqual({ exitCode: 0, signal: 0 });
  await until('no connection is left', async () => started.wire.connections === 0 && (await masters()).length === 0);
});

disguised('exec on a terminal: a password, the first one wrong', async () => {
  const { env, where } = await serve({ password: PASSWORD });
  const person = onTerminal(env, 'exec', '--dangerously-auto-approve', '--ssh', where, 'run echo "[$SSH_CONNECTION] $((6*7))"');
  await person.until(/password: *$/);
  person.send('wrong\r');
  await person.until(/Permission denied, please try again\.[\s\S]*password: *$/);
  person.send(`${PASSWORD}\r`);
  await person.until(/\[127\.0\.0\.1 \d+ 127\.0\.0\.1 \d+\] 42/);
  expect(await person.ended()).toEqual({ exitCode: 0, signal: 0 });
});

disguised.each(['dashboard', 'exec'])('%s: Ctrl+C at the question ends with 130 and the terminal as it was', async (mode) => {
  const { env, where } = await serve({ password: PASSWORD });
  const shell = await startShellOnPty({ cols: 100, rows: 30, cwd: home.folder, env });
  program = shell;
  const before = await shellPrints(shell, 'stty -a');
  const arguments_ = mode === 'exec' ? `exec --ssh ${where} hello` : `--ssh ${where}`;
  shell.send(`${process.execPath} ${programPath()} ${arguments_}\r`);
  await shell.until(/password: *$/);
  await giveUp(shell, /password:[\s\S]*prompt\$ *$/);
  expect(await shellPrints(shell, 'echo "code $status"; stty -a')).toBe(`code 130\n${before}`);
  expect(shell.raw()).not.toContain('\x1b[?1049h');
  expect(await masters()).toEqual([]);
});

disguised('three wrong passwords: told, with the terminal as it was', async () => {
  const { env, where } = await serve({ password: PASSWORD });
  const person = onTerminal(env, '--ssh', where);
  for (const tries of [1, 2, 3]) {
    await until(`it asks for the ${tries}. time`, () => person.raw().split('password: ').length === tries + 1);
    person.send('wrong\r');
  }
  expect(await person.ended()).toEqual({ exitCode: 2, signal: 0 });
  expect(person.raw()).toContain('buddy-tui: cannot connect to 127.0.0.1: the login was given up or refused\r\n');
});

there('without a terminal nothing is asked: one sentence, and what to do', async () => {
  const { env, where } = await serve({ passphrase: PASSPHRASE });
  const told = await new Promise<{ readonly code: number; readonly stderr: string }>((resolve) => {
    execFile(process.execPath, [programPath(), 'exec', '--ssh', where, 'hello'], { env, cwd: home.folder }, (error, _stdout, stderr) =>
      resolve({ code: Number(error?.code), stderr }),
    ).stdin?.end();
  });
  expect(told.code).toBe(2);
  expect(told.stderr).toMatch(
    /^buddy-tui: cannot connect to 127\.0\.0\.1: \S+: Permission denied \(publickey\)\nStart buddy-tui on a terminal, where ssh can ask, or set up a key: ssh-copy-id there, ssh-add here\.\n$/,
  );
});

there('a connection that is lost: a login is not asked on the screen, but by /reconnect', async () => {
  const { started, env, where } = await serve({ passphrase: PASSPHRASE });
  const person = onTerminal(env, '--ssh', where);
  const asked = (times: number) =>
    until(`it asks for the ${times}. time`, () => person.raw().split('Enter passphrase for key').length === times + 1);
  await asked(1);
  person.send(`${PASSPHRASE}\r`);
  await person.until(/pane shared · idle/);
  started.wire.cut();
  await person.until(/The connection to 127\.0\.0\.1 was lost/);
  started.wire.mend();
  await person.until(/asks for a login[\s\S]*\/reconnect/);
  person.send('/reconnect\r');
  await asked(2);
  person.send('wrong\r');
  await asked(3);
  await giveUp(person, /the login was given up or refused/);
  person.send('/reconnect\r');
  await asked(4);
  person.send(`${PASSPHRASE}\r`);
  await person.until(/Connected to 127\.0\.0\.1 again\./);
  await person.until(/127\.0\.0\.1 \(ssh\)/);
  person.send('/quit end\r');
  expect(await person.ended()).toEqual({ exitCode: 0, signal: 0 });
  await until('no connection is left', async () => started.wire.connections === 0 && (await masters()).length === 0);
});
