/** Extensions in a folder of the person's own: what is there, and what only looks as if it were. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extensionsIn, projectExtensions } from '../../lib/extensions/user/discovery.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'buddy-discovery-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('modules and folders with one are found; what was meant as one is told', async () => {
  for (const name of ['a.ts', 'b.mjs', 'c.d.ts', 'd.cjs', 'README.md', '.hidden.ts']) writeFileSync(join(folder, name), '');
  for (const name of ['e', 'f', 'parts', 'node_modules']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'e', 'index.ts'), '');
  writeFileSync(join(folder, 'f', 'package.json'), '{"main":"x.js"}');
  symlinkSync(join(folder, 'nowhere.ts'), join(folder, 'g.ts'));
  const { found, faults } = await extensionsIn(folder);
  expect(found.map(({ label }) => label)).toEqual(['a', 'b', 'e']);
  expect(faults).toEqual([
    `${folder}/d.cjs is not loaded: an extension is a .js, .mjs, .ts or .mts file that can be read`,
    `${folder}/f is not loaded: it has no index, and its package.json names none`,
    `${folder}/g.ts is not loaded: an extension is a .js, .mjs, .ts or .mts file that can be read`,
  ]);
});

test('a folder that cannot be looked into is told of, one that is not there is none', async () => {
  writeFileSync(join(folder, 'extensions'), '');
  expect((await extensionsIn(join(folder, 'extensions'))).faults).toEqual([
    expect.stringContaining(`no extension of ${folder}/extensions is loaded: `),
  ]);
  expect(await extensionsIn(join(folder, 'nothing'))).toEqual({ found: [], faults: [] });
});

test('a copy of a project that is used again is not old, one that nobody used for a month is dropped', async () => {
  const file = (source: string) =>
    ({
      name: '.buddy/extensions/a/index.ts',
      holds: 'extension',
      path: '/repo/.buddy/extensions/a/index.ts',
      source,
      refusal: null,
    }) as const;
  const day = 24 * 3600;
  const used = (source: string, atDay: number) => projectExtensions([file(source)], folder, atDay * day * 1000);
  await used('one', 100);
  const [first = ''] = readdirSync(folder);
  utimesSync(join(folder, first), 0, 0);
  await used('one', 130);
  await used('two', 140);
  expect(readdirSync(folder)).toHaveLength(2);
  await used('two', 165);
  expect(readdirSync(folder)).not.toContain(first);
});
