/** Where the key of the search engine comes from. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import { searchKey } from '../../lib/modes/search-key.js';

const none = {
  'search.engine': 'brave',
  'search.api_key_env': '',
  'search.api_key_file': '',
  'search.api_key_command': '',
} as const;
let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'search-key-'));
  writeFileSync(join(home, 'key'), 'from-file\n');
  writeFileSync(join(home, 'two'), 'one\ntwo\n');
});
afterAll(() => rmSync(home, { recursive: true }));

const keyOf = (settings: object, env: Record<string, string> = {}) =>
  searchKey(
    { ...none, ...settings },
    { homeDir: home, env: { PATH: process.env['PATH'], ...env }, clock: systemClock } as unknown as Host,
    new AbortController().signal,
  );

test.each([
  ['the variable of the vendor', {}, { BRAVE_API_KEY: 'from-vendor' }, 'from-vendor'],
  ['a variable that is named', { 'search.api_key_env': 'MINE' }, { MINE: ' from-env ', BRAVE_API_KEY: 'x' }, 'from-env'],
  ['a file', { 'search.api_key_file': '~/key' }, { BRAVE_API_KEY: 'x' }, 'from-file'],
  ['a command', { 'search.api_key_command': 'echo from-command; echo more' }, {}, 'from-command'],
  ['nowhere', {}, {}, ''],
  ['nowhere, for an engine without one', { 'search.engine': 'searxng' }, { BRAVE_API_KEY: 'x' }, ''],
])('%s', async (_name, settings, env, expected) => {
  expect(await keyOf(settings, env)).toBe(expected);
});

test.each([
  [
    'a file that is not there',
    { 'search.api_key_file': '/nowhere/key' },
    'The key file /nowhere/key of [search] cannot be read: no such file or folder',
  ],
  ['a file of two lines', { 'search.api_key_file': '~/two' }, 'line ends'],
  ['a command that fails', { 'search.api_key_command': 'exit 3' }, 'api_key_command of [search] ended with exit code 3'],
])('%s is a sentence', async (_name, settings, message) => {
  await expect(keyOf(settings)).rejects.toThrow(message);
});
