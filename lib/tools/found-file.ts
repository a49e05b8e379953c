/** A file as it was when a person was asked about a change of it, to show them and to see whether it is still so. */

import { asBuddyError, isAbort } from '../base/errors.js';
import type { ExecutionTarget } from '../targets/target.js';

/** Its text; null when there was no such file. */
export interface FoundFile {
  readonly text: string | null;
}

/** A larger file is not shown: nobody reads such a difference. */
const LARGEST = 512_000;

/** What stands in that file; undefined when it cannot be shown: too large, no text, not to be read. */
export async function lookAt(target: ExecutionTarget, path: string, signal: AbortSignal): Promise<FoundFile | undefined> {
  try {
    const { bytes, size } = await target.readFile(path, { offset: 0, limit: LARGEST }, signal);
    if (size > LARGEST || bytes.length < size) return undefined;
    const text = textOf(bytes);
    return text === null ? undefined : { text };
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    // Every place says it in these words.
    return asBuddyError(thrown, 'target.file').message.endsWith('no such file or folder') ? { text: null } : undefined;
  }
}

/** Does that file hold something else by now? */
export async function changedSince(found: FoundFile, target: ExecutionTarget, path: string, signal: AbortSignal): Promise<boolean> {
  const now = await lookAt(target, path, signal);
  return now === undefined || now.text !== found.text;
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
