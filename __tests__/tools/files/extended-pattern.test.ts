/** Patterns in the words of grep -E: what they match is what ripgrep's dialect says, tried on grep itself. */

import { spawnSync } from 'node:child_process';
import { extendedPattern } from '../../../lib/tools/files/extended-pattern.js';

const matches = (pattern: string, line: string) => {
  const written = extendedPattern(pattern);
  const args = ['-c', '-a', '-E', ...(written.ignoreCase ? ['-i'] : []), '-e', written.pattern];
  const run = spawnSync('grep', args, { input: `${line}\n`, encoding: 'utf8', env: { LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] } });
  expect(run.stderr).toBe('');
  return run.status === 0;
};

test.each([
  [String.raw`^\d{2,3}$`, '123', '1234'],
  [String.raw`\w+\s*=\s*\S`, 'a_b =\tc', '= c'],
  [String.raw`\bfoo\b`, 'a foo b', 'afoob'],
  [String.raw`[\d.]+\.rs`, '1.2.rs', 'a.rx'],
  [String.raw`[\w\-.]+@x`, '-a@x', '@y'],
  ['[]a]', ']', 'b'],
  ['[^]a]', 'b', ']a'],
  [String.raw`[\]\[]`, '[', '\\'],
  [String.raw`[\\]`, '\\', ']'],
  [String.raw`[\^]`, '^', 'a'],
  [String.raw`[\^-]`, '-', 'a'],
  ['[a^]', '^', 'b'],
  ['[^^]', 'a', '^^'],
  ['[a-]', '-', 'b'],
  ['[a-c-]', '-', 'd'],
  ['[[:alpha:]_]', '_', '1'],
  ['(?:ab)+?c', 'ababc', 'abab'],
  ['(?P<name>x)y', 'xy', 'x'],
  ['a{1', 'a{1', 'a1'],
  ['{}', '{}', '{'],
  ['fn \\w+\\(\\)', 'fn main()', 'fn main('],
  ['a|b', 'b', 'c'],
  ['^a.c$', 'aéc', 'ac'],
  [String.raw`\/\-\"\#`, '/-"#', '/-"'],
  [String.raw`\x41\u0042\x{43}`, 'ABC', 'ABD'],
  [String.raw`\tx`, '\tx', ' x'],
  [String.raw`\.\*\+\?\$\^\|\(\)\[\]\{\}\\`, '.*+?$^|()[]{}\\', '.*'],
  ['(?i)abc', 'xABCx', 'ab'],
  [String.raw`\D\W\S`, 'a-b', '1-b'],
  [String.raw`\Aab\z`, 'ab', 'abc'],
  ['a{2,}', 'aa', 'a'],
])('%s', (pattern, yes, no) => {
  expect([matches(pattern, yes), matches(pattern, no)]).toEqual([true, false]);
});

test.each([
  '(?=a)',
  '(?<!a)b',
  String.raw`(a)\1`,
  String.raw`\p{L}`,
  String.raw`[\D]`,
  '[a&&b]',
  String.raw`\n`,
  String.raw`\K`,
  'a\\',
  '[a',
  '(?x)a',
])('%s is refused in a sentence', (pattern) => {
  expect(() => extendedPattern(pattern)).toThrow(/^"pattern" /);
});
