/** Files that an enemy may have put there: looked at without following links, and opened only when they are plain. */

import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { closeSync, fileTrouble, lstatSync, openRegular, readdirSync, readPart, systemCode } from '../base/files.js';

/** What came of a look at a file: what it says, or why it is not read. */
export interface GuardedFile {
  readonly source: string | null;
  readonly refusal: string | null;
}

/** Null when nothing is there. What is no plain file is not even opened: opening a device or a pipe can do something. `largest` in bytes. */
export function readGuarded(path: string, largest: number): GuardedFile | null {
  try {
    const is = lstatSync(path);
    const kind = is.isSymbolicLink() ? 'a symbolic link' : is.isDirectory() ? 'a folder' : is.isFIFO() ? 'a pipe' : 'no regular file';
    if (!is.isFile()) return { source: null, refusal: `it is ${kind}` };
    const { descriptor, size } = openRegular(path);
    try {
      if (size > largest) return { source: null, refusal: `it is larger than ${largest / 1024} KiB` };
      const bytes = readPart(descriptor, 0, largest);
      return isUtf8(bytes) ? { source: bytes.toString('utf8'), refusal: null } : { source: null, refusal: 'it is not UTF-8' };
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR') return null;
    return { source: null, refusal: `it cannot be read (${fileTrouble(thrown)})` };
  }
}

/** Is a folder between `folder` and the file a link? Never throws. */
export function leadsElsewhere(folder: string, name: string): boolean {
  const parts = name.split('/').slice(0, -1);
  return parts.some((_, index) => isLink(join(folder, ...parts.slice(0, index + 1))));
}

/** Never throws. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Is there anything of that name, be it a link that leads nowhere? Never throws. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** What stands in a folder, by name; nothing when it cannot be read. */
export function entriesOf(path: string) {
  try {
    return [...readdirSync(path, { withFileTypes: true })].sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}

/**
 * Who can put files into that folder, when it is anybody but this user and the administrator; null: nobody else. Of a folder that cannot be
 * looked at it is not known, so it is others, too.
 */
export function othersIn(path: string, uid: number | null): string | null {
  try {
    const is = lstatSync(path);
    if (uid !== null && is.uid !== uid && is.uid !== 0) return 'belongs to somebody else';
    return (is.mode & 0o002) === 0 ? null : 'can be written to by everybody';
  } catch {
    return 'cannot be looked at';
  }
}
