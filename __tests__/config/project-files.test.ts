/** What a folder can bring along: found without following anything out of it, and never more than can be shown. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProjectFiles, hashOf } from '../../lib/config/project-files.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'buddy-files-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, text = name): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
const found = () => findProjectFiles(folder, { uid: null, file: null, folders: [] });
const names = () => found().map(({ name, holds, source, refusal }) => `${holds} ${name}: ${source === null ? refusal : 'read'}`);

test('every kind is found, in the order in which it is shown', () => {
  for (const name of ['buddy.toml', 'AGENTS.md', 'CLAUDE.md', '.buddy/SYSTEM.md', '.buddy/skills/disk/SKILL.md', '.agents/skills/a.md'])
    put(name);
  for (const name of ['.buddy/prompts/fix.md', '.buddy/extensions/b/index.ts', '.buddy/extensions/a.js', '.mcp.json', 'mcp.json', '.env'])
    put(name);
  expect(names()).toEqual([
    'extension .buddy/extensions/a.js: read',
    'extension .buddy/extensions/b/index.ts: read',
    'mcp .mcp.json: read',
    'mcp mcp.json: there is .mcp.json beside it',
    'prompt .buddy/SYSTEM.md: read',
    'context AGENTS.md: read',
    'context CLAUDE.md: there is AGENTS.md beside it',
    'skill .buddy/skills/disk/SKILL.md: read',
    'skill .agents/skills/a.md: read',
    'template .buddy/prompts/fix.md: read',
    'settings buddy.toml: read',
  ]);
});

test('links lead nowhere, pipes are not opened, and what is no text is told', () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'buddy-files-'));
  writeFileSync(join(elsewhere, 'evil.js'), 'evil');
  writeFileSync(join(elsewhere, 'SYSTEM.md'), 'evil');
  symlinkSync(join(elsewhere, 'evil.js'), join(folder, 'AGENTS.md'));
  symlinkSync(elsewhere, join(folder, '.buddy'));
  mkdirSync(join(folder, '.agents', 'skills'), { recursive: true });
  symlinkSync(elsewhere, join(folder, '.agents', 'skills', 'more'));
  execFileSync('mkfifo', [join(folder, '.agents', 'skills', 'pipe.md')]);
  writeFileSync(join(folder, '.mcp.json'), Buffer.from([0xff, 0xfe]));
  expect(names()).toEqual([
    'mcp .mcp.json: it is not UTF-8',
    'prompt .buddy/SYSTEM.md: the way to it is a symbolic link',
    'context AGENTS.md: it is a symbolic link',
    'skill .agents/skills/more: it is a symbolic link',
    'skill .agents/skills/pipe.md: it is a pipe',
  ]);
  rmSync(elsewhere, { recursive: true });
});

test('beyond 500 files nothing is read, and it is told', () => {
  for (let index = 0; index < 520; index++) put(`.buddy/extensions/${String(index).padStart(4, '0')}.js`);
  const all = found();
  expect(all.filter(({ source }) => source !== null)).toHaveLength(500);
  expect(all.at(-1)).toMatchObject({ name: '.buddy/extensions/…', source: null });
});

test('the hash is another one with another byte, another name, one file more', () => {
  put('.buddy/extensions/a.js', 'one');
  const first = hashOf(found());
  put('.buddy/extensions/a.js', 'two');
  const second = hashOf(found());
  put('.buddy/extensions/b.js', 'two');
  rmSync(join(folder, '.buddy/extensions/a.js'));
  const third = hashOf(found());
  expect(new Set([first, second, third]).size).toBe(3);
});

test('folders without end and rules that take for ever to compare are given up after a bounded look', () => {
  for (let at = 0; at < 5200; at++) mkdirSync(join(folder, '.buddy', 'skills', `empty-${at}`), { recursive: true });
  put('.buddy/skills/zzz/SKILL.md');
  put('.agents/skills/.gitignore', '*a?a*a?b\n'.repeat(7000));
  for (let at = 0; at < 100; at++) put(`.agents/skills/${'a'.repeat(200)}${at}.md`);
  const all = names();
  expect(all.filter((name) => name.includes('…'))).toEqual([
    'skill .buddy/skills/…: there are too many files; what comes after these is not read',
    'skill .agents/skills/…: there are too many files; what comes after these is not read',
  ]);
  expect(all.filter((name) => name.endsWith(': read')).length).toBeLessThan(20);
});
