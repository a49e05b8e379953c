/** ls: what stands in a folder on the target. */

import { asObject, count, optionalText, text } from './arguments.js';
import { entryLines } from './files/entry-list.js';
import { type Folder, lookedInto } from './files/folder.js';
import { type Reading, reviewReading } from './files/reading.js';
import { landingOf } from './landing.js';
import type { Tool, ToolResult } from './tool.js';

interface LsArguments extends Reading {
  readonly limit: number;
}

/** Entries when the model asks for no other number. */
export const DEFAULT_ENTRIES = 500;
const MOST_ENTRIES = 5000;

export const lsTool: Tool<LsArguments> = {
  name: 'ls',
  aliases: ['list_dir', 'list_directory'],
  description: 'Lists a folder on the target: names in order, folders with a slash behind them, dotfiles too.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The folder; the working directory of the shared shell when left out.' },
      limit: { type: 'integer', description: `Entries at most; ${DEFAULT_ENTRIES} when left out.` },
      why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
    },
    required: ['why'],
  },
  needsTmux: false,
  parallel: true,
  parse(args) {
    const given = asObject(args);
    return {
      path: optionalText(given, 'path') ?? '.',
      limit: count(given, 'limit', 1, MOST_ENTRIES, DEFAULT_ENTRIES),
      why: text(given, 'why'),
    };
  },
  preview: (args) => args.path,
  async prepare(args, { target }, signal) {
    return { ...args, lands: await landingOf(target, args.path, signal) };
  },
  review: (args, context) => reviewReading(args, 'ls', 'list', context),
  run: async (args, context) => listed(await lookedInto(args, 'one', context), args.limit),
};

/** A folder, or a file by its name, as the result of a call. */
export function listed(folder: Folder, limit: number): ToolResult {
  const { text: lines, count: shown, isCut } = entryLines(folder.entries, limit);
  const rest = isCut
    ? [`${folder.entries.length - shown} more entries are not shown${shown < limit ? '' : '; ask with a larger limit'}.`]
    : [];
  const notes = [...rest, ...folder.notes];
  const all = folder.entries.length;
  return {
    result: { path: folder.path, entries: lines, ...(shown === 0 ? { empty: true } : {}), ...(notes.length === 0 ? {} : { notes }) },
    isError: false,
    text: [...(lines === '' ? [] : [lines]), ...notes].join('\n'),
    summary: isCut ? `${shown} of ${all} entries` : all === 1 ? '1 entry' : `${all} entries`,
    exitCode: null,
  };
}
