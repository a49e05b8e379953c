/** read_file: a text file on the target, in pieces by byte offset. */

import { formatBytes } from '../base/duration.js';
import { wholeCharacters } from '../base/whole-characters.js';
import { asObject, piece, pieceSchema, text } from './arguments.js';
import type { Tool } from './tool.js';

interface ReadFileArguments {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
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
    text(given, 'why');
    return { path: text(given, 'path'), ...piece(given) };
  },
  preview: (args) => args.path,
  review: () => ({ kind: 'allow' }),
  async run(args, context) {
    const { bytes, size } = await context.target.readFile(args.path, { offset: args.offset, limit: args.limit }, context.signal);
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

/** A NUL byte never occurs in text files; it is what git looks for as well. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}
