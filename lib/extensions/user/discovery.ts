/** Where extensions of the person's own are: named on the command line, in their folder, and those of a trusted project as they were hashed. */

import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { BuddyError } from '../../base/errors.js';
import { fileTrouble, mkdir, readdir, readTextIfPresent, rm, stat, systemCode, utimesSync, writeAtomically } from '../../base/files.js';
import type { ProjectFile } from '../../config/project-files.js';
import type { FoundExtension } from './user-extension.js';

/** What a module can be called. */
const MODULE = /\.(?:js|mjs|ts|mts)$/;
/** What was meant as one. */
const ALMOST = /\.[cm]?[jt]sx?$/;
const INDEX = ['index.ts', 'index.mts', 'index.js', 'index.mjs'];
const PROJECT = '.buddy/extensions/';

/** Those that were named. Throws `usage.extension` for what is none. */
export async function namedExtensions(paths: readonly string[], cwd: string): Promise<readonly FoundExtension[]> {
  const found: FoundExtension[] = [];
  for (const path of paths) {
    const at = resolve(cwd, path);
    const module = await moduleAt(at);
    if (module === null)
      throw new BuddyError(
        'usage.extension',
        `${path} is no extension: it must be a .js, .mjs, .ts or .mts file, or a folder with an index`,
      );
    found.push({ label: labelOf(at), from: at, path: module });
  }
  return found;
}

/** Those in a folder, and a sentence for each thing that looks as if it should be one: who has a guard there must hear that it is none. */
export interface FoundExtensions {
  readonly found: readonly FoundExtension[];
  readonly faults: readonly string[];
}

/** By name; what is none is passed over. Never rejects. */
export async function extensionsIn(folder: string): Promise<FoundExtensions> {
  const found: FoundExtension[] = [];
  const faults: string[] = [];
  const names = await readdir(folder).catch((thrown: unknown): string[] => {
    if (systemCode(thrown) !== 'ENOENT') faults.push(`no extension of ${folder} is loaded: ${fileTrouble(thrown)}`);
    return [];
  });
  for (const name of names.filter((of) => !of.startsWith('.') && !of.endsWith('.d.ts') && of !== 'node_modules').sort()) {
    const at = join(folder, name);
    const module = await moduleAt(at);
    if (module !== null) found.push({ label: labelOf(at), from: at, path: module });
    else if (ALMOST.test(name)) faults.push(`${at} is not loaded: an extension is a .js, .mjs, .ts or .mts file that can be read`);
    else if (await isThere(join(at, 'package.json'))) faults.push(`${at} is not loaded: it has no index, and its package.json names none`);
  }
  return { found, faults };
}

/**
 * Those among the files of a trusted project, from a private copy below `store`: what was hashed is what runs, and nothing beside it can be
 * reached by a relative path. Rejects with the system's error when the copy cannot be written.
 */
export async function projectExtensions(files: readonly ProjectFile[], store: string, nowMs: number): Promise<readonly FoundExtension[]> {
  const ours = files.flatMap(({ name, holds, path, source }) =>
    holds === 'extension' && source !== null && name.startsWith(PROJECT) ? [{ name: name.slice(PROJECT.length), path, source }] : [],
  );
  if (ours.length === 0) return [];
  const hash = createHash('sha256')
    .update(JSON.stringify(ours.map(({ name, source }) => [name, source])))
    .digest('hex');
  const copy = join(store, hash.slice(0, 32));
  await dropOld(store, copy, nowMs);
  for (const { name, source } of ours) {
    const to = join(copy, name);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await writeAtomically(to, Buffer.from(source), 0o600);
  }
  // Another program must not take it for old while files of it may still be imported.
  utimesSync(copy, nowMs / 1000, nowMs / 1000);
  const tops = [...new Set(ours.map(({ name }) => name.split('/')[0] ?? ''))].sort();
  const found: FoundExtension[] = [];
  for (const top of tops) {
    const module = moduleAmong(
      top,
      ours.map(({ name }) => name),
    );
    const first = ours.find(({ name }) => name === module);
    if (module !== null && first !== undefined) found.push({ label: labelOf(top), from: first.path, path: join(copy, module) });
  }
  return found;
}

/** Copies that nobody has made anew for so long belong to nobody (milliseconds). */
const OLD_MS = 30 * 24 * 3600 * 1000;

async function dropOld(store: string, kept: string, nowMs: number): Promise<void> {
  for (const name of await readdir(store).catch((): string[] => [])) {
    const path = join(store, name);
    const is = await stat(path).catch(() => null);
    if (path !== kept && is !== null && nowMs - is.mtimeMs > OLD_MS)
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

function moduleAmong(top: string, names: readonly string[]): string | null {
  if (names.includes(top)) return MODULE.test(top) && !top.endsWith('.d.ts') ? top : null;
  return INDEX.map((index) => `${top}/${index}`).find((name) => names.includes(name)) ?? null;
}

/** The module to load for a file or a folder; null: it is no extension. */
async function moduleAt(path: string): Promise<string | null> {
  const is = await stat(path).catch(() => null);
  if (is === null) return null;
  if (is.isFile()) return MODULE.test(path) ? path : null;
  if (!is.isDirectory()) return null;
  for (const index of [...mainOf(path), ...INDEX]) {
    const at = join(path, index);
    if (
      await stat(at).then(
        (of) => of.isFile(),
        () => false,
      )
    )
      return at;
  }
  return null;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** What the package says: `"buddy": { "extension": "src/main.ts" }`. */
function mainOf(folder: string): readonly string[] {
  try {
    const said = JSON.parse(readTextIfPresent(join(folder, 'package.json')) ?? '{}') as {
      readonly buddy?: { readonly extension?: unknown };
    };
    const main = said.buddy?.extension;
    return typeof main === 'string' ? [main] : [];
  } catch {
    return [];
  }
}

function labelOf(path: string): string {
  return basename(path).replace(MODULE, '');
}
