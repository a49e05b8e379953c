/** The prompts of earlier runs: trimmed, without repeats, and nothing lost when several programs write. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Host } from '../../lib/base/host.js';
import { openPromptHistory } from '../../lib/modes/prompt-history.js';
import { FakeClock } from '../support/fake-clock.js';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'buddy-history-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const clock = new FakeClock();
const host = () => ({ env: {}, homeDir: home, clock }) as unknown as Host;
const open = (kept = 5) => openPromptHistory(host(), true, kept);
const file = (name = 'prompts.jsonl') => join(home, '.local/state/buddy', name);

test('comes back in the next run, in the order it was written, private', () => {
  const history = open();
  for (const text of ['a', 'b\nc', 'é "q"']) history.add(text);
  expect(open().earlier).toEqual(['a', 'b\nc', 'é "q"']);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('what says the same as the last one is not kept, also across runs', () => {
  const history = open();
  for (const text of ['a', 'a', 'b', 'a']) history.add(text);
  open().add('a');
  expect(open().earlier).toEqual(['a', 'b', 'a']);
});

test('only the newest are kept, and the files do not grow', () => {
  for (let at = 0; at < 40; at++) open().add(`prompt ${at}`);
  expect(open().earlier).toEqual([35, 36, 37, 38, 39].map((at) => `prompt ${at}`));
  const lines = [file(), file('prompts.1.jsonl')].map((path) => readFileSync(path, 'utf8').trim().split('\n').length);
  expect(Math.max(...lines)).toBeLessThanOrEqual(6);
});

test('a broken line, or a file that is none, loses nothing else', () => {
  open().add('a');
  writeFileSync(file(), `${readFileSync(file(), 'utf8')}{"half": \n42\n"b"\n"no end`);
  expect(open().earlier).toEqual(['a', 'b']);
  rmSync(file());
  mkdirSync(file());
  const history = open();
  expect(history.earlier).toEqual([]);
  expect(() => history.add('x')).not.toThrow();
});

test('a lock that a crash left behind is in the way once only', () => {
  for (let at = 0; at < 6; at++) open(100).add(`${at}`);
  writeFileSync(`${file()}.lock`, String(clock.now() - 3_600_000));
  open();
  expect(existsSync(file('prompts.1.jsonl'))).toBe(false);
  open();
  expect(existsSync(file('prompts.1.jsonl'))).toBe(true);
  expect(open().earlier).toEqual(['1', '2', '3', '4', '5']);
});

test('nothing is written when nothing is to be kept', () => {
  openPromptHistory(host(), false, 5).add('x');
  openPromptHistory(host(), true, 0).add('x');
  expect(existsSync(file())).toBe(false);
});

test('programs that write and shorten at the same time lose no prompt among the newest', async () => {
  const built = resolve('dist/lib/modes/prompt-history.js');
  const program = `
    const { openPromptHistory } = await import(${JSON.stringify(built)});
    const host = { env: {}, homeDir: ${JSON.stringify(home)}, clock: { now: () => Date.now() } };
    for (let at = 0; at < 60; at++) openPromptHistory(host, true, 200).add(process.argv[1] + ' ' + at);
  `;
  const writers = ['a', 'b', 'c', 'd'];
  await Promise.all(writers.map((name) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, name])));
  const { earlier } = open(240);
  const expected = writers.flatMap((name) => Array.from({ length: 60 }, (_, at) => `${name} ${at}`));
  expect([...earlier].sort()).toEqual(expected.sort());
}, 60_000);
