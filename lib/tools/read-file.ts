/** read_file: a file on the target, by lines; a folder as a list, a picture as a picture. */

import { formatBytes } from '../base/duration.js';
import { asBuddyError, isAbort } from '../base/errors.js';
import { type ImageHeader, imageHeader } from '../base/image-header.js';
import { wholeCharacters } from '../base/whole-characters.js';
import type { FilePiece } from '../targets/target.js';
import { asObject, count, text } from './arguments.js';
import { lookedInto } from './files/folder.js';
import { type Reading, refuseUnasked, reviewReading } from './files/reading.js';
import { landingOf } from './landing.js';
import { DEFAULT_ENTRIES, listed } from './ls.js';
import type { Tool, ToolContext, ToolResult } from './tool.js';

interface ReadFileArguments extends Reading {
  /** The first line, 1 is the first of the file. */
  readonly offset: number;
  /** Lines. */
  readonly limit: number;
  /** Where to begin behind that line's start, in bytes. */
  readonly byteOffset: number;
}

/** Of one piece, whichever comes first. */
const DEFAULT_LINES = 2000;
const MOST_LINES = 20_000;
const MOST_BYTES = 50 * 1024;
/** A larger picture is only told of: it would have to be made smaller first, and nobody sends so much. */
const LARGEST_IMAGE = 20 * 1024 * 1024;

export const readFileTool: Tool<ReadFileArguments> = {
  name: 'read_file',
  aliases: ['read'],
  description:
    'Reads a file on the target, by lines: a long one in pieces, and the answer says how to read on. Shows pictures (PNG, JPEG, GIF, WebP); lists a folder.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute, or relative to the working directory of the shared shell.' },
      offset: { type: 'integer', description: 'Line to begin at, counted from 1; the first when left out.' },
      limit: { type: 'integer', description: `Lines to read; ${DEFAULT_LINES} when left out. Never more than ${MOST_BYTES / 1024} KB.` },
      byte_offset: { type: 'integer', description: 'Only for lines that are too long: bytes to skip from there on.' },
      why: { type: 'string', description: 'Why this is needed, in one sentence for the user.' },
    },
    required: ['path', 'why'],
  },
  needsTmux: false,
  parallel: true,
  parse(args) {
    const given = asObject(args);
    return {
      path: text(given, 'path'),
      offset: Math.max(1, count(given, 'offset', 0, Number.MAX_SAFE_INTEGER, 1)),
      limit: count(given, 'limit', 1, MOST_LINES, DEFAULT_LINES),
      byteOffset: count(given, 'byte_offset', 0, Number.MAX_SAFE_INTEGER, 0),
      why: text(given, 'why'),
    };
  },
  preview: (args) => args.path,
  async prepare(args, { target }, signal) {
    return { ...args, lands: await landingOf(target, args.path, signal) };
  },
  review: (args, context) => reviewReading(args, 'read_file', 'read', context),
  async run(args, context) {
    const range = { line: args.offset, offset: args.byteOffset, limit: MOST_BYTES };
    let piece: FilePiece;
    try {
      piece = await context.target.readFile(args.path, range, context.signal);
    } catch (thrown) {
      // Every place says it in these words.
      if (isAbort(thrown) || !asBuddyError(thrown, 'target.file').message.endsWith('it is a folder')) throw thrown;
      return listed(await lookedInto(args, 'one', context), DEFAULT_ENTRIES);
    }
    // A link may have been turned since it was judged: what counts is the file that was opened.
    if (piece.real !== undefined) refuseUnasked(args, piece.real, context);
    const isStart = args.offset === 1 && args.byteOffset === 0;
    const image = isStart ? imageHeader(piece.bytes) : null;
    if (image !== null) return pictured(args, piece, image, context);
    return piece.bytes.subarray(0, 8000).includes(0) ? binary(args.path, piece.size) : lines(args, piece);
  },
};

