/** find: files and folders on the target by their names. */

import { globMatcher } from '../base/ignore-rules.js';
import { pausing } from '../base/unhurried.js';
import { asObject, count, fault, optionalText, text } from './arguments.js';
import { entryLines, matchingEntries } from './files/entry-list.js';
import { lookedInto } from './files/folder.js';
import { type Reading, reviewReading } from './files/reading.js';
import { landingOf } from './landing.js';
import type { Tool } from './tool.js';

interface FindArguments extends Reading {
  readonly pattern: string;
  readonly limit: number;
}

const DEFAULT_PATHS = 1000;
const MOST_PATHS = 5000;

export const findTool: Tool<FindArguments> = {
  name: 'find',
  aliases: ['glob'],
  description:
    'Finds files and folders on the target by a glob pattern: without a slash it is the name, with one the path below the folder (*.ts, src/**/*.{ts,tsx}). Leaves out what .gitignore does.',
  parameters: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'Glob: * ? [a-z] {a,b} and ** for any folders.' },
      path: { type: 'string', description: 'The folder to look in; the working directory of the shared shell when left out.' },
      limit: { type: 'integer', description: `Paths at most; ${DEFAULT_PATHS} when left out.` },
      why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
    },
    required: ['pattern', 'why'],
  },
  needsTmux: false,
  parallel: true,
  parse(args) {
    const given = asObject(args);
    const pattern = text(given, 'pattern');
    if (globMatcher(pattern) === null) throw fault('"pattern" is no glob pattern');
    return {
      pattern,
      path: optionalText(given, 'path') ?? '.',
      limit: count(given, 'limit', 1, MOST_PATHS, DEFAULT_PATHS),
      why: text(given, 'why'),
    };
  },
  preview: ({ pattern, path }) => (path === '.' ? pattern : `${pattern} in ${path}`),
  async prepare(args, { target }, signal) {
    return { ...args, lands: await landingOf(target, args.path, signal) };
  },
  review: (args, context) => reviewReading(args, 'find', 'list the names in', context),
  async run({ pattern, limit, ...reading }, context) {
    const folder = await lookedInto(reading, 'all', context);
    const found = await matchingEntries(folder.entries, pattern, pausing(context.clock, context.signal));
    const { text: lines, count: shown, isCut } = entryLines(found, limit);
    const notes = [
      ...(isCut
        ? [`${found.length - shown} more are not shown; take a narrower pattern${shown < limit ? '' : ' or a larger limit'}.`]
        : []),
      ...(found.length === 0 ? ['Nothing was found; what .gitignore leaves out was not looked at.'] : []),
      ...folder.notes,
    ];
    return {
      result: { path: folder.path, found: lines, ...(notes.length === 0 ? {} : { notes }) },
      isError: false,
      text: [...(lines === '' ? [] : [lines]), ...notes].join('\n'),
      summary: isCut ? `${shown} of ${found.length}` : `${found.length} found`,
      exitCode: null,
    };
  },
};
