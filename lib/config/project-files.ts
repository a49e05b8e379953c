/** The files that a working folder brings along for this program: looked for and opened as something that an enemy may have put there. */

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { realpathSync } from '../base/files.js';
import { type IgnoreRules, isIgnored, parseIgnore } from '../base/ignore-rules.js';
import { entriesOf, isLink, isThere, leadsElsewhere, othersIn, readGuarded } from './guarded-file.js';

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
  /** It is looked for in the folders above as well: in all of them, or in those of the repository that the folder is in. */
  readonly above?: 'all' | 'repository';
}

/** In the order in which they are shown: what can do most first. `.env` is none of them: nothing here ever reads one. */
const projectFileRows: readonly ProjectFileRow[] = [
  { name: '.buddy/extensions', holds: 'extension', below: true },
  { name: '.mcp.json', holds: 'mcp' },
  { name: 'mcp.json', holds: 'mcp', unless: ['.mcp.json'] },
  { name: '.buddy/SYSTEM.md', holds: 'prompt' },
  { name: '.buddy/APPEND_SYSTEM.md', holds: 'prompt' },
  { name: 'AGENTS.md', holds: 'context', above: 'all' },
  { name: 'CLAUDE.md', holds: 'context', unless: ['AGENTS.md'], above: 'all' },
  { name: 'AGENT.md', holds: 'context', unless: ['AGENTS.md', 'CLAUDE.md'], above: 'all' },
  { name: '.buddy/skills', holds: 'skill', below: true, above: 'repository' },
  { name: '.agents/skills', holds: 'skill', below: true, above: 'repository' },
  { name: '.buddy/prompts', holds: 'template', below: true },
  { name: 'buddy.toml', holds: 'settings' },
  { name: 'agent.toml', holds: 'settings', unless: ['buddy.toml'] },
];

/** Below one folder so many files are read, so many bytes, so deep; what is beyond is told and not read. */
const MOST_FILES = 500;
const MOST_BYTES = 16 * 1024 * 1024;
const DEEPEST = 8;
/** So many entries below one folder are looked at: what is left out counts as well. */
const MOST_ENTRIES = 5000;
/** So much is compared with rules that an enemy may have written: their characters times those of the names. */
const MOST_COMPARED = 20_000_000;
/** So many folders above are looked into. */
const MOST_ABOVE = 64;
/** What leaves files below a skill out, as in a repository. */
const IGNORE_FILES = ['.gitignore', '.ignore', '.fdignore'];
/** No list of rules is larger (bytes). */
const LARGEST_RULES = 64 * 1024;

/** A file that is there. */
export interface ProjectFile {
  /** Relative to the folder; absolute for one of a folder above it. */
  readonly name: string;
  readonly holds: ProjectPart;
  /** Absolute, in the real folder. */
  readonly path: string;
  /** Of a file that counts because of the folder it is in: that folder, absolute. */
  readonly top?: string;
  /** What it says; null: it is not read. */
  readonly source: string | null;
  /** Why not, in words; null when it is. */
  readonly refusal: string | null;
  /** It is another name for what is read: nobody misses it. */
  readonly isOther?: boolean;
}

/** The folder itself, without links on the way. Never throws. */
export function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch {
    return cwd;
  }
}

/** What is the person's own, and so is nothing that a folder brings along. */
export interface OwnPlaces {
  /** Numeric id of the user; null: not known. */
  readonly uid: number | null;
  /** The file that they named on the command line, or theirs. */
  readonly file: string | null;
  /** Folders with skills and instructions of theirs, absolute. */
  readonly folders: readonly string[];
}

/** The files in `folder` (a real path) and those of the folders above that count for it, which come first. Never throws and never waits. */
export function findProjectFiles(folder: string, own: OwnPlaces): readonly ProjectFile[] {
  return [...foundAbove(folder, own), ...foundIn(folder, projectFileRows, (name) => name, own)];
}

/** From the root down. What others could have put there is named and not read. */
function foundAbove(folder: string, own: OwnPlaces): readonly ProjectFile[] {
  const above = foldersAbove(folder);
  const top = [folder, ...above].findIndex(isRepository);
  return above
    .flatMap((at, index) => {
      const inRepository = index < top;
      const rows = projectFileRows.filter((row) => row.above === 'all' || (row.above === 'repository' && inRepository));
      const found = foundIn(at, rows, (name) => join(at, name), own);
      const others = found.length === 0 ? null : othersIn(at, own.uid);
      return [others === null ? found : found.map((file) => ({ ...file, source: null, refusal: `${at} ${others}` }))];
    })
    .reverse()
    .flat();
}

