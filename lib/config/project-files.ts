/** The files that a working folder brings along for this program: looked for and opened as something that an enemy may have put there. */

import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { closeSync, fileTrouble, lstatSync, openRegular, readdirSync, readPart, realpathSync, systemCode } from '../base/files.js';

/** What a file of a project can hold, the largest that is read (bytes), and what it would do. */
export const projectParts = {
  settings: { largest: 64 * 1024, says: 'settings' },
  context: { largest: 256 * 1024, says: 'the model would be told what it says' },
  prompt: { largest: 256 * 1024, says: 'it would be part of the system prompt' },
  skill: { largest: 256 * 1024, says: 'the model could read it, and files beside it, when a task fits' },
  template: { largest: 256 * 1024, says: 'a command of that name would send it as a prompt' },
  extension: { largest: 1024 * 1024, says: 'code that would run with your rights' },
  mcp: { largest: 64 * 1024, says: 'servers that would be started or asked' },
} as const;

/** One of those. */
export type ProjectPart = keyof typeof projectParts;

/** One kind of file. Widen what a folder can bring along by a row. */
interface ProjectFileRow {
  readonly name: string;
  /** What it holds. */
  readonly holds: ProjectPart;
  /** It is not read beside one of those names. */
  readonly unless?: readonly string[];
  /** It is a folder: all files below it count. */
  readonly below?: true;
}

/** In the order in which they are shown. `.env` is none of them: nothing here ever reads one. */
const projectFileRows: readonly ProjectFileRow[] = [
  { name: 'buddy.toml', holds: 'settings' },
  { name: 'agent.toml', holds: 'settings', unless: ['buddy.toml'] },
  { name: 'AGENTS.md', holds: 'context' },
  { name: 'CLAUDE.md', holds: 'context', unless: ['AGENTS.md'] },
  { name: 'AGENT.md', holds: 'context', unless: ['AGENTS.md', 'CLAUDE.md'] },
  { name: '.buddy/SYSTEM.md', holds: 'prompt' },
  { name: '.buddy/APPEND_SYSTEM.md', holds: 'prompt' },
  { name: '.buddy/skills', holds: 'skill', below: true },
  { name: '.agents/skills', holds: 'skill', below: true },
  { name: '.buddy/prompts', holds: 'template', below: true },
  { name: '.buddy/extensions', holds: 'extension', below: true },
  { name: '.mcp.json', holds: 'mcp' },
  { name: 'mcp.json', holds: 'mcp', unless: ['.mcp.json'] },
];

/** Below one folder so many files are read, so many bytes, so deep; what is beyond is told and not read. */
const MOST_FILES = 500;
const MOST_BYTES = 16 * 1024 * 1024;
const DEEPEST = 8;

/** A file that is there. */
export interface ProjectFile {
  /** Relative to the folder. */
  readonly name: string;
  readonly holds: ProjectPart;
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
  for (const { name, holds, unless = [], below } of projectFileRows) {
    const path = join(folder, name);
    if (except !== null && isSame(path, except)) continue;
    if (below === true) {
      found.push(...filesBelow(folder, name, holds));
      continue;
    }
    const read = leadsElsewhere(folder, name) && isThere(path) ? elsewhere : readSafely(path, holds);
    if (read === null) continue;
    const beside = unless.find((other) => found.some((known) => known.name === other));
    found.push({ name, holds, path, ...(beside === undefined ? read : { source: null, refusal: `there is ${beside} beside it` }) });
  }
  return found;
}

const elsewhere = { source: null, refusal: 'the way to it is a symbolic link' } as const;

/** Is a folder between `folder` and the file a link, or anything but a folder? */
function leadsElsewhere(folder: string, name: string): boolean {
  const parts = name.split('/').slice(0, -1);
  return parts.some((_, index) => isLink(join(folder, ...parts.slice(0, index + 1))));
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** All files below it, by name. Links are named and not followed. */
function filesBelow(folder: string, name: string, holds: ProjectPart): readonly ProjectFile[] {
  const found: ProjectFile[] = [];
  let bytes = 0;
  const refuse = (at: string, refusal: string) => found.push({ name: at, holds, path: join(folder, at), source: null, refusal });
  const walk = (at: string, depth: number): void => {
    if (isLink(join(folder, at))) return void refuse(at, 'it is a symbolic link');
    for (const entry of entriesOf(join(folder, at))) {
      const inside = `${at}/${entry.name}`;
      if (found.length >= MOST_FILES || bytes > MOST_BYTES) return;
      if (entry.isDirectory()) {
        if (depth >= DEEPEST) refuse(inside, 'it lies too deep');
        else walk(inside, depth + 1);
        continue;
      }
      const read = readSafely(join(folder, inside), holds);
      bytes += read?.source?.length ?? 0;
      if (read !== null) found.push({ name: inside, holds, path: join(folder, inside), ...read });
    }
  };
  if (leadsElsewhere(folder, name)) return isThere(join(folder, name)) ? [{ name, holds, path: join(folder, name), ...elsewhere }] : [];
  walk(name, 1);
  if (found.length >= MOST_FILES || bytes > MOST_BYTES) refuse(`${name}/…`, 'there are too many files; what comes after these is not read');
  return found;
}

function entriesOf(path: string) {
  try {
    return [...readdirSync(path, { withFileTypes: true })].sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
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
function readSafely(path: string, holds: ProjectPart): Pick<ProjectFile, 'source' | 'refusal'> | null {
  try {
    const is = lstatSync(path);
    const kind = is.isSymbolicLink() ? 'a symbolic link' : is.isDirectory() ? 'a folder' : is.isFIFO() ? 'a pipe' : 'no regular file';
    if (!is.isFile()) return { source: null, refusal: `it is ${kind}` };
    const { descriptor, size } = openRegular(path);
    try {
      const { largest } = projectParts[holds];
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
