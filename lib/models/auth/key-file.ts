/** A key that stands in a file, and what every key must be. */

import { BuddyError, type ErrorCode } from '../../base/errors.js';
import { fileTrouble, readText } from '../../base/files.js';

/** What the file holds, without line ends behind it; `whose` names what it is the key of. Throws `code`. */
export async function keyFromFile(path: string, whose: string, code: ErrorCode): Promise<string> {
  try {
    return (await readText(path)).replace(/[\r\n]+$/, '');
  } catch (thrown) {
    throw new BuddyError(code, `The key file ${path} of ${whose} cannot be read: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}

/** `key` when a header can hold it ('' is none). Throws `code`. */
export function soundKey(key: string, whose: string, code: ErrorCode): string {
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  throw new BuddyError(code, `The key of ${whose} holds blanks, line ends or characters that no key has`, {
    hint: 'Look for a second line or a stray character where it is kept.',
  });
}
