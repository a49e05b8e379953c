/** A plain command is read by every shell as the words that we read: asked of the real shells. */

import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { plainWords } from '../../lib/policy/plain-command.js';

const piece = fc.constantFrom(
  ...['a', 'B7', '-x', '--y=z', '/srv/a', 'ö', '日本', '%1', '@x', '+', ':', ',', '.', '=', ' ', '  '],
  ...["'a  b'", '"a b"', "'$x'", "''", '""', `'"'`, `"'"`, "'*'", '"?"', '"#"', "'~'", '"{a,b}"', "'\\'", '"!"', "'"],
  ...['*', '?', '~', '$x', '`', ';', '&', '|', '<', '>', '(', ')', '#', '{', '}', '^', '!', '\\', '[a]'],
);
const texts = fc
  .sample(fc.array(piece, { minLength: 1, maxLength: 7 }), { numRuns: 4000, seed: 2026 })
  .map((parts) => `args ${parts.join('')}`);
const plain = texts.flatMap((text) => {
  const words = plainWords(text);
  return words === null ? [] : [{ text, words: words.slice(1) }];
});

const posix = 'args() { for word in "$@"; do printf "<%s>" "$word"; done; echo; }';
const shells = [
  { shell: 'bash', plainly: ['--norc'], args: posix },
  { shell: 'dash', plainly: [], args: posix },
  { shell: 'zsh', plainly: ['-f'], args: posix },
  { shell: 'fish', plainly: ['--no-config'], args: 'function args; for word in $argv; printf "<%s>" "$word"; end; echo; end' },
] as const;

test.each(shells)('$shell', ({ shell, plainly, args }) => {
  expect(plain.length).toBeGreaterThan(200);
  const script = [args, ...plain.map(({ text }) => text)].join('\n');
  const { stdout } = spawnSync(shell, [...plainly, '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: '/nonexistent' },
  });
  expect(stdout.trimEnd().split('\n')).toEqual(plain.map(({ words }) => words.map((word) => `<${word}>`).join('')));
});
