/** Glob patterns. */

import { globMatcher } from '../../lib/base/ignore-rules.js';

test.each([
  ['*.ts', ['a.ts', 'src/b.ts'], ['a.tsx', 'a.ts/b']],
  ['*.{ts,tsx}', ['a.tsx', 'src/b.ts'], ['a.js']],
  ['src/**/*.ts', ['src/a.ts', 'src/x/y/a.ts'], ['a.ts', 'lib/src/a.ts']],
  ['{src,lib/{a,b}}/*.c', ['src/x.c', 'lib/b/x.c'], ['lib/x.c']],
  ['**/deep/**', ['deep/a', 'x/deep/a/b'], ['deep']],
  ['./src/*', ['src/a'], ['src/a/b']],
  ['!*.md', ['a.ts'], ['a.md', 'x/b.md']],
  ['[ab]?', ['a1', 'bż'], ['c1', 'a']],
  ['#x', ['#x'], ['x']],
  ['{a', ['{a'], ['a']],
])('%s', (pattern, yes, no) => {
  const matcher = globMatcher(pattern);
  expect([yes.map((path) => matcher?.(path, false)), no.map((path) => matcher?.(path, false))]).toEqual([
    yes.map(() => true),
    no.map(() => false),
  ]);
});

test('what is none, or stands for too much', () => {
  expect(globMatcher('')).toBeNull();
  expect(globMatcher('{a,b}'.repeat(10))).toBeNull();
  // To take it apart would hold up the screen.
  expect(globMatcher(`{${'a'.repeat(100)},${'b'.repeat(4000)}}`)).toBeNull();
});

test('no pattern takes long', () => {
  const started = performance.now();
  const matcher = globMatcher(`${'*a'.repeat(60)}b`);
  for (let at = 0; at < 100; at++) matcher?.('a'.repeat(250), false);
  expect(performance.now() - started).toBeLessThan(3000);
});
