/** read_file: a text file on the target, in pieces by byte offset. */

import { posix } from 'node:path';
import { formatBytes } from '../base/duration.js';
import { BuddyError, isAbort } from '../base/errors.js';
import { wholeCharacters } from '../base/whole-characters.js';
import { asObject, piece, pieceSchema, text } from './arguments.js';
import { doubtsOfPath } from './judged.js';
import type { Tool, ToolContext } from './tool.js';

interface ReadFileArguments {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
  readonly why: string;
}

export const readFileTool: Tool<ReadFileArguments> = {
  name: 'read_file',
  aliases: ['read'],
  description: 'Reads a file on the target. Long files come in pieces: the answer says how to read on.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute, or relative to the working directory of the shared shell.' },
      ...pieceSchema,
      why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
    },
    required: ['path', 'why'],
  },
  needsTmux: false,
  parallel: true,
  parse(args) {
    const given = asObject(args);
    return { path: text(given, 'path'), ...piece(given), why: text(given, 'why') };
  },
  preview: (args) => args.path,
  review(args, { target, homeDir, judge }) {
    const narrows = doubtsOfPath('cat', args.path, judge);
    if (narrows.length === 0) return { kind: 'allow' };
    const path = posix.resolve(target.summary.cwd, args.path.replace(/^~(?=\/|$)/, homeDir));
    return {
      kind: 'ask',
      title: `read ${path}`,
      body: path,
      like: 'read_file',
      claim: { risk: 'low', mutation: false, privesc: false, why: args.why },
      // What is read is sent to the model. Whose idea that is, is known until strangers had a say.
      needsYes: false,
      narrows,
    };
  },
  async run(args, context) {
    await refuseHiddenSecret(args.path, context);
    const { bytes, size, real } = await context.target.readFile(args.path, { offset: args.offset, limit: args.limit }, context.signal);
    // The link may have been changed between the look and the read: what counts is the file that was opened.
    if (real !== undefined) refuseSecretAt(real, args.path, context);
    if (isBinary(bytes)) {
      return {
        result: { path: args.path, size, binary: true, note: 'This is a binary file; look at it with a command such as file or xxd.' },
        isError: false,
        text: `binary file, ${formatBytes(size)}`,
        summary: `binary · ${formatBytes(size)}`,
        exitCode: null,
      };
    }
    const whole = wholeCharacters(bytes);
    const content = Buffer.from(whole).toString('utf8');
    const end = args.offset + whole.length;
    const rest = size - end;
    return {
      result: {
        path: args.path,
        size,
        content,
        ...(rest > 0 ? { truncated: true, note: `${rest} bytes follow; read on with offset ${end}.` } : {}),
      },
      isError: false,
      text: content,
      summary: rest > 0 ? `${formatBytes(whole.length)} of ${formatBytes(size)}` : formatBytes(size),
      exitCode: null,
    };
  },
};

/** A link with a harmless name must not lead past the review. Throws `tool.refused`. */
async function refuseHiddenSecret(path: string, { target, signal, judge }: ToolContext): Promise<void> {
  const lands = await target.realPath(path, signal).catch((thrown: unknown) => {
    if (isAbort(thrown)) throw thrown;
    // Reading it will say what is wrong with it.
    return path;
  });
  refuseSecretAt(lands, path, { judge });
}

/** Nothing of a file is told that lies where the review was never asked about. Throws `tool.refused`. */
function refuseSecretAt(lands: string, path: string, { judge }: Pick<ToolContext, 'judge'>): void {
  if (doubtsOfPath('cat', path, judge).length > 0) return;
  const [doubt] = doubtsOfPath('cat', lands, judge);
  if (doubt === undefined) return;
  throw new BuddyError('tool.refused', `${path} leads to ${lands}, which is asked about (${doubt}); it was not read`, {
    hint: 'If the user wants it read, ask for it by the path that it leads to',
  });
}

/** A NUL byte never occurs in text files; it is what git looks for as well. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}
