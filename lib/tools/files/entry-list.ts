/** Entries of a folder as lines for a model, bounded in number and size. */

import type { Entry } from './listing-script.js';
import { shownName } from './names.js';

/** Bytes of one list. */
export const MOST_LIST_BYTES = 50 * 1024;

export interface EntryLines {
  readonly text: string;
  readonly count: number;
  /** Some of `entries` are not in it. */
  readonly isCut: boolean;
}

/** One a line, folders with a slash behind them. */
export function entryLines(entries: readonly Entry[], limit: number): EntryLines {
  const lines: string[] = [];
  let bytes = 0;
  for (const { path, kind } of entries.slice(0, limit)) {
    const line = `${shownName(path)}${kind === 'folder' ? '/' : ''}`;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MOST_LIST_BYTES) break;
    lines.push(line);
  }
  return { text: lines.join('\n'), count: lines.length, isCut: lines.length < entries.length };
}
