/** A session file as bytes: its first line, its records as far as they are sound, and where it stops being whole. Pure. */

import type { SessionRecord } from './records.js';
import { decodeRecord } from './records.js';

/** What is in a file. */
export interface SessionLines {
  /** '' when there is not even a whole first line. */
  readonly header: string;
  /** In the order of the file. */
  readonly records: readonly SessionRecord[];
  /** Whole lines that are damaged or not understood. */
  readonly damaged: number;
  /** Bytes up to the end of the last whole line; what is behind it was never written to its end. */
  readonly wholeLength: number;
}

const NEWLINE = 0x0a;
/** Nothing that is written is longer; more is somebody's trap (bytes). */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Reads all of it. Never throws. */
export function readSessionLines(bytes: Buffer): SessionLines {
  const records: SessionRecord[] = [];
  let header = '';
  let damaged = 0;
  let from = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
    const line = end - from > LONGEST_LINE ? '' : bytes.toString('utf8', from, end);
    if (from === 0) header = line;
    else {
      const record = decodeRecord(line);
      if (record === null) damaged++;
      else records.push(record);
    }
    from = end + 1;
  }
  return { header, records, damaged, wholeLength: from };
}

/**
 * The records that lead to the last one, the oldest first. One whose predecessor is lost follows the sound one before it in the file.
 */
export function branchOf(records: readonly SessionRecord[]): readonly SessionRecord[] {
  const places = new Map(records.map(({ id }, at) => [id, at]));
  const branch: SessionRecord[] = [];
  for (let at = records.length - 1; at >= 0; ) {
    const record = records[at];
    if (record === undefined) break;
    branch.push(record);
    if (record.parentId === null) break;
    const before = places.get(record.parentId) ?? at - 1;
    at = before < at ? before : at - 1;
  }
  return branch.reverse();
}
