/** Skills that a trusted folder brings along: made of what was read before the person was asked, and never read again. */

import { dirname, join, normalize, relative } from 'node:path';
import { BuddyError } from '../base/errors.js';
import type { ProjectFile } from '../config/project-files.js';
import type { SkillCandidate, SkillFiles } from './skill.js';

/** The nearest folder first. What was not read is no candidate: why is told with the folder. */
export function projectSkills(found: readonly ProjectFile[]): readonly SkillCandidate[] {
  const files = found.filter(({ holds, top }) => holds === 'skill' && top !== undefined);
  const tops = [...new Set(files.map(({ top = '' }) => top))].sort((one, other) => other.length - one.length);
  return tops.flatMap((top) =>
    skillsBelow(
      top,
      files.filter((file) => file.top === top),
    ),
  );
}

function skillsBelow(top: string, files: readonly ProjectFile[]): readonly SkillCandidate[] {
  const own = files.filter(({ path }) => path.endsWith('/SKILL.md') && dirname(path) !== top).map(({ path }) => dirname(path));
  // Below a skill there is no other.
  const folders = own.filter((folder) => !own.some((other) => other !== folder && folder.startsWith(`${other}/`)));
  return files.flatMap((file): readonly SkillCandidate[] => {
    const { path, source } = file;
    if (source === null) return [];
    if (dirname(path) === top && path.endsWith('.md')) return [{ path, source, isAlone: true, files: beside(path, [file]) }];
    if (!path.endsWith('/SKILL.md') || !folders.includes(dirname(path))) return [];
    return [{ path, source, isAlone: false, files: beside(path, files) }];
  });
}

function beside(skill: string, files: readonly ProjectFile[]): SkillFiles {
  const folder = dirname(skill);
  return {
    read(name) {
      const path = normalize(join(folder, name));
      const file = relative(folder, path).startsWith('..') ? undefined : files.find((of) => of.path === path);
      if (file === undefined) throw new BuddyError('tool.file', `the skill has no file ${name}`);
      if (file.source === null) throw new BuddyError('tool.file', `${name} is not read: ${file.refusal}`);
      return file.source;
    },
  };
}
