/** The head of a markdown file: what it says, and one sentence for whatever is wrong with it. */

import { parseFrontmatter } from '../../lib/context/frontmatter.js';

const file = (head: string, body = 'Do it.\n') => `---\n${head}\n---\n${body}`;
const values = async (source: string) => {
  const { entries } = await parseFrontmatter(source);
  return entries === null ? null : Object.fromEntries([...entries].map(([key, { value, line }]) => [key, [value, line]]));
};

test('keys with their values and lines, and what follows', async () => {
  const source = file('# of mine\nname: one\ndescription: >\n  two\n  lines\nmetadata:\n  a: "1"', '\n\nDo it.\n');
  expect(await values(source)).toEqual({ name: ['one', 3], description: ['two lines\n', 4], metadata: [new Map([['a', '1']]), 7] });
  expect((await parseFrontmatter(source)).body).toBe('Do it.\n');
});

test('a byte order mark and line ends of Windows change nothing', async () => {
  expect(await values(`\ufeff${file('name: one\ndescription: two').replaceAll('\n', '\r\n')}`)).toEqual({
    name: ['one', 2],
    description: ['two', 3],
  });
});

test('without a head all of it is the body', async () => {
  expect(await parseFrontmatter('# Title\n---\nx: y\n---\n')).toEqual({ entries: null, body: '# Title\n---\nx: y\n---\n', fault: null });
});

test.each([
  ['no end', '---\nname: one\n', 1, /has no end/],
  [
    'a colon in the text',
    file('name: one\ndescription: Use it: always'),
    3,
    /not YAML that can be read: a text with a colon and a blank in it must stand in quotes/,
  ],
  ['the same key twice', file('name: one\nname: two'), 3, /unique/],
  ['a list', file('- one'), 2, /keys with values/],
  ['a key that is no word', file('? [a]\n: b'), 2, /must be words/],
  ['aliases that multiply', file(bomb()), 2, /too entangled/],
  ['an alias of nothing', file('name: *none'), 2, /./],
  ['nesting without end', file(`a: ${'['.repeat(15_000)}`), 2, /./],
  ['more than a head can be', file(`a: ${'x'.repeat(20_000)}`), 1, /larger than 16 KiB/],
  ['a tab', file('a:\n\t- b'), 3, /./],
  ['a tag of a program', file('a: !!js/function "x"'), 2, /./],
] as const)('%s: one sentence with its line', async (_, source, line, says) => {
  const { entries, fault } = await parseFrontmatter(source);
  expect([entries, fault]).toEqual([null, { line, says: expect.stringMatching(says) }]);
});

test('a merge key and a prototype are keys as any other', async () => {
  expect(await values(file('__proto__: x\nconstructor: y'))).toEqual({ ['__proto__']: ['x', 2], constructor: ['y', 3] });
  expect(({} as Readonly<Record<string, unknown>>)['x']).toBeUndefined();
});

function bomb(): string {
  const rows = Array.from({ length: 9 }, (_, at) => `k${at + 1}: &k${at + 1} [${Array.from({ length: 9 }, () => `*k${at}`).join(', ')}]`);
  return ['k0: &k0 ["x"]', ...rows].join('\n');
}
