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
  const before = predecessors(records);
  const branch: SessionRecord[] = [];
  for (let at = records.length - 1; at >= 0; at = before[at] ?? -1) {
    const record = records[at];
    if (record !== undefined) branch.push(record);
  }
  return branch.reverse();
}

/** Of each record the number of the one it follows; -1: it is the first of its branch. */
export function predecessors(records: readonly SessionRecord[]): readonly number[] {
  const places = new Map(records.map(({ id }, at) => [id, at]));
  return records.map(({ parentId }, at) => {
    if (parentId === null) return -1;
    const before = places.get(parentId) ?? at - 1;
    return before < at ? before : at - 1;
  });
}

/** The id of the record that the next one follows; null: there is none. One that tells of a branch is followed by none: losing it loses nothing. */
export function leafOf(branch: readonly SessionRecord[]): string | null {
  const last = branch.at(-1);
  return last?.type === 'branch' ? last.parentId : (last?.id ?? null);
}
