/** edit_file: replaces pieces of text in a file on the target; what becomes of the whole file is shown and written as write_file does. */

import { BuddyError } from '../base/errors.js';
import { readRefusal } from '../policy/read-path.js';
import { applyEdits, type Edited } from './edit/apply.js';
import { type Excerpt, excerptOf } from './edit/excerpt.js';
import { type EditCall, editCall } from './edit/shapes.js';
import { LARGEST_SHOWN } from './found-file.js';
import { doubtsOfPath } from './judged.js';
import { absolute } from './landing.js';
import type { ReviewContext, Tool } from './tool.js';
import { type WriteFileArguments, writeFileTool } from './write-file.js';

interface EditFileArguments extends EditCall {
  /** What is to be written, once the file has been looked at. */
  readonly write?: WriteFileArguments;
  /** What the edits made of it. */
  readonly edited?: Omit<Edited, 'content'>;
  /** The person has written it anew: what `edited` says holds no longer. */
  readonly isReworded?: true;
  /** What is asked about of a file that is not shown whole. */
  readonly excerpt?: Excerpt;
}

/** A larger file is not edited in memory. */
const LARGEST_EDITED = 8_000_000;

const edit = {
  type: 'object',
  properties: {
    oldText: {
      type: 'string',
      description: 'What stands there now, exactly, with blanks and line ends; enough of it to be unique in the file.',
    },
    newText: { type: 'string', description: 'What is to stand there instead; may be empty.' },
    replaceAll: { type: 'boolean', description: 'Replace every occurrence; false when left out.' },
  },
  required: ['oldText', 'newText'],
} as const;

export const editFileTool: Tool<EditFileArguments> = {
  name: 'edit_file',
  aliases: ['edit'],
  description:
    'Replaces texts in a file on the target, each of which stands there exactly once. Read the file first. All changes of one file go into one call; each is looked for in the file as it is before the call, and they must not overlap. For small changes; write_file replaces a whole file.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute, or relative to the working directory of the shared shell.' },
      edits: { type: 'array', items: edit, minItems: 1, description: 'One or more replacements.' },
      why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
    },
    required: ['path', 'edits', 'why'],
  },
  needsTmux: false,
  // Two edits of one file run one after the other: the second is asked about as the first has left the file.
  parallel: false,
  parse: editCall,
  inItsWords: ({ path, edits, why }) => ({ path, edits, why }),
  preview: ({ path, edits }) => (edits.length === 1 ? path : `${path} (${edits.length} edits)`),
  async prepare(args, context, signal) {
    const asked: WriteFileArguments = { path: args.path, content: '', why: args.why, largest: LARGEST_EDITED };
    const looked = (await writeFileTool.prepare?.(asked, context, signal)) ?? asked;
    // Refused: its review says why.
    if (writeFileTool.review(looked, context).kind === 'deny') return { ...args, write: looked };
    const before = await textOf(looked, context, signal);
    const { content, ...edited } = applyEdits(before, args.edits, { path: args.path, mayShow: mayShow(looked, context) });
    return { ...args, ...pieceOf(args.path, before, content), write: { ...looked, content }, edited };
  },
  review({ path, why, write, excerpt }, context) {
    const review = writeFileTool.review(write ?? { path, content: '', why }, context);
    if (review.kind !== 'ask') return review;
    const title = review.title.replace(/^write /, 'edit ');
    if (excerpt === undefined) return { ...review, title };
    const { before, after, firstLine } = excerpt;
    const diff = { path, before, after, firstLine };
    return {
      ...review,
      title: `${title}, from line ${firstLine}`,
      body: after,
      diff,
      like: `${review.like} ${firstLine} ${write?.found?.print}`,
    };
  },
  withBody(args, body) {
    const { write, excerpt } = args;
    if (write === undefined) return args;
    const isReworded = true;
    if (excerpt === undefined) return { ...args, isReworded, write: { ...write, content: body } };
    const before = write.found?.text ?? '';
    const content = `${before.slice(0, excerpt.from)}${body}${before.slice(excerpt.to)}`;
    return { ...args, isReworded, excerpt: { ...excerpt, after: body }, write: { ...write, content } };
  },
  async run({ path, write, edited, ignored, isReworded }, context) {
    if (write === undefined || edited === undefined)
      throw new BuddyError('tool.stale', `${path} has not been looked at; nothing was written`);
    const result = await writeFileTool.run(write, context);
    // The person took all of it back.
    if (write.content === write.found?.text) return result;
    if (isReworded === true) {
      const note = 'The user has written it anew: what stands there is not what newText says. Read the file before the next edit.';
      return { ...result, result: { path, note }, text: `edited ${path}, as the user wrote it`, summary: 'edited, as written anew' };
    }
    const { places, firstChangedLine, notes } = edited;
    const changed = places === 1 ? '1 place' : `${places} places`;
    const told = [...notes, ...(ignored.length === 0 ? [] : [`fields that mean nothing here were ignored: ${ignored.join(', ')}`])];
    return {
      ...result,
      result: { path, places_changed: places, firstChangedLine, ...(told.length === 0 ? {} : { notes: told }) },
      text: [`edited ${path}: ${changed}, from line ${firstChangedLine}`, ...told].join('\n'),
      summary: `edited ${changed}`,
    };
  },
};

/** The text of the file. Throws `tool.edit`, `target.file` with why there is none. */
async function textOf({ path, found, lands }: WriteFileArguments, { target }: ReviewContext, signal: AbortSignal): Promise<string> {
  // A link may have been turned since it was judged: errors would tell of what nobody has judged.
  if (found?.real !== undefined && found.real !== lands)
    throw new BuddyError('tool.stale', `${path} leads somewhere else than a moment ago`, { hint: 'Make the call anew' });
  if (typeof found?.text === 'string') return found.text;
  if (found?.text === null) throw new BuddyError('tool.edit', `${path}: no such file or folder`, { hint: 'write_file makes one' });
  // What could not be opened says so again.
  if (found === undefined) await target.readFile(path, { offset: 0, limit: 1 }, signal);
  throw new BuddyError('tool.edit', `${path} cannot be edited: ${found?.why ?? 'it cannot be read'}`, {
    hint: 'Use a command such as sed',
  });
}

/** Could the model read that file without a question? Else no error tells anything of what stands in it. */
function mayShow({ path, lands }: WriteFileArguments, { target, homeDir, judge }: ReviewContext): boolean {
  const whole = absolute(path, target.summary.cwd, homeDir);
  return [whole, lands ?? whole].every((of) => readRefusal(of) === null && doubtsOfPath('cat', of, judge).length === 0);
}

/** What is asked about of a file that is not shown whole. Throws `tool.edit` when even that is too much. */
function pieceOf(path: string, before: string, after: string): Pick<EditFileArguments, 'excerpt'> {
  if (Math.max(before.length, after.length) <= LARGEST_SHOWN) return {};
  const excerpt = excerptOf(before, after);
  if (Math.max(excerpt.before.length, excerpt.after.length) <= LARGEST_SHOWN) return { excerpt };
  throw new BuddyError('tool.edit', `${path} is large, and these edits lie too far apart to be shown together`, {
    hint: 'Make a call for each, or use a command such as sed',
  });
}
