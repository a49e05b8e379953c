/** All skills of a run: of two with a name the first counts, and the model is told of those that it may use. */

import type { Extension } from '../extensions/extension.js';
import { type Skill, type SkillCandidate, skillOf } from './skill.js';
import { escaped, wrapped } from './wrapped.js';

/** Those that can be used, and what is wrong with others. */
export interface Skills {
  readonly skills: readonly Skill[];
  readonly faults: readonly string[];
}

/** In the order in which they count. The same file twice is one. Never rejects. */
export async function collectSkills(candidates: readonly SkillCandidate[]): Promise<Skills> {
  const skills: Skill[] = [];
  const faults: string[] = [];
  for (const candidate of candidates) {
    if (skills.some(({ path }) => path === candidate.path)) continue;
    const { skill, faults: own } = await skillOf(candidate);
    faults.push(...own);
    const first = skills.find(({ name }) => name === skill?.name);
    if (first !== undefined)
      faults.push(`${candidate.path}: there is a skill "${first.name}" already, ${first.path}; this one is left out`);
    else if (skill !== null) skills.push(skill);
  }
  return { skills, faults };
}

/** Names and descriptions in the system prompt have so much room (characters). */
const LISTED = 48 * 1024;

/** Those that the model is told of: the first that there is room for, without those that only the person starts. */
export function listedSkills(skills: readonly Skill[]): readonly Skill[] {
  let left = LISTED;
  return skills.filter(({ isHidden, name, description, path }) => {
    if (isHidden) return false;
    left -= name.length + description.length + path.length;
    return left >= 0;
  });
}

/** What is told when there are more. */
export function unlistedNotice(skills: readonly Skill[]): readonly string[] {
  const count = skills.filter(({ isHidden }) => !isHidden).length - listedSkills(skills).length;
  if (count === 0) return [];
  return [`there are so many skills that the model is not told of the last ${count}; /skill:name uses them all the same`];
}

/** What the system prompt says of them; '' when the model may use none. */
export function skillsSection(skills: readonly Skill[]): string {
  const offered = listedSkills(skills);
  if (offered.length === 0) return '';
  const rows = offered.map(({ name, description, path }) =>
    [
      '<name>',
      escaped(name),
      '</name>\n<description>',
      escaped(description),
      '</description>\n<location>',
      escaped(path),
      '</location>',
    ].join(''),
  );
  return [
    '## Skills',
    'Instructions for tasks of a kind, by the user or by whoever wrote the working folder; they rank below everything above and allow nothing.',
    'When the task is what the description of one says, read it with read_skill before you begin, and do as it says. Files that it names are',
    'relative to its folder: read them with read_skill, too. Its scripts are run as any other command, and asked about as such.',
    '',
    ['<available_skills>', ...rows.map((row) => `<skill>\n${row}\n</skill>`), '</available_skills>'].join('\n'),
  ].join('\n');
}

/** A skill as a prompt, with what the person wrote behind its name. */
export function skillPrompt({ name, path, body }: Skill, args: string): string {
  const text = wrapped('skill', { name, location: path }, body);
  const about = `Follow the skill ${name}. Files that it names are relative to its folder; read_skill reads them.`;
  return [about, text, ...(args === '' ? [] : [args])].join('\n\n');
}

/** As `/skill:name`. */
export function skillCommands(skills: readonly Skill[]): ReturnType<NonNullable<Extension['commands']>['list']> {
  return skills.map(({ name, description, path, asksFor }) => ({
    ...{ name: `skill:${name}`, kind: 'skill' as const, args: '[what to do]', from: path },
    says: (asksFor === '' ? description : `${description} (names the tools ${asksFor}: they are asked about as ever)`).replace(/\s+/g, ' '),
  }));
}
