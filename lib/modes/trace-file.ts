/** A trace as a file: its lines in order, read piece by piece, so that a large one needs no large memory. */

import { BuddyError } from '../base/errors.js';
import { closeSync, fileTrouble, openRegular, readPart, realpath } from '../base/files.js';
import { type ReadLine, readTraceLine } from '../runtime/trace-lines.js';

const PIECE_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/** One line of a file. */
export interface FileLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
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
    let rest: Buffer = Buffer.alloc(0);
    let number = 0;
    for (let offset = 0; ; ) {
      const piece = readPart(descriptor, offset, PIECE_BYTES);
      offset += piece.length;
      if (piece.length === 0) break;
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        number += 1;
        yield { number, text: bytes.toString('utf8', from, end), ended: true };
        from = end + 1;
      }
      rest = bytes.subarray(from);
    }
    if (rest.length > 0) yield { number: number + 1, text: rest.toString('utf8'), ended: false };
  } finally {
    closeSync(descriptor);
  }
}

/** The lines of a trace. Throws `trace.line` for the first one that is none, with its place and what is wrong with it. */
export async function* strictLines(path: string): AsyncGenerator<ReadLine> {
  let isAny = false;
  let lastSeq = 0;
  for await (const { number, text, ended } of linesOfFile(path)) {
    const line = readTraceLine(text);
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
