/** Keys: found when needed, never sent when they cannot be right. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { processExists } from '../../lib/base/process.js';
import type { ModelProfile } from '../../lib/config/profiles.js';
import { resolveKey } from '../../lib/models/key.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';
import { modelHost, profileFor } from './provider-under-test.js';

const never = new AbortController().signal;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'buddy-key-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function keyed(key: ModelProfile['key'], more: Partial<ModelProfile> = {}): ModelProfile {
  return profileFor('chat', 'http://x/v1', { key, ...more });
}

test('from a file, read again each time', async () => {
  const path = join(folder, 'key');
  writeFileSync(path, 'first\n');
  const profile = keyed({ kind: 'file', path });
  expect(await resolveKey(profile, modelHost(), never)).toBe('first');
  writeFileSync(path, 'second\r\n');
  expect(await resolveKey(profile, modelHost(), never)).toBe('second');
});

test('a file that cannot be read, a key that is none, a login that is not there', async () => {
  const gone = join(folder, 'gone');
  const expectations: readonly (readonly [ModelProfile, string])[] = [
    [keyed({ kind: 'file', path: gone }), `The key file ${gone} of profile test cannot be read: no such file or folder`],
    [keyed({ kind: 'literal', value: 'one\ntwo' }), 'The key of profile test holds blanks, line ends or characters that no key has'],
    [keyed({ kind: 'env', name: 'NO_SUCH' }), 'NO_SUCH is not set, and profile test takes its key from there'],
    [keyed(null, { auth: 'login' }), 'Profile test uses auth = "login", and nobody is logged in'],
  ];
  for (const [profile, message] of expectations) {
    await expect(resolveKey(profile, modelHost(), never)).rejects.toMatchObject({ code: 'model.auth', message });
  }
});

test('from a command: its first line, and no word of the rest', async () => {
  const command = (line: string) => resolveKey(keyed({ kind: 'command', command: line }), modelHost({ PATH: '/usr/bin:/bin' }), never);
  expect(await command("printf 'key-of-vault\\nuser: ann\\n'; echo asking >&2")).toBe('key-of-vault');
  await expect(command('echo secret; exit 3')).rejects.toMatchObject({
    code: 'model.auth',
    message: 'api_key_command of profile test ended with exit code 3',
  });
  await expect(command('true')).rejects.toMatchObject({ message: 'api_key_command of profile test printed no key' });
});

test('a command has its time and no more, and ends with the request', async () => {
  const clock = new FakeClock();
  const profile = keyed({ kind: 'command', command: `echo $$ > ${folder}/pid; sleep 1000` });
  const gone = (pid: string) => until(`${pid} is gone`, () => !processExists(Number(pid)));
  const started = () => until('the command runs', () => (existsSync(`${folder}/pid`) ? readFileSync(`${folder}/pid`, 'utf8').trim() : ''));
  const late = resolveKey(profile, { ...modelHost({ PATH: '/usr/bin:/bin' }), clock }, never);
  const refused = expect(late).rejects.toMatchObject({ message: 'api_key_command of profile test was not done after 60 s' });
  await gone(await started().finally(() => clock.advance(60_000)));
  await refused;
  rmSync(`${folder}/pid`);
  const stop = new AbortController();
  const cancelled = resolveKey(profile, { ...modelHost({ PATH: '/usr/bin:/bin' }), clock }, stop.signal);
  const given = expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
  await gone(await started().finally(() => stop.abort()));
  await given;
});

test('a stored key is taken for its address when there is no other, or the variable is not set', async () => {
  const host = { ...modelHost(), homeDir: folder };
  const at = (baseUrl: string, key: ModelProfile['key']) => resolveKey({ ...keyed(key), baseUrl }, host, never);
  const store = `${folder}/.config/buddy/auth.json`;
  mkdirSync(dirname(store), { recursive: true });
  writeFileSync(store, '{"version":4,"api_keys":{"x":{"key":"stored-key","origin":"https://x.example"}}}', { mode: 0o600 });
  expect(await at('https://x.example/v1', null)).toBe('stored-key');
  expect(await at('https://x.example/v1', { kind: 'env', name: 'NO_SUCH' })).toBe('stored-key');
  expect(await at('https://x.example/v1', { kind: 'literal', value: 'own' })).toBe('own');
  expect(await at('https://y.example/v1', null)).toBe('');
  writeFileSync(store, '{');
  await expect(at('https://x.example/v1', null)).rejects.toMatchObject({ code: 'auth.store' });
  expect(await at('http://127.0.0.1:11434/v1', null)).toBe('');
  expect(await at('https://x.example/v1', { kind: 'literal', value: 'own' })).toBe('own');
});

test('no key is no key', async () => {
  expect(await resolveKey(keyed(null), modelHost(), never)).toBe('');
});
