/** login and logout of the built program, against an issuer on this machine. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type FakeIssuer, type FakeIssuerOptions, startFakeIssuer } from '../support/fake-issuer.js';
import { type PtyProgram, startOnPty } from '../support/pty.js';
import { until } from '../support/until.js';
import { freshHome, type Home, programPath } from './eye.js';

// A test here starts the program up to ten times.
jest.setTimeout(120_000);

let home: Home;
let issuer: FakeIssuer;
let program: PtyProgram | null = null;
beforeEach(() => {
  home = freshHome();
});
afterEach(async () => {
  program?.dispose();
  program = null;
  await issuer.close();
  await home.dispose();
});

const store = () => join(home.folder, '.config', 'buddy', 'auth.json');
const kept = () =>
  JSON.parse(readFileSync(store(), 'utf8')) as { logins?: Record<string, Record<string, unknown>>; api_keys?: Record<string, unknown> };

async function issuerWith(options: FakeIssuerOptions = {}): Promise<void> {
  issuer = await startFakeIssuer({ interval: 1, approve: true, ...options });
  const { 'login.issuer': url, 'login.client_id': client, 'login.backend': backend } = issuer.settings;
  mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
  const lines = ['[login]', `issuer = "${url}"`, `client_id = "${client}"`, `backend = "${backend}"`];
  const models = [
    '[models.mine]',
    'api = "responses"',
    'auth = "login"',
    'model = "gpt-5.3-codex"',
    '[models.box]',
    'api_base_url = "http://box.example/v1"',
  ];
  writeFileSync(join(home.folder, '.config', 'buddy', 'buddy.toml'), [...lines, ...models, ''].join('\n'));
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function buddy(args: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [programPath(), ...args], { env: home.env, cwd: home.folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

function onTerminal(...args: readonly string[]): PtyProgram {
  const env = Object.fromEntries(Object.entries(home.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  program = startOnPty(process.execPath, [programPath(), ...args], { cols: 100, rows: 40, cwd: home.folder, env });
  return program;
}

test('a login with a code, then a prompt over it, then logout', async () => {
  await issuerWith();
  const made = await buddy(['login', 'openai']);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toMatch(new RegExp(`Open {4}${issuer.url}/codex/device\\nand enter {4}ABCD-\\w{4}\\n`));
  expect(made.stdout).toContain('Logged in as ann@example.com (plus).');
  expect(made.stdout).toContain('Next: buddy-tui\n');
  expect(statSync(store()).mode & 0o777).toBe(0o600);
  expect((await buddy(['exec', '--direct', 'hello'])).stdout).toBe('behind the login\n');
  expect(await buddy(['login', '--check'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^openai: logged in as ann@example\.com \(plus\), until .*renewed by itself\n$/),
  });
  expect(await buddy(['logout', 'openai'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Forgotten: openai.') });
  expect(issuer.count('revoked')).toBe(1);
  expect(await buddy(['login', '--check'])).toMatchObject({ code: 1, stdout: 'Nobody is logged in, and no key is kept.\n' });
  const refused = await buddy(['exec', '--direct', 'hello']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('nobody is logged in\nRun "buddy-tui login openai", or /login openai.');
});

test('two programs whose login is due at once renew it once', async () => {
  await issuerWith({ expiresIn: 3600 });
  await buddy(['login', 'openai']);
  const file = kept();
  writeFileSync(store(), JSON.stringify({ ...file, logins: { openai: { ...file.logins?.['openai'], expires_at_ms: 1 } } }), {
    mode: 0o600,
  });
  let release = () => {};
  issuer.fake.hold = new Promise((resolve) => (release = resolve));
  const both = Promise.all([buddy(['exec', '--direct', 'hello']), buddy(['exec', '--direct', 'hello'])]);
  await until('one of them asks', () => issuer.count('refresh') === 1);
  await until('the lock is there', () => existsSync(`${store()}.lock`));
  release();
  expect((await both).map(({ stdout }) => stdout)).toEqual(['behind the login\n', 'behind the login\n']);
  expect(issuer.count('refresh')).toBe(1);
  expect(issuer.refreshTokens.has(String(kept().logins?.['openai']?.['refresh_token']))).toBe(true);
});

test('a key that is piped in; providers and profiles by name; words for the rest', async () => {
  await issuerWith();
  expect(await buddy(['login', 'openrouter'], 'sk-or-canary-1\n')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The key for https://openrouter.ai is kept in'),
  });
  expect(kept().api_keys).toEqual({ openrouter: { key: 'sk-or-canary-1', origin: 'https://openrouter.ai' } });
  expect(await buddy(['login', 'openai', '--with', 'key'], 'sk-other-2\n')).toMatchObject({ code: 0 });
  expect((await buddy(['login', '--check'])).stdout).toBe(
    'openrouter: a key for https://openrouter.ai\nopenai: a key for https://api.openai.com\n',
  );
  const wrong = [
    [['login', 'opnai'], '"opnai" is no provider and no model profile; did you mean "openai"?'],
    [['login', 'openrouter', '--with', 'device'], 'openrouter has no login with device'],
    [['login', 'openrouter'], 'No key was given'],
    [['login', 'box'], 'A key for http://box.example would travel there without encryption'],
    [['login', '--with', 'luck'], '--with must be one of browser, device, key'],
    [['login', '--check', '--reset'], '--check and --reset exclude each other'],
    [['logout', 'groq'], ''],
  ] as const;
  for (const [args, words] of wrong) {
    const { code, stdout, stderr } = await buddy(args);
    if (words === '') expect([code, stdout]).toEqual([0, 'There was no login and no key for groq.\n']);
    else expect([args, code === 0, stderr]).toEqual([args, false, expect.stringContaining(words)]);
  }
});

test('a broken file is told by everything, and set aside by a login only', async () => {
  await issuerWith();
  writeFileSync(store(), '{"half', { mode: 0o600 });
  for (const args of [['login', '--check'], ['logout'], ['exec', '--direct', 'hello']]) {
    const { code, stderr } = await buddy(args);
    expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining('auth.json is damaged: it is not a JSON object')]);
  }
  expect(readFileSync(store(), 'utf8')).toBe('{"half');
  const { stdout } = await buddy(['login', 'openai', '--reset']);
  expect(stdout).toMatch(/auth\.json is damaged.* it was moved to .*auth\.json\.\d{8}T\d{6}Z, and a new one is begun/);
  expect(readdirSync(join(home.folder, '.config', 'buddy')).filter((name) => name.startsWith('auth.json.'))).toHaveLength(1);
});

test('on a terminal one is asked, and the key is not shown', async () => {
  await issuerWith();
  const {
    send,
    until: shows,
    terminal,
    ended,
  } = { ...onTerminal('login'), until: (words: RegExp) => until(`${words}`, () => words.test(program?.terminal.text() ?? '')) };
  await shows(/Where do you want to log in\?[\s\S]*1 {2}OpenAI[\s\S]*Number, or Enter for 1/);
  send('99\r');
  await shows(/Please enter a number from 1 to/);
  send('2\r');
  await shows(/A key for OpenRouter is made at https:\/\/openrouter\.ai\/settings\/keys[\s\S]*API key \(it is not shown\)/);
  send('sk-or-canary-3\r');
  expect(await ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.text()).toContain('The key for https://openrouter.ai is kept in');
  expect(terminal.text()).not.toContain('canary');
  expect(kept().api_keys).toMatchObject({ openrouter: { key: 'sk-or-canary-3' } });
});

test('Ctrl+C at a question gives up with nothing changed', async () => {
  await issuerWith();
  const { send, ended, terminal } = onTerminal('login', 'openrouter');
  await until('it asks', () => terminal.text().includes('API key'));
  send('\x03');
  expect(await ended()).toMatchObject({ exitCode: 130 });
  expect(existsSync(store())).toBe(false);
});

test('/login lends the terminal, and the next prompt is answered over what it made; /logout forgets it', async () => {
  await issuerWith();
  const { send, until: shows, ended } = onTerminal();
  await shows(/pane shared · idle/);
  send('/login openai\r');
  await shows(/How\?[\s\S]*Number, or Enter for 2/);
  send('\r');
  await shows(/Logged in; the next request uses it\./, 60_000);
  send('who are you?\r');
  await shows(/behind the login/);
  send('/logout openai\r');
  await shows(/Forgotten: openai\./);
  expect(kept().logins).toEqual({});
  send('/quit end\r');
  expect(await ended()).toMatchObject({ exitCode: 0 });
});

describe('init', () => {
  const file = () => join(home.folder, '.config', 'buddy', 'buddy.toml');

  test('on a terminal one is asked; the login follows; the next start uses it', async () => {
    await issuerWith();
    const own = readFileSync(file(), 'utf8');
    expect(await buddy(['init'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is there already, and is left as it is\ninit --force'),
    });
    const { send, until: shows, ended, terminal } = onTerminal('init', '--force');
    await shows(/Which model do you want to start with\?[\s\S]*Number, or Enter for 1/);
    const demo = /(\d) {2}the demo/.exec(terminal.text())?.[1] ?? '';
    send(`${demo}\r`);
    expect(await ended()).toMatchObject({ exitCode: 0 });
    expect(terminal.text()).toMatch(/The old file is kept as[\s\S]*Next: buddy-tui/);
    expect(readFileSync(file(), 'utf8')).toContain('model = "demo"');
    const [kept = ''] = readdirSync(join(home.folder, '.config', 'buddy')).filter((name) => name.startsWith('buddy.toml.'));
    expect(readFileSync(join(home.folder, '.config', 'buddy', kept), 'utf8')).toBe(own);
  });

  test('without one it writes what was found, and the file works', async () => {
    issuer = await startFakeIssuer();
    const { code, stdout } = await buddy(['init'], '');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Written: .*buddy\.toml\n\nNext: buddy-tui/)]);
    expect((await buddy(['doctor'])).stdout).toMatch(/config {4}ok {6}.*buddy\.toml/);
  });
});
