/** What in a text is a mention, and how one is written. */

import { mentionOf, mentionsIn } from '../../lib/protocol/mentions.js';

test.each<readonly [string, readonly (readonly string[])[]]>([
  ['see @notes.md', [['notes.md']]],
  ['@pane', [['pane']]],
  [
    'explain @src/a.ts, then (@b.ts).',
    [
      ['src/a.ts,', 'src/a.ts'],
      ['b.ts).', 'b.ts'],
    ],
  ],
  ['is it @"my notes/a b.txt"?', [['my notes/a b.txt']]],
  ['first\n@second', [['second']]],
  ['curl -d=@body.json "@quoted"', [['body.json'], ['quoted']]],
  ['@a @a @b', [['a'], ['b']]],
  ['@db:postgres://x/y', [['db:postgres://x/y']]],
  ['mail me@host.example, \\@escaped, a@b', []],
  ['an @ alone, @"" and @"open', []],
  ['', []],
])('%j', (text, words) => {
  expect(mentionsIn(text).map((mention) => mention.words)).toEqual(words);
});

test('what is longer than any path is none', () => {
  expect(mentionsIn(`@${'.'.repeat(4095)}a @${'.'.repeat(4096)}a @"${'b '.repeat(2050)}" @c`).map(({ words }) => words[0]?.length)).toEqual(
    [4096, 1],
  );
});

test('no more than 32, and nothing behind 100 000 characters', () => {
  expect(mentionsIn(Array.from({ length: 50 }, (_, at) => `@f${at}`).join(' '))).toHaveLength(32);
  expect(mentionsIn(`${'x '.repeat(50_000)}@late`)).toEqual([]);
});

test.each([
  ['notes.md', '@notes.md'],
  ['a b.txt', '@"a b.txt"'],
  ['ends.', '@"ends."'],
  ['a@b', '@"a@b"'],
  ['a"b', null],
])('%s is written %s, and read again', (word, written) => {
  expect(mentionOf(word)).toBe(written);
  if (written !== null) expect(mentionsIn(`see ${written} now`)[0]?.words[0]).toBe(word);
});
