/** The files that a working folder brings along for this program: looked for and opened as something that an enemy may have put there. */

import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { closeSync, fileTrouble, lstatSync, openRegular, readPart, realpathSync, systemCode } from '../base/files.js';

/** No configuration is larger (bytes). */
const LARGEST = 64 * 1024;

/** One kind of file. Widen what a folder can bring along by a row. */
interface ProjectFileRow {
  readonly name: string;
  /** What it holds. */
  readonly holds: 'settings';
  /** It is not read beside the one of that name. */
  readonly unless?: string;
}

/** In the order in which they are shown. `.env` is none of them: nothing here ever reads one. */
const projectFileRows: readonly ProjectFileRow[] = [
  { name: 'buddy.toml', holds: 'settings' },
  { name: 'agent.toml', holds: 'settings', unless: 'buddy.toml' },
];

/** A file that is there. */
export interface ProjectFile {
  readonly name: string;
  /** Absolute, in the real folder. */
  readonly path: string;
  /** What it says; null: it is not read. */
  readonly source: string | null;
  /** Why not, in words; null when it is. */
  readonly refusal: string | null;
}

/** The folder itself, without links on the way. Never throws. */
export function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch {
    return cwd;
  }
}

/** The files in `folder` (a real path), but for `except`, which the person named on the command line. Never throws and never waits. */
export function findProjectFiles(folder: string, except: string | null): readonly ProjectFile[] {
  const found: ProjectFile[] = [];
  for (const { name, unless } of projectFileRows) {
    const path = join(folder, name);
    if (except !== null && isSame(path, except)) continue;
    const read = readSafely(path);
    if (read === null) continue;
    const isBeside = unless !== undefined && found.some((other) => other.name === unless);
    found.push({ name, path, ...(isBeside ? { source: null, refusal: `there is ${unless} beside it` } : read) });
  }
  return found;
}

/** One hash of names and contents. Without files it has a value, too. */
export function hashOf(files: readonly ProjectFile[]): string {
  const parts = files.flatMap(({ name, source }) => (source === null ? [] : [name, createHash('sha256').update(source).digest('hex')]));
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Does the folder belong to a checkout of a version control, so that what is in it came from elsewhere? Never throws. */
export function isCheckout(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (['.git', '.hg', '.svn', '.jj'].some((name) => isThere(join(at, name)))) return true;
    if (dirname(at) === at) return false;
  }
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The same file, by whatever links it is named. */
function isSame(path: string, other: string): boolean {
  try {
    return realpathSync(path) === realpathSync(other);
  } catch {
    return path === other;
  }
}

/** Null when nothing is there. What is no plain file is not even opened: opening a device or a pipe can do something. */
function readSafely(path: string): Pick<ProjectFile, 'source' | 'refusal'> | null {
  try {
    const is = lstatSync(path);
    const kind = is.isSymbolicLink() ? 'a symbolic link' : is.isDirectory() ? 'a folder' : is.isFIFO() ? 'a pipe' : 'no regular file';
    if (!is.isFile()) return { source: null, refusal: `it is ${kind}` };
    const { descriptor, size } = openRegular(path);
    try {
      if (size > LARGEST) return { source: null, refusal: `it is larger than ${LARGEST / 1024} KiB` };
      const bytes = readPart(descriptor, 0, LARGEST);
      return isUtf8(bytes) ? { source: bytes.toString('utf8'), refusal: null } : { source: null, refusal: 'it is not UTF-8' };
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR') return null;
    return { source: null, refusal: `it cannot be read (${fileTrouble(thrown)})` };
  }
}
