/** What folders above the working one bring along, and what of skills is left out. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProjectFiles, hashOf } from '../../lib/config/project-files.js';

let root = '';
let folder = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'buddy-above-')));
  folder = join(root, 'repo', 'src', 'app');
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, text = 'words') => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};
const find = (folders: readonly string[] = [], uid: number | null = process.getuid?.() ?? null) =>
  findProjectFiles(folder, { uid, file: null, folders }).filter(({ path }) => path.startsWith(root));
const names = (...of: Parameters<typeof find>) => find(...of).map(({ name, refusal }) => (refusal === null ? name : `${name}: ${refusal}`));

test('instructions are found from the top down, one a folder, those above by their whole name', () => {
  put('AGENTS.md');
  put('repo/CLAUDE.md');
  put('repo/AGENT.md');
  put('repo/src/AGENT.md');
  put('repo/src/app/AGENTS.md');
  expect(names()).toEqual([
    join(root, 'AGENTS.md'),
    join(root, 'repo/CLAUDE.md'),
    `${join(root, 'repo/AGENT.md')}: there is CLAUDE.md beside it`,
    join(root, 'repo/src/AGENT.md'),
    'AGENTS.md',
  ]);
});

test('a change above is another hash', () => {
  put('AGENTS.md');
  const before = hashOf(find());
  put('AGENTS.md', 'other words');
  expect(hashOf(find())).not.toBe(before);
});

test('what others could have put above is named and not read', () => {
  put('repo/AGENTS.md');
  chmodSync(join(root, 'repo'), 0o777);
  expect(names()).toEqual([`${join(root, 'repo/AGENTS.md')}: ${join(root, 'repo')} can be written to by everybody`]);
  chmodSync(join(root, 'repo'), 0o755);
  expect(names([], 4242)).toEqual(
    process.getuid?.() === 0
      ? [join(root, 'repo/AGENTS.md')]
      : [`${join(root, 'repo/AGENTS.md')}: ${join(root, 'repo')} belongs to somebody else`],
  );
});

test('what is no plain file, or too large, is neither waited for nor read', () => {
  put('AGENTS.md', '');
  truncateSync(join(root, 'AGENTS.md'), 2 ** 31);
  execFileSync('mkfifo', [join(root, 'repo', 'AGENTS.md')]);
  mkdirSync(join(root, 'repo', 'src', 'AGENTS.md'));
  writeFileSync(join(folder, 'AGENTS.md'), Buffer.from([0xff, 0x00]));
  expect(find().map(({ refusal }) => refusal)).toEqual(['it is larger than 256 KiB', 'it is a pipe', 'it is a folder', 'it is not UTF-8']);
});

test('one name that leads to the other leaves that one to be read', () => {
  put('repo/src/app/CLAUDE.md');
  symlinkSync('CLAUDE.md', join(folder, 'AGENTS.md'));
  expect(names()).toEqual(['AGENTS.md: it is a symbolic link', 'CLAUDE.md']);
});

test('a link above is not followed', () => {
  put('secret', 'secret');
  symlinkSync(join(root, 'secret'), join(root, 'repo', 'AGENTS.md'));
  expect(find()).toMatchObject([{ source: null, refusal: 'it is a symbolic link' }]);
});

test('skills come from above as far as the repository goes; settings and prompts never', () => {
  put('.agents/skills/outer/SKILL.md');
  put('repo/.git/HEAD');
  put('repo/.agents/skills/inner/SKILL.md');
  put('repo/.buddy/prompts/x.md');
  put('repo/.buddy/SYSTEM.md');
  put('repo/buddy.toml', '');
  expect(names()).toEqual([join(root, 'repo/.agents/skills/inner/SKILL.md')]);
});

test("the person's own folders are nothing that a folder brings along", () => {
  put('repo/.git/HEAD');
  put('repo/.agents/skills/mine/SKILL.md');
  put('repo/.config/buddy/AGENTS.md');
  folder = join(root, 'repo', '.config', 'buddy', 'skills');
  mkdirSync(folder);
  expect(names([join(root, 'repo/.config/buddy'), join(root, 'repo/.agents/skills')])).toEqual([]);
});

test('of a skill node_modules and what its lists leave out are not there', () => {
  put('repo/src/app/.agents/skills/.gitignore', 'build/\n*.log\n');
  put('repo/src/app/.agents/skills/one/SKILL.md');
  put('repo/src/app/.agents/skills/one/build/out.txt');
  put('repo/src/app/.agents/skills/one/run.log');
  put('repo/src/app/.agents/skills/one/node_modules/x/SKILL.md');
  put('repo/src/app/.agents/skills/two/.ignore', '/draft\n');
  put('repo/src/app/.agents/skills/two/draft/SKILL.md');
  put('repo/src/app/.agents/skills/two/kept/SKILL.md');
  expect(names()).toEqual(['.gitignore', 'one/SKILL.md', 'two/.ignore', 'two/kept/SKILL.md'].map((name) => `.agents/skills/${name}`));
});
