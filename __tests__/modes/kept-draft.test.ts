/** The text that was not sent: back in the next run, also of a program that was killed, and in one program only. */

import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../lib/base/host.js';
import { openKeptDraft } from '../../lib/modes/kept-draft.js';
import { FakeClock } from '../support/fake-clock.js';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-drafts-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const clock = new FakeClock();
/** No process has such a number: the largest there can be is 4 194 304 (proc(5), pid_max). */
const GONE = 4_194_305;
const open = (pid: number, persist = true) =>
  openKeptDraft({ env: {}, homeDir: home, clock, pid } as unknown as Host, persist, (text) => text.replaceAll('hunter22', '[redacted]'));
const folder = () => join(home, '.local/state/buddy');
const files = () => (existsSync(folder()) ? readdirSync(folder()) : []);

test('what a program left that is gone is the next one’s, whole and private', () => {
  open(GONE).keep('why is\nthe disk „full“?');
  expect(statSync(join(folder(), files()[0] ?? '')).mode & 0o777).toBe(0o600);
  expect(open(process.pid).earlier).toBe('why is\nthe disk „full“?');
  expect(files()).toEqual([`draft-${process.pid}.json`]);
});

test('only one gets it, the newest first, and one that is held by a living program nobody', async () => {
  const [one, two, alive] = [open(GONE), open(GONE + 1), open(process.ppid)];
  one.keep('older');
  await clock.advance(1000);
  two.keep('newer');
  alive.keep('held');
  expect([open(process.pid).earlier, open(GONE + 2).earlier]).toEqual(['newer', 'older']);
});

test('what was sent or deleted is kept no longer, also when it came from an earlier run', () => {
  open(GONE).keep('a draft');
  const next = open(process.pid);
  next.keep('a draft and more');
  next.keep('  \n');
  expect(files()).toEqual([]);
});

test('nothing is read or kept when the history is not to be', () => {
  open(GONE).keep('a draft');
  const private_ = open(process.pid, false);
  expect(private_.earlier).toBe('');
  private_.keep('a secret');
  expect(files()).toEqual([`draft-${GONE}.json`]);
});

test('a broken file is no draft, and a disk that refuses it no fault', () => {
  open(GONE).keep('x');
  writeFileSync(join(folder(), `draft-${GONE}.json`), '{"text":');
  expect(open(process.pid).earlier).toBe('');
  rmSync(folder(), { recursive: true });
  writeFileSync(folder(), 'a file where the folder should be');
  expect(() => open(GONE).keep('y')).not.toThrow();
});

test('a secret in a draft is not kept', () => {
  open(GONE).keep('the key is hunter22');
  expect(open(process.pid).earlier).toBe('the key is [redacted]');
});
