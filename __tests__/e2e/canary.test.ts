/** A key that is known to the program is in nothing that it leaves behind or hands on: files, the pane, arguments, environment. */

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type ChatPiece, type ChatRequest, startChatServer } from '../support/chat-server.js';
import { startOnPty } from '../support/pty.js';
import { until } from '../support/until.js';
import { freshHome, type Home, programPath } from './eye.js';

// Starting, two prompts and the end, on a loaded machine.
jest.setTimeout(90_000);

const KEY = 'canary/key+for="tests"=only-7f3a9c';
const encodings = [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64').replace(/=+$/, ''), JSON.stringify(KEY).slice(1, -1)];
const places = (text: string) => encodings.filter((encoding) => text.includes(encoding));

/** The model says the key whenever it can, and looks for it in the shell. */
function* leaky({ prompt, results }: ChatRequest): Iterable<ChatPiece> {
  if (prompt.includes('be refused')) yield { fail: { status: 400, message: `Incorrect API key provided: ${KEY}` } };
  else if (results.length === 0) {
    yield { reasoning: `I was given ${KEY}. ` };
    yield { calls: [{ name: 'run_shell', arguments: { command: 'env', ...claim } }] };
  } else {
    yield { content: `The key is ${encodings.join(' or ')}. ` };
    // In pieces, as models speak.
    for (const piece of KEY.match(/.{1,5}/g) ?? []) yield { content: piece };
    yield { content: '. That is all.' };
  }
}
const claim = { risk: 'low', mutation: false, privesc: false, why: 'to look' };

/** What the pieces of answers say together, of the lines of a trace or of exec's events. */
function saidIn(lines: string): string {
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly event?: { readonly type: string; readonly text?: string } })
    .map(({ event }) => (event?.type === 'model.text' || event?.type === 'model.reasoning' ? event.text : ''))
    .join('');
}

/** Every file below a folder, with what is in it. */
function filesIn(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, 'latin1')] as const);
}

/** Arguments and environment of what the program started; its own environment has the key from outside. */
function processesOf(home: Home, own: number): string {
  const pids = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(home.socket) || line.includes(home.folder) || line.includes('/tmp/buddy-'))
    .map((line) => Number(line.trim().split(' ')[0]))
    .filter((pid) => pid !== own);
  expect(pids.length).toBeGreaterThan(0);
  return pids
    .flatMap((pid) => ['cmdline', 'environ'].map((name) => `/proc/${pid}/${name}`))
    .map((path) => {
      try {
        return readFileSync(path, 'latin1');
      } catch {
        // It has ended meanwhile.
        return '';
      }
    })
    .join('\n');
}

/** What a program that was killed left in /tmp. */
function privateFolders(pid: number): readonly string[] {
  return readdirSync('/tmp')
    .filter((name) => /^buddy-\w{6}$/.test(name) && existsSync(`/tmp/${name}/owner`))
    .map((name) => `/tmp/${name}`)
    .filter((path) => Number(readFileSync(`${path}/owner`, 'utf8')) === pid);
}

/** Where the key comes from. */
interface Source {
  /** Lines of the profile. `vault`: a folder outside of the home, with the key in a file. */
  readonly profile: (vault: string) => string;
  readonly variables?: Readonly<Record<string, string>>;
  /** What is asked first: with a source that is asked with the first request the key is not known before. */
  readonly first?: string;
  /** A session with an unlocked keyring that has the key. */
  readonly inKeyring?: true;
  /** The person logs in within the dashboard. */
  readonly logsIn?: true;
  /** Files below the home where it belongs. */
  readonly belongsIn?: readonly string[];
  /** The program is killed at the end, with the key in the unsent draft. */
  readonly killed?: true;
}
const AUTH = '.config/buddy/auth.json';
const sources: Readonly<Record<string, Source>> = {
  'a variable': { profile: () => 'api_key_env = "CANARY"', variables: { CANARY: KEY }, first: `what of ${KEY}?`, killed: true },
  'a command': { profile: (vault) => `api_key_command = "cat ${join(vault, 'key')}"` },
  'a file': { profile: (vault) => `api_key_file = "${join(vault, 'key')}"`, first: `what of ${KEY}?` },
  'a login in the dashboard': { profile: () => '', logsIn: true, belongsIn: [AUTH] },
  ...(existsSync('/usr/bin/gnome-keyring-daemon') && existsSync('/usr/bin/secret-tool')
    ? { 'the keyring': { profile: () => 'api_key_keyring = "house"', inKeyring: true } }
    : {}),
};

/** The program on a terminal, in a session with a keyring of its own when the source wants one. */
function started(home: Home, { inKeyring, variables }: Source, vault: string) {
  const args = [programPath(), '-vv', '--trace', join(home.folder, 'trace.jsonl')];
  const { DBUS_SESSION_BUS_ADDRESS: _, ...env } = { ...home.env, USER: 'ann', EDITOR: join(vault, 'editor'), ...variables } as Record<
    string,
    string
  >;
  const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const options = { cols: 140, rows: 40, cwd: home.folder, env: given };
  if (inKeyring !== true) return startOnPty(process.execPath, args, options);
  const runtime = join(vault, 'runtime');
  mkdirSync(runtime, { mode: 0o700 });
  const script = [
    'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1',
    `tr -d '\\n' <"${join(vault, 'key')}" | secret-tool store --label=house service house username ann`,
    `exec "${process.execPath}" ${args.map((arg) => `"${arg}"`).join(' ')}`,
  ];
  return startOnPty('dbus-run-session', ['--', 'sh', '-c', script.join('\n')], { ...options, env: { ...given, XDG_RUNTIME_DIR: runtime } });
}

