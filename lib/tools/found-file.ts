/** A file as it was when a person was asked about a change of it, to show them and to see whether it is still so. */

import { createHash } from 'node:crypto';
import { formatBytes } from '../base/duration.js';
import { asBuddyError, isAbort } from '../base/errors.js';
import type { ExecutionTarget } from '../targets/target.js';

/** One that could be read, or that there was none. */
export interface FoundFile {
  /** Its text; null when there was no such file; undefined when it cannot be shown: `why`. */
  readonly text: string | null | undefined;
  /** Why it cannot be shown, as the end of a sentence. */
  readonly why?: string;
  /** What was looked at as a whole at most (bytes). */
  readonly largest: number;
  /** Differs when its content does; of a large file when its size or its beginning do. */
  readonly print: string;
  /** How many names it has. */
  readonly names: number;
  /** Where the file that was opened really is; left out: not known. */
  readonly real?: string | undefined;
}

/** A larger file is not shown whole: nobody reads such a difference. */
export const LARGEST_SHOWN = 512_000;

/** What stands in that file, at most `largest` bytes; undefined when it cannot be read. */
export async function lookAt(
  target: ExecutionTarget,
  path: string,
  signal: AbortSignal,
  largest = LARGEST_SHOWN,
): Promise<FoundFile | undefined> {
  try {
    const piece = await target.readFile(path, { offset: 0, limit: LARGEST_SHOWN }, signal);
    const isMore = piece.size > LARGEST_SHOWN && piece.size <= largest;
    const { bytes, size, names = 1, real } = isMore ? await target.readFile(path, { offset: 0, limit: largest }, signal) : piece;
    const print = `${size} ${createHash('sha256').update(bytes).digest('hex')}`;
    if (size > largest || bytes.length < size)
      return {
        text: undefined,
        why: `it has ${formatBytes(size)}, and at most ${formatBytes(largest)} can be`,
        print,
        names,
        largest,
        real,
      };
    const text = textOf(bytes);
    return typeof text === 'string' ? { text, print, names, largest, real } : { text: undefined, ...text, print, names, largest, real };
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    // Every place says it in these words.
    const isNone = asBuddyError(thrown, 'target.file').message.endsWith('no such file or folder');
    return isNone ? { text: null, print: '', names: 0, largest } : undefined;
  }
}

/** Does that file hold something else by now? */
export async function changedSince(found: FoundFile, target: ExecutionTarget, path: string, signal: AbortSignal): Promise<boolean> {
  const now = await lookAt(target, path, signal, found.largest);
  return now === undefined || now.print !== found.print || now.names !== found.names;
}

/** The text in `bytes`, or why there is none. */
function textOf(bytes: Uint8Array): string | { readonly why: string } {
  if (bytes.includes(0)) return { why: 'it is binary: it holds a NUL' };
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { why: 'it is no text in UTF-8' };
  }
}
