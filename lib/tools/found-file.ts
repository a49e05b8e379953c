/** A file as it was when a person was asked about a change of it, to show them and to see whether it is still so. */

import { createHash } from 'node:crypto';
import { asBuddyError, isAbort } from '../base/errors.js';
import type { ExecutionTarget } from '../targets/target.js';

/** One that could be read, or that there was none. */
export interface FoundFile {
  /** Its text; null when there was no such file; undefined when it cannot be shown: too large, no text. */
  readonly text: string | null | undefined;
  /** Differs when its content does; of a large file when its size or its beginning do. */
  readonly print: string;
  /** How many names it has. */
  readonly names: number;
}

/** A larger file is not shown: nobody reads such a difference. */
const LARGEST = 512_000;

/** What stands in that file; undefined when it cannot be read. */
export async function lookAt(target: ExecutionTarget, path: string, signal: AbortSignal): Promise<FoundFile | undefined> {
  try {
    const { bytes, size, names = 1 } = await target.readFile(path, { offset: 0, limit: LARGEST }, signal);
    const print = `${size} ${createHash('sha256').update(bytes).digest('hex')}`;
    const isWhole = size <= LARGEST && bytes.length >= size;
    return { text: isWhole ? (textOf(bytes) ?? undefined) : undefined, print, names };
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    // Every place says it in these words.
    return asBuddyError(thrown, 'target.file').message.endsWith('no such file or folder') ? { text: null, print: '', names: 0 } : undefined;
  }
}

/** Does that file hold something else by now? */
export async function changedSince(found: FoundFile, target: ExecutionTarget, path: string, signal: AbortSignal): Promise<boolean> {
  const now = await lookAt(target, path, signal);
  return now === undefined || now.print !== found.print || now.names !== found.names;
}

/** The text in `bytes`; null when it is not UTF-8 or holds a NUL. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
