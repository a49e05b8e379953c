/** read_skill: a skill, or a file beside it. It reads on the machine of the user, in the folders of listed skills and nowhere else. */

import { BuddyError } from '../base/errors.js';
import { asObject, count, fault, optionalText, text } from '../tools/arguments.js';
import type { Tool } from '../tools/tool.js';
import type { Skill } from './skill.js';

/** Characters of one piece. */
const PIECE = 32_000;

interface ReadSkillArguments {
  readonly skill: string;
  /** Null: the skill itself. */
  readonly file: string | null;
  readonly offset: number;
}

/** The tool over the skills as they are when it is called. */
export function readSkillTool(skills: () => readonly Skill[]): Tool<ReadSkillArguments> {
  return {
    name: 'read_skill',
    aliases: [],
    description: 'Reads a skill, or a file that lies in its folder. Long ones come in pieces: the answer says how to read on.',
    parameters: {
      type: 'object',
      properties: {
        skill: { type: 'string', description: 'Its name.' },
        file: { type: 'string', description: 'A file beside it, relative to its folder; the skill itself when left out.' },
        offset: { type: 'integer', description: 'Character to begin at; 0 when left out.' },
      },
      required: ['skill'],
    },
    needsTmux: false,
    parallel: true,
    parse(args) {
      const given = asObject(args);
      const file = optionalText(given, 'file');
      if (file?.includes('\0')) throw fault('"file" must not hold a NUL');
      return { skill: text(given, 'skill'), file, offset: count(given, 'offset', 0, Number.MAX_SAFE_INTEGER, 0) };
    },
    preview: ({ skill, file }) => (file === null ? skill : `${skill}: ${file}`),
    // What a person wrote for this, or said that they trust.
    review: () => ({ kind: 'allow' }),
    run({ skill: name, file, offset }) {
      const skill = skills().find((known) => known.name === name.replace(/^skill:/, ''));
      if (skill === undefined) {
        const known = skills().map((of) => of.name);
        throw new BuddyError('tool.file', `there is no skill ${name}`, { hint: `There are: ${known.join(', ')}` });
      }
      const content = file === null || file === 'SKILL.md' ? skill.body : skill.files.read(file);
      const piece = content.slice(offset, offset + PIECE).replace(/[\ud800-\udbff]$/, '');
      const next = offset + piece.length;
      const rest = content.length - next;
      return Promise.resolve({
        result: {
          ...{ skill: skill.name, location: skill.path, ...(file === null ? {} : { file }), content: piece },
          ...(rest > 0 ? { truncated: true, note: `${rest} characters follow; read on with offset ${next}.` } : {}),
        },
        isError: false,
        text: piece,
        summary: rest > 0 ? `${piece.length} of ${content.length} characters` : `${piece.length} characters`,
        exitCode: null,
      });
    },
  };
}
