/** trust.json: what was said comes back, and a file that is not sound trusts nothing and is left alone. */

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import type { Host } from '../../lib/base/host.js';
import type { TrustRecord } from '../../lib/config/project.js';
import { keepTrust, readTrust } from '../../lib/modes/trust-store.js';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-trust-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const host = () =>
  ({ env: {}, homeDir: home, pid: process.pid, hostname: 'here', uid: process.getuid?.() ?? null, clock: systemClock }) as unknown as Host;
const path = () => join(home, '.local/state/buddy/trust.json');
const keep = (folder: string, record: TrustRecord | null) => keepTrust(host(), folder, record, new AbortController().signal);
const hash = 'ab'.repeat(32);
const yes: TrustRecord = { state: 'trusted', hash, shown: { 'agent.max_iterations': '20 → 3' } };
const never: TrustRecord = { state: 'muted', hash, shown: {} };

function put(text: string, mode = 0o600): void {
  mkdirSync(dirname(path()), { recursive: true });
  writeFileSync(path(), text);
  chmodSync(path(), mode);
}

test('there is nothing at first, and nothing is made by looking', () => {
  expect(readTrust(host())).toEqual({ records: new Map(), problem: null });
  expect(existsSync(dirname(path()))).toBe(false);
});

test('what was said comes back, is private, and can be taken back', async () => {
  await keep('/srv/a', yes);
  await keep('/srv/größe "x"\n', never);
  expect([...readTrust(host()).records]).toEqual([
    ['/srv/a', yes],
    ['/srv/größe "x"\n', never],
  ]);
  expect([statSync(path()).mode & 0o777, statSync(dirname(path())).mode & 0o777]).toEqual([0o600, 0o700]);
  await keep('/srv/a', null);
  expect([...readTrust(host()).records.keys()]).toEqual(['/srv/größe "x"\n']);
  expect(existsSync(`${path()}.lock`)).toBe(false);
});

test('words of programs at the same time are all kept', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, at) => keep(`/srv/${at}`, yes)));
  expect(readTrust(host()).records.size).toBe(8);
});

test('a file that is cut anywhere trusts nothing, with one sentence', async () => {
  await keep('/srv/a', yes);
  const whole = readFileSync(path(), 'utf8');
  for (let length = 0; length < whole.trimEnd().length; length++) {
    put(whole.slice(0, length));
    expect(readTrust(host())).toEqual({ records: new Map(), problem: `${path()}: this is not JSON; no folder is trusted` });
  }
});

test.each([
  ['a list', '[]'],
  ['null', 'null'],
  ['another version', `{"version":2,"folders":{"/srv":${JSON.stringify(yes)}}}`],
  ['another word', `{"version":1,"folders":{"/srv":{"state":"all","hash":"${hash}","shown":{}}}}`],
  ['a hash that is none', '{"version":1,"folders":{"/srv":{"state":"trusted","hash":"","shown":{}}}}'],
  ['a relative folder', `{"version":1,"folders":{"srv":${JSON.stringify(yes)}}}`],
  ['a prototype', `{"version":1,"__proto__":{"folders":{"/srv":${JSON.stringify(yes)}}}}`],
  ['depth', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
])('%s trusts nothing, and is not written over', async (_what, text) => {
  put(text);
  const { records, problem } = readTrust(host());
  expect([...records]).toEqual([]);
  expect(problem).toMatch(/trust\.json: .*; no folder is trusted$/);
  await expect(keep('/srv', yes)).rejects.toMatchObject({ code: 'config.value' });
  expect(readFileSync(path(), 'utf8')).toBe(text);
});

const sound = `{"version":1,"folders":{"/srv":${JSON.stringify(yes)}}}`;

test('a file that others may write to trusts nothing', () => {
  put(sound, 0o622);
  expect(readTrust(host()).problem).toContain('others may write to it');
});

test('nor does a link, a folder or a pipe in its place; none is waited for', () => {
  mkdirSync(dirname(path()), { recursive: true });
  writeFileSync(join(home, 'other.json'), sound, { mode: 0o600 });
  symlinkSync(join(home, 'other.json'), path());
  expect(readTrust(host()).records.size).toBe(0);
  rmSync(path());
  mkdirSync(path());
  expect(readTrust(host()).problem).toContain('no folder is trusted');
  rmSync(path(), { recursive: true });
  execFileSync('sh', ['-c', 'mkfifo -m 600 "$0"', path()]);
  expect(readTrust(host()).problem).toContain('no folder is trusted');
});
