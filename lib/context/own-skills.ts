/** Skills in folders of the person's own. Links are followed, and each folder is looked into once. */

import { basename, dirname, join, relative } from 'node:path';
import { BuddyError, messageOf } from '../base/errors.js';
import { readdirSync, realpathSync, statSync } from '../base/files.js';
import { type IgnoreRules, isIgnored, parseIgnore } from '../base/ignore-rules.js';
import { readOwnFile } from './own-file.js';
import type { SkillCandidate, SkillFiles } from './skill.js';

/** No skill, and no file of one, is larger (bytes). */
export const LARGEST_FILE = 256 * 1024;
/** So deep, and into so many folders, is looked. */
const DEEPEST = 8;
const MOST_FOLDERS = 1000;
const IGNORE_FILES = ['.gitignore', '.ignore', '.fdignore'];

/** What was found there, and sentences about what cannot be read. */
export interface FoundSkills {
  readonly candidates: readonly SkillCandidate[];
  readonly faults: readonly string[];
}

/**
 * `path`: a folder of skills, a skill's folder, or a markdown file. `mustBe`: that there is nothing is a fault. `seen`: folders that were looked
 * into already, by whatever links; this one's are added. Never throws.
 */
export function ownSkills(path: string, mustBe: boolean, seen = new Set<string>()): FoundSkills {
  const candidates: SkillCandidate[] = [];
  const faults: string[] = [];
  const take = (file: string, isAlone: boolean) => {
    try {
      const read = readOwnFile(file, LARGEST_FILE);
      if (read === null) return;
      if (read.size > LARGEST_FILE) faults.push(`${file}: it is larger than ${LARGEST_FILE / 1024} KiB; the skill is left out`);
      else candidates.push({ path: file, source: read.text, isAlone, files: isAlone ? noFiles : filesBeside(dirname(file)) });
    } catch (thrown) {
      faults.push(messageOf(thrown));
    }
  };
  const look = (folder: string, depth: number, above: readonly IgnoreRules[]): void => {
    const real = realOf(folder);
    if (real === null || seen.has(real) || seen.size >= MOST_FOLDERS || depth > DEEPEST) return;
    seen.add(real);
    const names = namesIn(folder);
    const within = relative(path, folder);
    if (names.includes('SKILL.md')) {
      take(join(folder, 'SKILL.md'), false);
      return;
    }
    const rules = [...above, rulesIn(folder, within === '' ? '' : `${within}/`, names)];
    for (const name of names) {
      const inside = join(folder, name);
      const isFolder = kindOf(inside) === 'folder';
      if (name === 'node_modules' || name.startsWith('.') || isIgnored(rules, relative(path, inside), isFolder)) continue;
      if (isFolder) look(inside, depth + 1, rules);
      else if (depth === 1 && name.endsWith('.md')) take(inside, true);
    }
  };
  const kind = kindOf(path);
  if (kind === 'file') take(path, basename(path) !== 'SKILL.md');
  else if (kind === 'folder') look(path, 1, []);
  else if (mustBe) faults.push(`${path}: there is no skill of that name`);
  return { candidates, faults };
}

const noFiles: SkillFiles = {
  read(name) {
    throw new BuddyError('tool.file', `the skill has no file ${name}`);
  },
};

/** Only what really lies in the folder, links followed. */
function filesBeside(folder: string): SkillFiles {
  return {
    read(name) {
      const path = realOf(join(folder, name));
      if (path === null) throw new BuddyError('tool.file', `the skill has no file ${name}`);
      const way = relative(realOf(folder) ?? folder, path);
      if (way.startsWith('..') || way === '')
        throw new BuddyError('tool.file', `${name} is not read: it lies outside of the skill's folder`);
      const read = readOwnFile(path, LARGEST_FILE);
      if (read === null || read.size > LARGEST_FILE) {
        throw new BuddyError('tool.file', `${name} is not read: it is larger than ${LARGEST_FILE / 1024} KiB`);
      }
      return read.text;
    },
  };
}

function rulesIn(folder: string, within: string, names: readonly string[]): IgnoreRules {
  const sources = IGNORE_FILES.filter((name) => names.includes(name)).map((name) => textOf(join(folder, name)));
  return { folder: within, below: '', rules: sources.flatMap((source) => parseIgnore(source)) };
}

function textOf(path: string): string {
  try {
    return readOwnFile(path, LARGEST_FILE)?.text ?? '';
  } catch {
    return '';
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function kindOf(path: string): 'file' | 'folder' | null {
  try {
    const is = statSync(path);
    return is.isDirectory() ? 'folder' : is.isFile() ? 'file' : null;
  } catch {
    return null;
  }
}
