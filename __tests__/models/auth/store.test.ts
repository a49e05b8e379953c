/** auth.json: who may read it, what is kept, what becomes of a broken one, and that nobody's change is lost. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../lib/base/clock.js';
import { withFileLock } from '../../../lib/base/file-lock.js';
import type { Host } from '../../../lib/base/host.js';
import { CredentialStore } from '../../../lib/models/auth/credential-store.js';
import { emptyStore, keyFor, keysOf, loginOf, secretsIn, withKey, withLogin, without } from '../../../lib/models/auth/credentials.js';
import type { JsonObject } from '../../../lib/models/json.js';
import { until } from '../../support/until.js';

const never = new AbortController().signal;
const router = { name: 'openrouter', key: 'sk-or-1', origin: 'https://openrouter.ai' };
const login = {
  issuer: 'https://issuer',
  clientId: 'c',
  accessToken: 'access-1',
  refreshToken: 'refresh-1',
  idToken: null,
  expiresAtMs: 5,
  renewedAtMs: 1,
};

let home: string;
let notices: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-store-'));
  notices = [];
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function host(more: Partial<Host> = {}): Host {
  const uid = process.getuid?.() ?? null;
  return { env: {}, homeDir: home, pid: process.pid, hostname: 'here', uid, clock: systemClock, ...more } as unknown as Host;
}

function open(more: Partial<Host> = {}): CredentialStore {
  return new CredentialStore(host(more), { notice: (text) => notices.push(text.replaceAll(home, '~')) });
}

function put(content: string, mode = 0o600): string {
  const { path } = open();
  mkdirSync(join(home, '.config', 'buddy'), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const folder = () => readdirSync(join(home, '.config', 'buddy')).sort();

test('what is written is for the owner only, whatever the umask, and is read again', async () => {
  const store = open();
  const old = process.umask(0);
  try {
    await store.update((file) => withLogin(withKey(file, router), 'openai', login), 'fail', never);
  } finally {
    process.umask(old);
  }
  expect(lstatSync(store.path).mode & 0o777).toBe(0o600);
  expect(lstatSync(join(home, '.config', 'buddy')).mode & 0o777).toBe(0o700);
  const file = await open().read();
  expect(loginOf(file, 'openai')).toEqual(login);
  expect(keysOf(file)).toEqual([router]);
  expect([...secretsIn(file)].sort()).toEqual(['access-1', 'refresh-1', 'sk-or-1']);
  expect(folder()).toEqual(['auth.json']);
});

test('a key is for its origin only', () => {
  const file = withKey(emptyStore, router);
  expect(keyFor(file, 'https://openrouter.ai/api/v1')).toBe('sk-or-1');
  for (const other of ['http://openrouter.ai/api/v1', 'https://openrouter.ai.example/v1', 'https://openrouter.ai:444/', 'nonsense'])
    expect([other, keyFor(file, other)]).toEqual([other, '']);
});

test('what is not known is kept, at every level', async () => {
  put(
    '{"version":4,"later":[1],"logins":{"openai":{"access_token":"a","colour":"red"},"else":{"x":1}},"api_keys":{"k":{"key":"1","origin":"o","y":2}}}',
  );
  await open().update((file) => withLogin(file, 'openai', login), 'fail', never);
  await open().update((file) => withKey(file, { name: 'k', key: '2', origin: 'o' }), 'fail', never);
  const file = JSON.parse(readFileSync(open().path, 'utf8')) as Record<string, Record<string, JsonObject>>;
  expect(file['later']).toEqual([1]);
  expect(file['logins']?.['openai']).toMatchObject({ access_token: 'access-1', colour: 'red' });
  expect(file['logins']?.['else']).toEqual({ x: 1 });
  expect(file['api_keys']?.['k']).toEqual({ key: '2', origin: 'o', y: 2 });
  await open().update((of) => without(of, 'openai'), 'fail', never);
  expect(Object.keys((await open().read())['logins'] as JsonObject)).toEqual(['else']);
});

test('a mode that lets others read is repaired and told', async () => {
  const path = put('{"version":4}', 0o644);
  expect(await open().read()).toEqual({ version: 4 });
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(notices).toEqual(['~/.config/buddy/auth.json could be read by other users; it is yours alone again (chmod 600)']);
});

test('a symbolic link, a folder, a file of somebody else are refused', async () => {
  const path = put('');
  rmSync(path);
  writeFileSync(join(home, 'other'), '{"version":4}');
  symlinkSync(join(home, 'other'), path);
  await expect(open().read()).rejects.toMatchObject({ code: 'auth.store', message: expect.stringContaining('is a symbolic link') });
  rmSync(path);
  mkdirSync(path);
  await expect(open().read()).rejects.toMatchObject({ code: 'auth.store', message: expect.stringContaining('is no file') });
  rmSync(path, { recursive: true });
  put('{"version":4}');
  await expect(open({ uid: 4_000_000 }).read()).rejects.toMatchObject({ message: expect.stringContaining("another user's file") });
});

test.each([
  ['half a file', '{"version":4,"logins":{"op', 'is damaged: it is not a JSON object'],
  ['another program', '{"version":3,"encryption":{}}', 'was written by another program and cannot be used'],
])('%s is told, never changed, and set aside whole when a new login is made', async (_, content, words) => {
  const path = put(content);
  await expect(open().read()).rejects.toMatchObject({ code: 'auth.store', message: `${path} ${words}` });
  await expect(open().update((file) => withKey(file, router), 'fail', never)).rejects.toMatchObject({ code: 'auth.store' });
  expect(readFileSync(path, 'utf8')).toBe(content);
  await open().update((file) => withKey(file, router), 'set-aside', never);
  const [, aside = ''] = folder();
  expect(folder()).toEqual(['auth.json', expect.stringMatching(/^auth\.json\.\d{8}T\d{6}Z$/)]);
  expect(readFileSync(join(home, '.config', 'buddy', aside), 'utf8')).toBe(content);
  expect(notices).toEqual([`~/.config/buddy/auth.json ${words}; it was moved to ~/.config/buddy/${aside}, and a new one is begun`]);
  expect(keysOf(await open().read())).toEqual([router]);
});

test('one of a newer version is left alone, also by a new login', async () => {
  const path = put('{"version":99}');
  await expect(open().update((file) => withKey(file, router), 'set-aside', never)).rejects.toMatchObject({
    message: `${path} was written by a newer version of this program`,
  });
  expect(readFileSync(path, 'utf8')).toBe('{"version":99}');
});

test('twenty changes at once are twenty changes', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `provider-${i}`);
  // Each with a signal of its own, as the programs that change it have.
  const changes = names.map((name) => open().update((file) => withKey(file, { ...router, name }), 'fail', new AbortController().signal));
  await Promise.all(changes);
  expect(
    keysOf(await open().read())
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...names].sort());
  expect(folder()).toEqual(['auth.json']);
});

describe('the lock', () => {
  const lockOf = (more: Partial<Host> = {}) => ({ ...host(more), path: join(home, 'lock') });

  test.each([
    ['its process is gone', `${2 ** 22 + 5} here abc`, false],
    ['it is old, of another host', `1 elsewhere abc`, true],
  ])('is taken over when %s', async (_, holder, old) => {
    writeFileSync(join(home, 'lock'), holder);
    if (old) utimesSync(join(home, 'lock'), 1000, 1000);
    expect(await withFileLock(lockOf(), never, () => Promise.resolve('done'))).toBe('done');
    expect(readdirSync(home)).toEqual([]);
  });

  test('is waited for while its process lives; waiting can be given up', async () => {
    let release = () => {};
    const first = withFileLock(lockOf(), never, () => new Promise<void>((resolve) => (release = resolve)));
    await until('the lock is held', () => existsSync(join(home, 'lock')));
    const stop = new AbortController();
    const second = withFileLock(lockOf(), stop.signal, () => Promise.resolve());
    stop.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    release();
    await first;
    expect(readdirSync(home)).toEqual([]);
  });

  test('is let go of when the work fails', async () => {
    await expect(withFileLock(lockOf(), never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(readdirSync(home)).toEqual([]);
  });
});
