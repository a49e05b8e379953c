/** Keys: found when needed, never sent when they cannot be right. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelProfile } from '../../lib/config/profiles.js';
import { resolveKey } from '../../lib/models/key.js';
import { modelHost, profileFor } from './provider-under-test.js';

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
  expect(await resolveKey(profile, modelHost())).toBe('first');
  writeFileSync(path, 'second\r\n');
  expect(await resolveKey(profile, modelHost())).toBe('second');
});

test('a file that cannot be read, a key that is none, a login that is not there', async () => {
  const gone = join(folder, 'gone');
  const expectations: readonly (readonly [ModelProfile, string])[] = [
    [keyed({ kind: 'file', path: gone }), `The key file ${gone} of profile test cannot be read: no such file or folder`],
    [keyed({ kind: 'literal', value: 'one\ntwo' }), 'The key of profile test holds blanks, line ends or characters that no key has'],
    [keyed({ kind: 'env', name: 'NO_SUCH' }), 'NO_SUCH is not set, and profile test takes its key from there'],
    [keyed(null, { auth: 'login' }), 'Profile test uses auth = "login", which is not available'],
  ];
  for (const [profile, message] of expectations) {
    await expect(resolveKey(profile, modelHost())).rejects.toMatchObject({ code: 'model.auth', message });
  }
});

test('no key is no key', async () => {
  expect(await resolveKey(keyed(null), modelHost())).toBe('');
});
