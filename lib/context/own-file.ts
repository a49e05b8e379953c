/** Files of the person's own: links are followed, as they may keep them elsewhere, and still nothing is waited for. */

import { isUtf8 } from 'node:buffer';
import { BuddyError } from '../base/errors.js';
import { closeSync, fileConstants, fileTrouble, fstatSync, openSync, readPart, systemCode } from '../base/files.js';
import { wholeCharacters } from '../base/whole-characters.js';

/** The start of a file. */
export interface OwnFile {
  /** At most `largest` bytes of it, whole characters, without a byte order mark. */
  readonly text: string;
  /** Bytes of all of it. */
  readonly size: number;
}

/** Null when there is none. Throws BuddyError `context.file` with path and reason for what cannot be read as text. */
export function readOwnFile(path: string, largest: number): OwnFile | null {
  try {
    const descriptor = openSync(path, fileConstants.O_RDONLY | fileConstants.O_NONBLOCK | fileConstants.O_NOCTTY);
    try {
      const found = fstatSync(descriptor);
      if (!found.isFile()) throw new BuddyError('context.file', `${path} is not read: it is no regular file`);
      const bytes = readPart(descriptor, 0, Math.min(found.size, largest));
      const whole = bytes.length < found.size ? wholeCharacters(bytes) : bytes;
      if (!isUtf8(whole)) throw new BuddyError('context.file', `${path} is not read: it is not UTF-8`);
      return {
        text: Buffer.from(whole)
          .toString('utf8')
          .replace(/^\ufeff/, ''),
        size: found.size,
      };
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    if (thrown instanceof BuddyError) throw thrown;
    if (systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR') return null;
    throw new BuddyError('context.file', `${path} is not read: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}
