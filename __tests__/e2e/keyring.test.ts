/** The built program with a real keyring: gnome-keyring on a D-Bus session of its own. Skipped where they are not installed. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { freshHome, type Home, programPath } from './eye.js';

// A test here starts the program up to ten times.
jest.setTimeout(120_000);

const isThere = (name: string) => existsSync(`/usr/bin/${name}`);
const there = ['gnome-keyring-daemon', 'dbus-run-session'].every(isThere);
/** Another program that makes the entry: the one that the manual names, or else a line of JavaScript. */
const stores = isThere('secret-tool')
  ? 'printf key-by-hand-0123 | secret-tool store --label=house service house username ann'
  : `"${process.execPath}" -e 'new (require("${join(process.cwd(), 'node_modules/@napi-rs/keyring')}").Entry)("house", "ann").setPassword("key-by-hand-0123")'`;
const whenThere = there ? test : test.skip;

let home: Home;
let server: Server;
/** Keys that requests came with. */
let keys: unknown[];
beforeEach(async () => {
  home = freshHome();
  keys = [];
  server = createServer((request, response) => {
    request.resume();
    keys.push(request.headers.authorization);
    const events = [{ choices: [{ index: 0, delta: { content: 'fine' }, finish_reason: 'stop' }] }];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await home.dispose();
});

const authJson = () => readFileSync(join(home.folder, '.config', 'buddy', 'auth.json'), 'utf8');

function configure(store: 'file' | 'keyring', more: readonly string[] = []): void {
  const folder = join(home.folder, '.config', 'buddy');
  mkdirSync(folder, { recursive: true });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const lines = ['[auth]', `store = "${store}"`, '[models.house]', `api_base_url = "${url}"`, 'model = "m"', ...more];
  writeFileSync(join(folder, 'buddy.toml'), `${lines.join('\n')}\n`, { mode: 0o600 });
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const program = `"${process.execPath}" "${programPath()}"`;

/** Runs lines of sh: in a session with an unlocked keyring, or in none at all. */
function run(script: string, inSession: boolean): Promise<Ended> {
  const runtime = join(home.folder, 'runtime');
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const { DBUS_SESSION_BUS_ADDRESS: _, ...env } = home.env;
  const unlocked = `printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1\n${script}`;
  const [file, args] = inSession ? ['dbus-run-session', ['--', 'sh', '-c', unlocked]] : ['sh', ['-c', script]];
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      { env: { ...env, USER: 'ann', XDG_RUNTIME_DIR: runtime }, cwd: home.folder, timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

whenThere('a key is kept there, used from there, listed, moved back, and forgotten', async () => {
  configure('keyring');
  const kept = await run(
    [
      `echo key-of-the-house-0123 | ${program} login house`,
      `${program} exec --direct hello`,
      `${program} login --check`,
      'cat .config/buddy/auth.json',
      // Back into the file, with the next login.
      `${program} doctor; ${program} doctor --json | grep -o '"keptIn":"[a-z]*"'`,
      `sed -i 's/"keyring"/"file"/' .config/buddy/buddy.toml`,
      `${program} doctor`,
      `echo key-of-the-house-4567 | ${program} login house`,
      `${program} exec --direct hello`,
    ].join('\n'),
    true,
  );
  const said = kept.stdout + kept.stderr;
  expect(said).toMatch(/The key for http:\/\/127\.0\.0\.1:\d+ is kept in the keyring of the system, for you alone\./);
  expect(said).toMatch(/house: a key for http:\/\/127\.0\.0\.1:\d+/);
  expect(said).toContain('"kept": "keyring"');
  expect(said).toMatch(/is kept in .*auth\.json, for you alone\./);
  expect(said).toContain('logins and keys are in the keyring of the system');
  expect(said).toContain('"keptIn":"keyring"');
  expect(said).toMatch(/logins and keys are in the keyring of the system, and auth\.store = "file" says otherwise/);
  expect(said).not.toContain('key-of-the-house');
  expect(keys).toEqual(['Bearer key-of-the-house-0123', 'Bearer key-of-the-house-4567']);
  expect(authJson()).toContain('key-of-the-house-4567');
});

whenThere('an entry that another program made is the key of a profile; one that is not there is told with how to make it', async () => {
  configure('file', [
    'api_key_keyring = "house"',
    '[models.other]',
    'api_base_url = "http://127.0.0.1:9/v1"',
    'api_key_keyring = "else/bob"',
  ]);
  const { stdout, stderr } = await run(
    [stores, `${program} exec --direct hello`, `${program} exec --direct -m other hello`].join('\n'),
    true,
  );
  expect(stdout).toBe('fine\n');
  expect(keys).toEqual(['Bearer key-by-hand-0123']);
  expect(stderr).toContain('The keyring has no entry "else" of bob, and profile other takes its key from there');
  expect(stderr).toContain('secret-tool store --label=else service else username bob');
});

test('without a Secret Service one sentence says so, and auth.json is used', async () => {
  configure('keyring');
  const { stdout, stderr } = await run(`echo key-of-the-house-0123 | ${program} login house\n${program} exec --direct hello`, false);
  expect(stdout + stderr).toMatch(
    /The keyring of the system cannot be used: (there is no Secret Service|its package)[^\n]*; [^\n]*auth\.json is used instead/,
  );
  expect(keys).toEqual(['Bearer key-of-the-house-0123']);
  configure('file', ['api_key_keyring = "house"']);
  const asked = await run(`${program} exec --direct hello`, false);
  expect(asked.code).toBe(1);
  expect(asked.stderr).toMatch(/The keyring of the system cannot be used: .*\n.*api_key_env, api_key_file or api_key_command/);
});
