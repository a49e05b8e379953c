/** One skill, as agentskills.io/specification has it: a folder with a SKILL.md, or a markdown file of its own. */

import { basename, dirname } from 'node:path';
import { type Entry, parseFrontmatter } from './frontmatter.js';

/** As the specification has them, in characters. */
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;
const LONGEST_COMPATIBILITY = 500;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** What lies beside a skill, read when it is asked for. */
export interface SkillFiles {
  /** `name` is relative to the folder of the skill. Throws BuddyError `tool.file` for what is not there or lies elsewhere. */
  read(name: string): string;
}

/** A file that may be a skill. */
export interface SkillCandidate {
  /** Of its markdown file, absolute. */
  readonly path: string;
  readonly source: string;
  /** It is no SKILL.md in a folder of its own. */
  readonly isAlone: boolean;
  readonly files: SkillFiles;
}

/** One that can be used. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  /** What it says to do. */
  readonly body: string;
  /** Tools that it names, as it writes them. It gets none by that. */
  readonly asksFor: string;
  /** Only the person starts it. */
  readonly isHidden: boolean;
  readonly files: SkillFiles;
}

/** The skill, when it can be used, and a sentence for each fault, which begins with file and line. Never rejects. */
export async function skillOf(candidate: SkillCandidate): Promise<{ readonly skill: Skill | null; readonly faults: readonly string[] }> {
  const { path, source, isAlone, files } = candidate;
  const { entries, body, fault } = await parseFrontmatter(source);
  const faults: string[] = [];
  const tell = (line: number, says: string) => void faults.push(`${path}:${line}: ${says}`);
  const refuse = (line: number, says: string) => {
    tell(line, `${says}; the skill is left out`);
    return { skill: null, faults };
  };
  if (fault !== null) return refuse(fault.line, fault.says);
  // A README among skills is none.
  if (entries === null) return isAlone ? { skill: null, faults } : refuse(1, 'there is no frontmatter');
  const words = (key: string): { readonly text: string; readonly line: number } | null => {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    if (typeof entry.value === 'string') return { text: entry.value.trim(), line: entry.line };
    tell(entry.line, `${key} must be text`);
    return null;
  };
  const called = isAlone ? basename(path, '.md') : basename(dirname(path));
  const named = words('name');
  const name = named?.text ?? called;
  if (!NAME.test(name) || name.length > LONGEST_NAME)
    return refuse(named?.line ?? 1, `name must be at most ${LONGEST_NAME} of a-z, 0-9 and single hyphens between them`);
  if (named === null) tell(entries.get('name')?.line ?? 1, `name is missing; it is called ${called} as its ${isAlone ? 'file' : 'folder'}`);
  else if (name !== called) tell(named.line, `name is "${name}", but its ${isAlone ? 'file' : 'folder'} is called "${called}"`);
  const described = words('description');
  if (described === null || described.text === '') return refuse(described?.line ?? 1, 'description is missing');
  if (described.text.length > LONGEST_DESCRIPTION)
    tell(described.line, `description is longer than ${LONGEST_DESCRIPTION} characters; the rest is left out`);
  const fits = words('compatibility');
  if (fits !== null && fits.text.length > LONGEST_COMPATIBILITY)
    tell(fits.line, `compatibility is longer than ${LONGEST_COMPATIBILITY} characters`);
  words('license');
  const metadata = entries.get('metadata');
  if (metadata !== undefined && !(metadata.value instanceof Map)) tell(metadata.line, 'metadata must be keys with values');
  const hidden = entries.get('disable-model-invocation');
  if (hidden !== undefined && typeof hidden.value !== 'boolean') tell(hidden.line, 'disable-model-invocation must be true or false');
  return {
    skill: {
      ...{ name, path, body, files },
      description: whole(described.text, LONGEST_DESCRIPTION),
      asksFor: toolNames(entries.get('allowed-tools'), tell),
      isHidden: hidden !== undefined && hidden.value !== false,
    },
    faults,
  };
}

/** A text, or a list of texts as some write it. */
function toolNames(entry: Entry | undefined, tell: (line: number, says: string) => void): string {
  if (entry === undefined) return '';
  const { value, line } = entry;
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(' ');
  tell(line, 'allowed-tools must be text');
  return '';
}

/** The first `most` characters, none of them cut in half. */
function whole(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}
