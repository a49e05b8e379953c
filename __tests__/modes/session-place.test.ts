/** The key that tells a person's sessions from planted ones: made once, private, the same for all programs. */

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Host } from '../../lib/base/host.js';
import { openSessionPlace } from '../../lib/modes/session-place.js';
import { FakeClock } from '../support/fake-clock.js';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-key-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const clock = new FakeClock();
const path = () => join(home, '.local/state/buddy/session-key');
const open = () =>
  openSessionPlace({ env: {}, homeDir: home, cwd: '/srv', clock, pid: 2, hostname: 'h' } as unknown as Host, (text) => text);

test('it is made once, for its owner only, and is the same the next time', () => {
  const first = open();
  expect(first.problem).toBeNull();
  expect(first.place.key).toHaveLength(32);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(open().place.key).toEqual(first.place.key);
  expect(readFileSync(path(), 'utf8').trim()).toBe(Buffer.from(first.place.key).toString('hex'));
});

test('one that others may read is for its owner only from then on', () => {
  open();
  chmodSync(path(), 0o644);
  open();
  expect(statSync(path()).mode & 0o777).toBe(0o600);
});

test('a file that holds no key is told of and left alone; the run has a key of its own', () => {
  mkdirSync(join(home, '.local/state/buddy'), { recursive: true });
  writeFileSync(path(), 'no key');
  const { place, problem } = open();
  expect(problem).toBe(`${path()} cannot be used (it holds no key): earlier sessions cannot be opened, nor this one later`);
  expect(place.key).toHaveLength(32);
  expect(readFileSync(path(), 'utf8')).toBe('no key');
});

test('where no key can be kept the program starts all the same', () => {
  writeFileSync(join(home, '.local'), '');
  expect(open().problem).toContain('cannot be used');
});

test('one that a full disk left empty is made again', () => {
  mkdirSync(dirname(path()), { recursive: true });
  writeFileSync(path(), '');
  const made = open();
  expect(made.problem).toBeNull();
  expect(open().place.key).toEqual(made.place.key);
  expect(readdirSync(dirname(path()))).toEqual(['session-key']);
});
