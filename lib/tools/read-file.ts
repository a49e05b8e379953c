/** read_file: a text file on the target, in pieces by byte offset. */

import { formatBytes } from '../base/duration.js';
import { BuddyError } from '../base/errors.js';
import { hiddenIn } from '../base/visible.js';
import { wholeCharacters } from '../base/whole-characters.js';
import { readRefusal } from '../policy/read-path.js';
import { asObject, piece, pieceSchema, text } from './arguments.js';
import { doubtsOfPath } from './judged.js';
import { absolute, landingOf } from './landing.js';
import type { Tool, ToolContext } from './tool.js';

interface ReadFileArguments {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
  readonly why: string;
  /** Where the path leads, links followed, once that was looked at. */
  readonly lands?: string;
}

/** A name may hold what no command line may: it is judged by what is seen of it. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

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
  async prepare(args, { target }, signal) {
    return { ...args, lands: await landingOf(target, args.path, signal) };
  },
  review(args, { target, homeDir, judge }) {
    if (args.path.includes('\0')) return { kind: 'deny', reason: 'the path is refused because it holds a NUL' };
    const path = absolute(args.path, target.summary.cwd, homeDir);
    const { lands = path } = args;
    const refusal = readRefusal(path) ?? readRefusal(lands);
    if (refusal !== null) return { kind: 'deny', reason: refusal };
    const doubts = [...new Set([path, lands].flatMap((of) => doubtsOfPath('cat', of.replace(UNSEEN, ''), judge)))];
    // Before it was looked at: a link may lead to what is asked about.
    if (doubts.length === 0 && args.lands !== undefined) return { kind: 'allow' };
    // There are files with such names. They are read; what is asked about must be seen whole.
    const hidden = doubts.length === 0 ? null : hiddenIn(path + lands);
    if (hidden !== null) return { kind: 'deny', reason: `the path is refused because ${hidden}` };
    return {
      kind: 'ask',
      title: `read ${path}${lands === path ? '' : `, which is ${lands}`}`,
      body: path,
      like: `read_file ${path} ${lands}`,
      claim: { risk: 'low', mutation: false, privesc: false, why: args.why },
      computed: { risk: 'high', mutation: false, privesc: false, network: false, reasons: doubts },
      // As for a command that opens it: what is read is sent to the model.
      caution: 'user',
      narrows: doubts,
    };
  },
  async run(args, context) {
    const piece = await context.target.readFile(args.path, { offset: args.offset, limit: args.limit }, context.signal);
    const { bytes, size } = piece;
    // A link may have been turned since it was judged: what counts is the file that was opened.
    if (piece.real !== undefined && piece.real !== args.lands) refuseUnasked(args.path, piece.real, context);
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

/** Throws `tool.refused` when nobody was asked about what was opened, and somebody has to be. */
function refuseUnasked(path: string, real: string, { judge }: Pick<ToolContext, 'judge'>): void {
  const reason = readRefusal(real) ?? doubtsOfPath('cat', real.replace(UNSEEN, ''), judge)[0];
  if (reason === undefined) return;
  throw new BuddyError('tool.refused', `${path} leads to ${real} by now, which is asked about (${reason}); nothing of it is told`, {
    hint: 'Make the call anew',
  });
}

/** A NUL byte never occurs in text files; it is what git looks for as well. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}
