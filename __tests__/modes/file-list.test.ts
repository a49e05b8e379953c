/** Files behind `@`: what .gitignore leaves out is told by git itself. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import { isIgnored, parseIgnore } from '../../lib/base/ignore-rules.js';
import { type FoundFiles, listFiles } from '../../lib/modes/file-list.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'buddy-files-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

async function found(folder = root): Promise<FoundFiles> {
  const told: FoundFiles[] = [];
  await listFiles(folder, systemClock, (files) => told.push(files), new AbortController().signal);
  return told[told.length - 1] ?? { paths: [], looking: true, more: false };
}

test.each([
  ['*.log', 'a/b.log', false, true],
  ['*.log', 'b.log.txt', false, false],
  ['/top', 'top', false, true],
  ['/top', 'a/top', false, false],
  ['a/b', 'a/b', false, true],
  ['a/b', 'x/a/b', false, false],
  ['build/', 'build', false, false],
  ['build/', 'x/build', true, true],
  ['**/x', 'a/b/x', false, true],
  ['a/**', 'a/b/c', false, true],
  ['a/**/c', 'a/c', false, true],
  ['a/**/c', 'a/b/b/c', false, true],
  ['a?c', 'abc', false, true],
  ['a?c', 'a/c', false, false],
  ['[ab].c', 'b.c', false, true],
  ['[!ab].c', 'b.c', false, false],
  ['[!ab].c', 'x.c', false, true],
  ['# note', '# note', false, false],
  ['\\#note', '#note', false, true],
  ['\\!note', '!note', false, true],
  ['trail   ', 'trail', false, true],
  ['a.b', 'axb', false, false],
  ['(x)+$', '(x)+$', false, true],
  ['**', 'a/b', true, true],
  ['a/**', 'a', true, false],
  ['x*y*z', 'x-yy-z', false, true],
  ['x*y*z', 'x-z-y', false, false],
  ['a**b', 'a-b', false, true],
  ['/**/b/c', 'b/b/c', false, true],
  ['/**/b/c', 'b/c/d', false, false],
  ['*.log\n!keep.log', 'keep.log', false, false],
])('%j and %s', (rules, path, isFolder, expected) => {
  expect(isIgnored([{ folder: '', below: '', rules: parseIgnore(rules) }], path, isFolder)).toBe(expected);
});

test.each([
  [`${'*a'.repeat(60)}b`, 'a'.repeat(250)],
  [`${'**/a/'.repeat(60)}b`, `${'a/'.repeat(400)}a`],
  [`[${'a'.repeat(200)}`, 'a'.repeat(250)],
  [`${' '.repeat(250_000)}x`, 'y'],
])('a rule that was written to be slow is not', (rule, path) => {
  const startMs = performance.now();
  expect(isIgnored([{ folder: '', below: '', rules: parseIgnore(rule) }], path, false)).toBe(false);
  expect(performance.now() - startMs).toBeLessThan(1000);
});

test('the same files as git lists, in a tree with rules at several levels', async () => {
  write({
    '.gitignore': '*.log\n/build/\nnode_modules\n!important.log\ndocs/*.tmp\n',
    'a.txt': '',
    'b.log': '',
    'important.log': '',
    'build/out.js': '',
    'src/build/kept.js': '',
    'src/.gitignore': '/gen\n!b.log\n',
    'src/gen/x.ts': '',
    'src/lib/gen/y.ts': '',
    'src/b.log': '',
    'docs/a.tmp': '',
    'docs/deep/a.tmp': '',
    'node_modules/p/index.js': '',
    'naïve dir/ü.txt': '',
    '.hidden/x': '',
  });
  execFileSync('git', ['init', '-q', root]);
  writeFileSync(join(root, '.git', 'info', 'exclude'), 'a.txt\n');
  const listed = execFileSync('git', ['-C', root, 'ls-files', '-co', '-z', '--exclude-standard'], { encoding: 'utf8' });
  const files = (await found()).paths.filter((path) => !path.endsWith('/'));
  expect([...files].sort()).toEqual(
    listed
      .split('\0')
      .filter((path) => path !== '')
      .sort(),
  );
});

test('the rules of the folders above count, and paths are relative to where one is', async () => {
  write({ '.gitignore': '*.log\n/src/gen\n', 'src/a.log': '', 'src/a.ts': '', 'src/gen/b.ts': '' });
  execFileSync('git', ['init', '-q', root]);
  expect((await found(join(root, 'src'))).paths).toEqual(['a.ts']);
});

test('the nearest come first; links are listed and not followed, so that a circle ends', async () => {
  write({ 'z.txt': '', 'a/b/c.txt': '' });
  symlinkSync(root, join(root, 'a', 'circle'));
  const { paths, looking, more } = await found();
  expect(paths).toEqual(['a/', 'z.txt', 'a/b/', 'a/circle', 'a/b/c.txt']);
  expect([looking, more]).toEqual([false, false]);
});

test('rules behind a link are not read, and a pipe is not waited for', async () => {
  write({ 'b.log': '', 'deep/a.txt': '' });
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  writeFileSync(join(outside, 'rules'), '*.log\n');
  symlinkSync(join(outside, 'rules'), join(root, '.gitignore'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'deep', '.gitignore')]);
  expect((await found()).paths).toEqual(['.gitignore', 'b.log', 'deep/', 'deep/.gitignore', 'deep/a.txt']);
  rmSync(outside, { recursive: true });
});

test('a folder that is not there has no files, and an abort is silent', async () => {
  expect((await found(join(root, 'none'))).paths).toEqual([]);
  const told: FoundFiles[] = [];
  await listFiles(root, systemClock, (files) => told.push(files), AbortSignal.abort());
  expect(told).toEqual([]);
});

test('a slow disk is not walked to its end', async () => {
  write({ 'a/b/c/d.txt': '' });
  let now = 0;
  const clock = { ...systemClock, monotonic: () => (now += 1000) };
  const told: FoundFiles[] = [];
  await listFiles(root, clock, (files) => told.push(files), new AbortController().signal);
  expect(told[told.length - 1]).toMatchObject({ looking: false, more: true });
});
