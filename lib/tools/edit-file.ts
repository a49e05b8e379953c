/** edit_file: replaces a piece of text in a file on the target; what becomes of the whole file is shown and written as write_file does. */

import { BuddyError } from '../base/errors.js';
import { withNamesUndone } from '../base/visible.js';
import { asObject, flag, text } from './arguments.js';
import type { Tool } from './tool.js';
import { type WriteFileArguments, writeFileTool } from './write-file.js';

interface EditFileArguments {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
  readonly why: string;
  /** What is to be written, once the file has been looked at, and how many places that changes. */
  readonly write?: WriteFileArguments;
  readonly places?: number;
}

export const editFileTool: Tool<EditFileArguments> = {
  name: 'edit_file',
  aliases: ['edit'],
  description:
    'Replaces text in a file on the target that stands there exactly once (or everywhere, with replace_all). Read the file first. For small changes; write_file replaces a whole file.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute, or relative to the working directory of the shared shell.' },
      old_text: { type: 'string', description: 'What stands there now, exactly, with blanks and line ends; enough of it to be unique.' },
      new_text: { type: 'string', description: 'What is to stand there instead; may be empty.' },
      replace_all: { type: 'boolean', description: 'Replace every occurrence; false when left out.' },
      why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
    },
    required: ['path', 'old_text', 'new_text', 'why'],
  },
  needsTmux: false,
  parallel: false,
  parse(args) {
    const given = asObject(args);
    const oldText = text(given, 'old_text');
    const newText = text(given, 'new_text', true);
    if (oldText === newText) throw new BuddyError('tool.arguments', '"old_text" and "new_text" are the same: there is nothing to change');
    return { path: text(given, 'path'), oldText, newText, replaceAll: flag(given, 'replace_all', false), why: text(given, 'why') };
  },
  preview: (args) => args.path,
  async prepare(args, context, signal) {
    const asked: WriteFileArguments = { path: args.path, content: '', why: args.why };
    const looked = (await writeFileTool.prepare?.(asked, context, signal)) ?? asked;
    // Refused: its review says why.
    if (writeFileTool.review(looked, context).kind === 'deny') return { ...args, write: looked };
    if (looked.found?.text === undefined)
      throw new BuddyError('tool.edit', `${args.path} cannot be edited: it is too large, is no text in UTF-8, or cannot be read`, {
        hint: 'Use a command such as sed',
      });
    if (looked.found.text === null)
      throw new BuddyError('tool.edit', `${args.path}: no such file or folder`, { hint: 'write_file makes one' });
    const { content, places } = edited(looked.found.text, args);
    return { ...args, write: { ...looked, content }, places };
  },
  review(args, context) {
    const review = writeFileTool.review(args.write ?? { path: args.path, content: '', why: args.why }, context);
    return review.kind === 'ask' ? { ...review, title: review.title.replace(/^write /, 'edit ') } : review;
  },
  withBody: (args, body) => (args.write === undefined ? args : { ...args, write: { ...args.write, content: body } }),
  async run({ path, write, places = 0 }, context) {
    if (write === undefined) throw new BuddyError('tool.stale', `${path} has not been looked at; nothing was written`);
    const result = await writeFileTool.run(write, context);
    const changed = places === 1 ? '1 place' : `${places} places`;
    return { ...result, result: { path, places_changed: places }, text: `edited ${path}: ${changed}`, summary: `edited ${changed}` };
  },
};

/** The text with the change in it. Throws `tool.edit` when it is not clear where that belongs. */
function edited(
  before: string,
  { path, oldText, newText, replaceAll }: EditFileArguments,
): { readonly content: string; readonly places: number } {
  // What cannot be seen was told to the model by name.
  const isNamed = !before.includes(oldText) && withNamesUndone(oldText) !== oldText;
  const [old, fresh] = isNamed ? [withNamesUndone(oldText), withNamesUndone(newText)] : [oldText, newText];
  // Models write line feeds, whatever the file has.
  const isCrlf = !before.includes(old) && before.includes('\r\n');
  const [from, to] = isCrlf ? [withCrlf(old), withCrlf(fresh)] : [old, fresh];
  const pieces = before.split(from);
  const places = pieces.length - 1;
  if (places === 0)
    throw new BuddyError('tool.edit', `"old_text" does not occur in ${path}; nothing was written`, {
      hint: 'Read the file again and give the text exactly as it stands there, with blanks and line ends',
    });
  if (places > 1 && !replaceAll)
    throw new BuddyError('tool.edit', `"old_text" occurs ${places} times in ${path}; nothing was written`, {
      hint: 'Give more of the lines around it, or set replace_all',
    });
  return { content: pieces.join(to), places };
}

function withCrlf(lines: string): string {
  return lines.replace(/\r?\n/g, '\r\n');
}
