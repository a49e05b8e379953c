/** The files below a folder, for `@` in a draft: the nearest first, without what .gitignore leaves out, bounded in number and time. */

import { dirname, join, relative } from 'node:path';
import type { Clock } from '../base/clock.js';
import { closeSync, openRegular, readdir, readPart, stat } from '../base/files.js';
import { type IgnoreRules, isIgnored, parseIgnore } from '../base/ignore-rules.js';

/** More would be no help to anybody, and slow to search. */
const MOST_PATHS = 20_000;
/** A disk that answers slowly is not walked to its end (milliseconds). */
const MOST_MS = 3000;
/** How often what was found so far is told (milliseconds). */
const TELL_MS = 150;
/** Folders above, up to the root of the repository, whose rules are read. */
const MOST_ABOVE = 40;
/** No list of rules is larger (bytes). */
const LARGEST_RULES = 256 * 1024;

/** What has been found so far. */
export interface FoundFiles {
  /** Relative to the folder; folders end with `/`. */
  readonly paths: readonly string[];
  readonly looking: boolean;
  readonly more: boolean;
}

/** Tells what it finds, and once more at the end. A folder that cannot be read is left out. Never rejects; silent after an abort. */
export async function listFiles(root: string, clock: Clock, tell: (found: FoundFiles) => void, signal: AbortSignal): Promise<void> {
  const startMs = clock.monotonic();
  const paths: string[] = [];
  let toldMs = startMs;
  let folders: readonly Folder[] = [{ path: '', rules: await rulesAbove(root) }];
  const isOver = () => paths.length >= MOST_PATHS || clock.monotonic() - startMs > MOST_MS;
  while (folders.length > 0 && !isOver()) {
    const next: Folder[] = [];
    for (const folder of folders) {
      if (signal.aborted) return;
      if (isOver()) break;
      next.push(...(await look(root, folder, paths)));
      if (clock.monotonic() - toldMs < TELL_MS) continue;
      toldMs = clock.monotonic();
      tell({ paths: paths.slice(0, MOST_PATHS), looking: true, more: false });
    }
    folders = next;
  }
  if (!signal.aborted) tell({ paths: paths.slice(0, MOST_PATHS), looking: false, more: folders.length > 0 || paths.length > MOST_PATHS });
}

interface Folder {
  /** '' or `src/lib/`. */
  readonly path: string;
  readonly rules: readonly IgnoreRules[];
}

/** Adds what stands in a folder to `paths`; the folders in it. */
async function look(root: string, folder: Folder, paths: string[]): Promise<readonly Folder[]> {
  const entries = await readdir(join(root, folder.path), { withFileTypes: true }).catch(() => []);
  const own = entries.some((entry) => entry.name === '.gitignore') ? rulesIn(join(root, folder.path)) : [];
  const rules = own.length === 0 ? folder.rules : [...folder.rules, { folder: folder.path, below: '', rules: own }];
  const folders: Folder[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder.path + entry.name;
    const isFolder = entry.isDirectory();
    if (entry.name === '.git' || isIgnored(rules, path, isFolder)) continue;
    paths.push(isFolder ? `${path}/` : path);
    if (isFolder) folders.push({ path: `${path}/`, rules });
  }
  return folders;
}

function rulesIn(folder: string): IgnoreRules['rules'] {
  return rulesOf(join(folder, '.gitignore'));
}

/** None when it is no plain file: a link could lead anywhere, and a pipe would be waited for. Git follows no such link either. */
function rulesOf(path: string): IgnoreRules['rules'] {
  try {
    const { descriptor, size } = openRegular(path);
    try {
      return size > LARGEST_RULES ? [] : parseIgnore(readPart(descriptor, 0, size).toString('utf8'));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return [];
  }
}

/** The rules of the folders above, when the root lies in a repository. */
async function rulesAbove(root: string): Promise<readonly IgnoreRules[]> {
  const above: IgnoreRules[] = [];
  for (let folder = root, steps = 0; steps < MOST_ABOVE; steps++) {
    const isTop = await stat(join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (folder !== root || isTop) {
      const below = relative(folder, root);
      const path = below === '' ? '' : `${below}/`;
      if (isTop) {
        const exclude = rulesOf(join(folder, '.git', 'info', 'exclude'));
        if (folder !== root) above.unshift({ folder: '', below: path, rules: rulesIn(folder) });
        return [{ folder: '', below: path, rules: exclude }, ...above];
      }
      above.unshift({ folder: '', below: path, rules: rulesIn(folder) });
    }
    const parent = dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return [];
}
