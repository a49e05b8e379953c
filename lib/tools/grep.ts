/** grep: lines of files on the target that match a pattern. */

import { posix } from 'node:path';
import { globMatcher } from '../base/ignore-rules.js';
import { pausing } from '../base/unhurried.js';
import { asObject, count, fault, flag, optionalText, text } from './arguments.js';
import { matchingEntries } from './files/entry-list.js';
import { lookedInto } from './files/folder.js';
import { textOf } from './files/names.js';
import { type Reading, reviewReading } from './files/reading.js';
import { found } from './files/search.js';
import { landingOf } from './landing.js';
import type { Tool } from './tool.js';

interface GrepArguments extends Reading {
  readonly pattern: string;
  readonly glob: string | null;
  readonly ignoreCase: boolean;
  readonly literal: boolean;
  readonly context: number;
  readonly limit: number;
}

const DEFAULT_MATCHES = 100;
const MOST_MATCHES = 2000;
const MOST_CONTEXT = 50;
const LONGEST_PATTERN = 2000;

export const grepTool: Tool<GrepArguments> = {
  name: 'grep',
  aliases: ['search_files'],
  description:
    'Searches the files of a folder on the target (or one file) for lines that match a pattern, as path:line: text. Leaves out binary files and what .gitignore does.',
  parameters: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'Regular expression as ripgrep takes it, or plain text with literal.' },
      path: { type: 'string', description: 'The folder or file; the working directory of the shared shell when left out.' },
      glob: { type: 'string', description: 'Only files that it matches: *.ts, src/**/*.{ts,tsx}, !*.test.ts.' },
      ignoreCase: { type: 'boolean', description: 'False when left out.' },
      literal: { type: 'boolean', description: 'The pattern is plain text; false when left out.' },
      context: { type: 'integer', description: 'Lines before and after each match; 0 when left out.' },
      limit: { type: 'integer', description: `Matches at most; ${DEFAULT_MATCHES} when left out.` },
      why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
    },
    required: ['pattern', 'why'],
  },
  needsTmux: false,
  parallel: true,
  parse(args) {
    const given = asObject(args);
    const { pattern } = given;
    if (typeof pattern !== 'string' || pattern === '') throw fault('"pattern" is required and must be a string that is not empty');
    if (/[\n\r\0]/.test(pattern)) throw fault('"pattern" must be one line: each line of a file is looked at for itself');
    if (pattern.length > LONGEST_PATTERN) throw fault(`"pattern" must be at most ${LONGEST_PATTERN} characters`);
    // A folder means what is in it.
    const glob = optionalText(given, 'glob')?.replace(/\/$/, '/**') ?? null;
    if (glob !== null && globMatcher(glob) === null) throw fault('"glob" is no glob pattern');
    return {
      pattern,
      path: optionalText(given, 'path') ?? '.',
      glob,
      ignoreCase: flag(given, given['ignoreCase'] === undefined ? 'ignore_case' : 'ignoreCase', false),
      literal: flag(given, 'literal', false),
      context: count(given, 'context', 0, MOST_CONTEXT, 0),
      limit: count(given, 'limit', 1, MOST_MATCHES, DEFAULT_MATCHES),
      why: text(given, 'why'),
    };
  },
  preview: ({ pattern, path, glob }) => `${pattern}${path === '.' ? '' : ` in ${path}`}${glob === null ? '' : ` (${glob})`}`,
  async prepare(args, { target }, signal) {
    return { ...args, lands: await landingOf(target, args.path, signal) };
  },
  review: (args, context) => reviewReading(args, 'grep', 'search', context),
  async run(args, context) {
    const folder = await lookedInto(args, 'files', context);
    const entries =
      args.glob === null || !folder.isFolder
        ? folder.entries
        : await matchingEntries(folder.entries, args.glob, pausing(context.clock, context.signal));
    const { lines, matched, files, notes } = await found(folder, entries, args, args.limit, context);
    const said = [...notes, ...folder.notes];
    const where = folder.isFolder ? folder.path : posix.join(folder.path, textOf(folder.entries[0]?.path ?? ''));
    return {
      result: { path: where, matches: matched, found: lines, ...(said.length === 0 ? {} : { notes: said }) },
      isError: false,
      text: [...(lines === '' ? [] : [lines]), ...said].join('\n'),
      summary: `${matched === 1 ? '1 match' : `${matched} matches`} in ${files === 1 ? '1 file' : `${files} files`}`,
      exitCode: null,
    };
  },
};