/** A NUL byte never occurs in text files; it is what git looks for as well. */
function binary(path: string, size: number): ToolResult {
  return {
    result: { path, size, binary: true, note: 'This is a binary file; look at it with a command such as file or xxd.' },
    isError: false,
    text: `binary file, ${formatBytes(size)}`,
    summary: `binary · ${formatBytes(size)}`,
    exitCode: null,
  };
}

/** Whole lines, as many as there may be; of a line that is longer than a piece the beginning. */
function lines({ path, offset, limit, byteOffset }: ReadFileArguments, { bytes, size, start = 0, lines: total }: FilePiece): ToolResult {
  if (total !== undefined || (bytes.length === 0 && byteOffset > 0)) return pastTheEnd(path, total);
  const from = start + byteOffset;
  const isRest = from + bytes.length < size;
  let end = 0;
  let shown = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0 && shown < limit; at = bytes.indexOf(0x0a, end)) {
    end = at + 1;
    shown++;
  }
  // The last line of a file may have no end; one that is cut off is left for the next piece, but for a first one.
  const isLast = shown < limit && !isRest;
  const isLong = shown === 0 && !isLast;
  const whole = isLong ? wholeCharacters(bytes) : isLast ? bytes : bytes.subarray(0, end);
  const content = Buffer.from(whole).toString('utf8');
  const next = from + whole.length;
  const note = isLong
    ? `Line ${offset} is longer than ${MOST_BYTES / 1024} KB, here is its beginning: read on in it with offset ${offset} and byte_offset ${byteOffset + whole.length}, or take a command such as cut.`
    : `${formatBytes(size - next)} follow; read on with offset ${offset + shown}.`;
  const isWhole = next >= size;
  return {
    result: { path, size, content, ...(isWhole ? {} : { truncated: true, note }) },
    isError: false,
    text: isWhole ? content : `${content.replace(/\n$/, '')}\n[${note}]`,
    summary: isWhole && from === 0 ? formatBytes(size) : `${formatBytes(whole.length)} of ${formatBytes(size)}`,
    exitCode: null,
  };
}

/** Not an error: it is an answer. Calls of older conversations counted bytes. */
function pastTheEnd(path: string, total: number | undefined): ToolResult {
  const many = total === undefined ? 'The file ends before that byte' : `The file has ${total === 1 ? '1 line' : `${total} lines`}`;
  const note = `${many}; offset counts lines, byte_offset bytes.`;
  return { result: { path, content: '', note }, isError: false, text: note, summary: 'past the end', exitCode: null };
}

async function pictured(args: ReadFileArguments, piece: FilePiece, image: ImageHeader, context: ToolContext): Promise<ToolResult> {
  const { path } = args;
  const bytes = piece.size > LARGEST_IMAGE ? null : await whole(args, piece, context);
  const shape = imageHeader(bytes ?? piece.bytes)?.size ?? image.size;
  const told = `${image.kind} picture, ${formatBytes(piece.size)} (${piece.size} bytes)${shape === null ? '' : `, ${shape.width} × ${shape.height} pixels`}`;
  const note = bytes === null ? ' It is too large to be shown: make it smaller first.' : '';
  return {
    result: { path, size: piece.size, image: `${told}.${note}` },
    isError: false,
    text: `${told}.${note}`,
    summary: shape === null ? image.kind : `${image.kind} · ${shape.width} × ${shape.height}`,
    exitCode: null,
    ...(bytes === null ? {} : { images: [{ mediaType: image.mediaType, data: bytes.toString('base64'), name: path }] }),
  };
}

/** All of it, once more judged by the file that was opened; null: it has become another one. */
async function whole(args: ReadFileArguments, { bytes, size }: FilePiece, context: ToolContext): Promise<Buffer | null> {
  if (bytes.length >= size) return Buffer.from(bytes);
  const all = await context.target.readFile(args.path, { offset: 0, limit: LARGEST_IMAGE }, context.signal);
  if (all.real !== undefined) refuseUnasked(args, all.real, context);
  return imageHeader(all.bytes) === null ? null : Buffer.from(all.bytes);
}
