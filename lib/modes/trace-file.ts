/** A trace as a file: its lines in order, read piece by piece, so that a large one needs no large memory. */

import { BuddyError } from '../base/errors.js';
import { closeSync, fileTrouble, openRegular, readPart, realpath } from '../base/files.js';
import { type ReadLine, readTraceLine } from '../runtime/trace-lines.js';

const PIECE_BYTES = 1 << 20;
/** Who has written a longer line has written no trace. */
const MOST_LINE_BYTES = 128 << 20;
const NEWLINE = 0x0a;

/** One line of a file. */
export interface FileLine {
  /** Counted from 1. */
  readonly number: number;
  /** Null: it is longer than any line of a trace, and what comes of it is passed over. */
  readonly text: string | null;
  /** A line end stands behind it: what writes the file is through with it. */
  readonly ended: boolean;
}

/** Opens a trace to read it; links are followed. Throws `trace.open`. */
export async function openTrace(path: string): Promise<ReturnType<typeof openRegular>> {
  try {
    return openRegular(await realpath(path));
  } catch (thrown) {
    const trouble = thrown instanceof BuddyError ? 'it is no regular file' : fileTrouble(thrown);
    throw new BuddyError('trace.open', `cannot read the trace ${path}: ${trouble}`, { cause: thrown });
  }
}

/** All lines, the last one also when it has no line end. Throws `trace.open`, and the system's error when reading fails. */
export async function* linesOfFile(path: string): AsyncGenerator<FileLine> {
  const { descriptor } = await openTrace(path);
  try {
    let held: Buffer[] = [];
    let length = 0;
    let number = 0;
    /** The rest of a line that was told to be too long. */
    let skipping = false;
    const line = (last: Buffer, ended: boolean): FileLine => {
      const text = Buffer.concat([...held, last]).toString('utf8');
      [held, length] = [[], 0];
      number += 1;
      return { number, text, ended };
    };
    for (let offset = 0; ; ) {
      const piece = readPart(descriptor, offset, PIECE_BYTES);
      offset += piece.length;
      if (piece.length === 0) break;
      let from = 0;
      for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
        if (!skipping) yield line(piece.subarray(from, end), true);
        skipping = false;
        from = end + 1;
      }
      if (skipping || from === piece.length) continue;
      held.push(piece.subarray(from));
      length += piece.length - from;
      if (length <= MOST_LINE_BYTES) continue;
      [held, length, skipping] = [[], 0, true];
      number += 1;
      yield { number, text: null, ended: true };
    }
    if (length > 0) yield line(Buffer.alloc(0), false);
  } finally {
    closeSync(descriptor);
  }
}

/** What a line of a file is as one of a trace, or what is wrong with it. */
export function readFileLine({ text }: FileLine): ReturnType<typeof readTraceLine> {
  return text === null ? { problem: `it is longer than ${MOST_LINE_BYTES >> 20} MiB` } : readTraceLine(text);
}

/** The lines of a trace. Throws `trace.line` for the first one that is none, with its place and what is wrong with it. */
export async function* strictLines(path: string): AsyncGenerator<ReadLine> {
  let isAny = false;
  let lastSeq = 0;
  for await (const found of linesOfFile(path)) {
    const { number, ended } = found;
    const line = readFileLine(found);
    if ('problem' in line) throw badLine(path, number, ended ? line.problem : `the file ends within it (${line.problem})`);
    if (line.kind === 'header') lastSeq = 0;
    if (line.kind === 'event') {
      if (line.seq <= lastSeq) throw badLine(path, number, `"seq" is ${line.seq} after ${lastSeq}`);
      lastSeq = line.seq;
    }
    isAny = true;
    yield line;
  }
  if (!isAny) throw new BuddyError('trace.line', `${path} is empty: nothing was recorded`);
}

function badLine(path: string, number: number, problem: string): BuddyError {
  return new BuddyError('trace.line', `${path}:${number}: ${problem}`, { hint: 'buddy-tui traceui shows a trace whatever is in it.' });
}