test.each(Object.entries(sources))('the key from %s is nowhere, in no encoding', async (_, source) => {
  const home = freshHome();
  const vault = mkdtempSync(join(tmpdir(), 'vault-'));
  writeFileSync(join(vault, 'key'), `${KEY}\n`);
  // An editor that leaves its environment behind.
  writeFileSync(join(vault, 'editor'), '#!/bin/sh\nenv >"$HOME/editor-environment"\n', { mode: 0o700 });
  const server = await startChatServer(leaky);
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const profile = [`api_base_url = "${server.baseUrl}"`, 'api = "completions"', 'model = "mock-1"', source.profile(vault)];
  writeFileSync(join(folder, 'buddy.toml'), ['[models.mock]', ...profile, ''].join('\n'));
  const program = started(home, source, vault);
  try {
    await program.until(/pane shared · idle/);
    if (source.logsIn === true) {
      program.send('/login mock\r');
      await program.until(/API key|Paste|key for/i);
      program.send(`${KEY}\r`);
      await program.until(/Logged in/);
    }
    program.send('/approve all\r');
    await program.until(/approve ALL/);
    program.send(`${source.first ?? 'what of it?'}\r`);
    await program.until(/That is all\./);
    // Neither in one piece nor where the model parted it.
    expect(places(program.terminal.text().replace(/what of .*\?/g, ''))).toEqual([]);
    program.send(`be refused with ${KEY}\r`);
    await program.until(/Incorrect API key provided: \(key\)/);
    for (const format of ['md', 'html', 'jsonl']) {
      program.send(`/export ${format} exported.${format}\r`);
      await until(`the ${format} is written`, () => existsSync(join(home.folder, `exported.${format}`)));
    }
    program.send('\x07');
    await until('the editor was there', () => existsSync(join(home.folder, 'editor-environment')));
    await program.until(/> Ask, or/);
    expect(places(await home.tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 'buddy-buddy'))).toEqual([]);
    expect(places(await home.tmux('show-environment', '-g'))).toEqual([]);
    expect(places(processesOf(home, program.pid))).toEqual([]);
    if (source.killed === true) {
      program.send(`not sent: ${KEY}`);
      const drafts = () => filesIn(join(home.folder, '.local/state/buddy')).filter(([path]) => path.includes('draft-'));
      await until('the draft is kept', () => drafts().some(([, text]) => text.includes('not sent: [redacted]')));
      program.signal('SIGKILL');
      await program.ended();
    } else {
      program.send('/quit\r');
      await program.until(/leave · tmux session/);
      program.send('e');
      expect(await program.ended()).toEqual({ exitCode: 0, signal: 0 });
    }
    const files = [...filesIn(home.folder), ...privateFolders(program.pid).flatMap(filesIn)].filter(
      ([path]) => !(source.belongsIn ?? []).some((of) => path.endsWith(of)),
    );
    // What should be there is, so that nothing found means something.
    for (const part of ['trace.jsonl', '.buddyx/sessions', 'prompts.jsonl', 'exported.html', 'editor-environment'])
      expect(files.map(([path]) => path).join('\n')).toContain(part);
    expect(files.flatMap(([path, text]) => places(text).map((found) => [path, found]))).toEqual([]);
    // Nor when the pieces of what the model said are put together.
    expect(places(saidIn(readFileSync(join(home.folder, 'trace.jsonl'), 'utf8')))).toEqual([]);
    expect(files.filter(([, text]) => text.includes('[redacted]')).length).toBeGreaterThan(1);
  } catch (thrown) {
    throw new Error(`${String(thrown)}; it shows:\n${program.terminal.text()}`);
  } finally {
    program.dispose();
    await server.close();
    await home.dispose();
    rmSync(vault, { recursive: true });
  }
});

test('exec prints it nowhere: not as the answer, not as events, not in its complaints', async () => {
  const home = freshHome();
  const server = await startChatServer(leaky);
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const profile = [`api_base_url = "${server.baseUrl}"`, 'api = "completions"', 'model = "mock-1"', `api_key = ${JSON.stringify(KEY)}`];
  writeFileSync(join(folder, 'buddy.toml'), ['[models.mock]', ...profile, ''].join('\n'), { mode: 0o600 });
  try {
    for (const args of [
      ['what of it?'],
      ['--json', 'what of it?'],
      [`be refused with ${KEY}`],
      ['--json', `be refused with ${KEY}`],
      ['--session', 'new', 'what of it?'],
    ]) {
      const all = [programPath(), 'exec', '--direct', '--dangerously-auto-approve', ...args];
      const [stdout, stderr] = await new Promise<readonly [string, string]>((resolve) => {
        const child = execFile(process.execPath, all, { env: home.env, cwd: home.folder }, (_error, ...printed) => resolve(printed));
        child.stdin?.end();
      });
      expect([args, stdout + stderr]).toEqual([args, expect.stringMatching(/\[redacted\]|\(key\)/)]);
      expect(places(stdout + stderr)).toEqual([]);
      if (args.includes('--json')) expect(places(saidIn(stdout))).toEqual([]);
    }
    const files = filesIn(home.folder).filter(([path]) => !path.endsWith('buddy.toml'));
    expect(files.flatMap(([path, text]) => places(text).map((found) => [path, found]))).toEqual([]);
  } finally {
    await server.close();
    await home.dispose();
  }
});
