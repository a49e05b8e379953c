/** Entries of a folder: those that a pattern matches, and as lines for a model, bounded in number and size. */

import { globMatcher } from '../../base/ignore-rules.js';
import type { Pause } from '../../base/unhurried.js';
import type { Entry } from './listing-script.js';
import { shownName, textOf } from './names.js';

/** Bytes of one list. */
export const MOST_LIST_BYTES = 50 * 1024;

/** The entries that a glob pattern (which must be one) matches. */
export async function matchingEntries(entries: readonly Entry[], pattern: string, pause: Pause): Promise<readonly Entry[]> {
  const matches = globMatcher(pattern);
  const found: Entry[] = [];
  for (const [at, entry] of entries.entries()) {
    if (at % 500 === 499) await pause();
    if (matches?.(textOf(entry.path), entry.kind === 'folder') === true) found.push(entry);
  }
  return found;
}

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