/** The nearest first. */
function foldersAbove(folder: string): readonly string[] {
  const above: string[] = [];
  for (let at = dirname(folder), below = folder; at !== below && above.length < MOST_ABOVE; below = at, at = dirname(at)) above.push(at);
  return above;
}

function foundIn(
  folder: string,
  rows: readonly ProjectFileRow[],
  called: (name: string) => string,
  own: OwnPlaces,
): readonly ProjectFile[] {
  const found: ProjectFile[] = [];
  for (const { name, holds, unless = [], below } of rows) {
    const path = join(folder, name);
    if (!isThere(path) || isOwn(path, own)) continue;
    if (below === true) {
      found.push(...filesBelow(folder, name, holds).map((file) => ({ ...file, name: called(file.name), top: path })));
      continue;
    }
    const read = leadsElsewhere(folder, name) ? elsewhere : readGuarded(path, projectParts[holds].largest);
    if (read === null) continue;
    // Of instructions one is often a link to the other: what is read counts. Settings that are refused are no leave to read older ones.
    const counts = (known: ProjectFile) => holds !== 'context' || known.source !== null;
    const beside = unless.find((other) => found.some((known) => known.name === called(other) && counts(known)));
    const is = beside === undefined ? read : { source: null, refusal: `there is ${beside} beside it`, isOther: holds === 'context' };
    found.push({ name: called(name), holds, path, ...is });
  }
  return found;
}

const elsewhere = { source: null, refusal: 'the way to it is a symbolic link' } as const;

/** All files below it, by name. Links are named and not followed; of a skill what its lists of ignored files leave out is not there. */
function filesBelow(folder: string, name: string, holds: ProjectPart): readonly ProjectFile[] {
  const found: ProjectFile[] = [];
  let [bytes, entries, compared] = [0, 0, 0];
  const isFull = () => found.length >= MOST_FILES || bytes > MOST_BYTES || entries > MOST_ENTRIES || compared > MOST_COMPARED;
  const refuse = (at: string, refusal: string) => found.push({ name: at, holds, path: join(folder, at), source: null, refusal });
  const walk = (at: string, depth: number, above: readonly SizedRules[]): void => {
    if (isLink(join(folder, at))) return void refuse(at, 'it is a symbolic link');
    const rules = holds === 'skill' ? [...above, rulesIn(folder, at)] : above;
    const size = rules.reduce((sum, of) => sum + of.size, 0);
    for (const entry of entriesOf(join(folder, at))) {
      const inside = `${at}/${entry.name}`;
      entries++;
      compared += size * inside.length;
      if (isFull()) return;
      if (holds === 'skill' && (entry.name === 'node_modules' || isIgnored(rules, inside, entry.isDirectory()))) continue;
      if (entry.isDirectory()) {
        if (depth >= DEEPEST) refuse(inside, 'it lies too deep');
        else walk(inside, depth + 1, rules);
        continue;
      }
      const read = readGuarded(join(folder, inside), projectParts[holds].largest);
      bytes += read?.source?.length ?? 0;
      if (read !== null) found.push({ name: inside, holds, path: join(folder, inside), ...read });
    }
  };
  if (leadsElsewhere(folder, name)) return [{ name, holds, path: join(folder, name), ...elsewhere }];
  walk(name, 1, []);
  if (isFull()) refuse(`${name}/…`, 'there are too many files; what comes after these is not read');
  return found;
}

/** `size`: characters that they are written with. */
interface SizedRules extends IgnoreRules {
  readonly size: number;
}

function rulesIn(folder: string, at: string): SizedRules {
  const sources = IGNORE_FILES.map((name) => readGuarded(join(folder, at, name), LARGEST_RULES)?.source ?? '');
  const size = sources.reduce((sum, source) => sum + source.length, 0);
  return { folder: `${at}/`, below: '', rules: sources.flatMap((source) => parseIgnore(source)), size };
}

/** One hash of names and contents. Without files it has a value, too. */
export function hashOf(files: readonly ProjectFile[]): string {
  const parts = files.flatMap(({ name, source }) => (source === null ? [] : [name, createHash('sha256').update(source).digest('hex')]));
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Does the folder belong to a checkout of a version control, so that what is in it came from elsewhere? Never throws. */
export function isCheckout(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (isRepository(at)) return true;
    if (dirname(at) === at) return false;
  }
}

function isRepository(folder: string): boolean {
  return ['.git', '.hg', '.svn', '.jj'].some((name) => isThere(join(folder, name)));
}

/** Is it the person's own, by whatever links it is named? */
function isOwn(path: string, { file, folders }: OwnPlaces): boolean {
  const [real, within] = [realFolder(path), realFolder(dirname(path))];
  return (file !== null && real === realFolder(file)) || folders.map(realFolder).some((of) => of === real || of === within);
}
