/** The person's own buddy.toml as it is now, and changing one setting in it. */

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { BuddyError } from '../base/errors.js';
import { withFileLock } from '../base/file-lock.js';
import { fileTrouble, lstatSync, mkdir, readWholeIfPresent, realpath, systemCode, writeAtomically } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { Options } from '../cli-options.js';
import { configDir, type LoadedConfig, loadConfig } from '../config/load.js';
import type { SettingKey } from '../config/settings.js';
import { tomlText } from '../config/toml.js';
import { editedToml, type TomlValue } from '../config/toml-edit.js';
import { overridesOf } from './assembly-config.js';
import { readTrust } from './trust-store.js';

/** What this run was started with. */
export interface Started {
  readonly host: Host;
  readonly options: Options;
  readonly config: LoadedConfig;
}

/** The configuration as the next start would have it. */
export interface Found {
  readonly config: LoadedConfig;
  /** The person's own file; it may not exist yet. */
  readonly path: string;
  /** What it says; '' when there is none. */
  readonly source: string;
  /** Stands for its content. */
  readonly seen: string;
}

/** Looks at it anew. Throws as `loadConfig` does. */
export async function lookAtSettings(started: Started): Promise<Found> {
  const path = pathOf(started);
  const bytes = read(path);
  const source = bytes === null ? '' : tomlText(bytes, path);
  return { config: await loaded(started, path, bytes === null ? null : source), path, source, seen: seenAs(bytes) };
}

/**
 * Sets the key there, or takes its line out (`undefined`). Written whole or not at all, under a lock, keeping every other byte, and only when
 * the program still starts with it. `seen`: what the file must be; left out: whatever it is. Throws BuddyError with a sentence for people;
 * nothing was written then. Resolves with what is to be told besides.
 */
export async function writeSetting(
  started: Started,
  { key, value, seen }: { readonly key: SettingKey; readonly value: TomlValue | undefined; readonly seen?: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { pid, hostname, clock } = started.host;
  const notices: string[] = [];
  const notice = (text: string) => void notices.push(text);
  const path = pathOf(started);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const real = await realPath(path);
    await withFileLock({ path: `${real}.lock`, pid, hostname, clock, notice }, signal, async () => {
      const bytes = read(path);
      if (seen !== undefined && seen !== seenAs(bytes)) throw changedMeanwhile(path);
      const source = bytes === null ? '' : tomlText(bytes, path);
      const edited = await editedToml(source, path, key.split('.'), value);
      if (edited === source) return;
      await mustStart(started, path, edited);
      if (seenAs(read(path)) !== seenAs(bytes)) throw changedMeanwhile(path);
      await writeAtomically(real, Buffer.from(edited), 0o600);
    });
    return notices;
  } catch (thrown) {
    if (thrown instanceof BuddyError || systemCode(thrown) === null) throw thrown;
    throw new BuddyError('config.unwritable', `${path} cannot be written: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}

/** The file that is in use; where there is none, the one that will be read. */
function pathOf({ host, config }: Started): string {
  return config.file ?? join(configDir(host), 'buddy.toml');
}

function read(path: string): Buffer | null {
  try {
    return readWholeIfPresent(path);
  } catch (thrown) {
    throw new BuddyError('config.unreadable', `${path} cannot be read: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}

/** Links are followed, as for reading. One that leads nowhere would be replaced by the file. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') throw thrown;
    let isLink = false;
    try {
      isLink = lstatSync(path).isSymbolicLink();
    } catch {
      return path;
    }
    if (isLink) throw new BuddyError('config.unwritable', `${path} is a link to a file that is not there; nothing was written`);
    return path;
  }
}

function seenAs(bytes: Buffer | null): string {
  return bytes === null ? 'none' : createHash('sha256').update(bytes).digest('hex');
}

function changedMeanwhile(path: string): BuddyError {
  return new BuddyError('config.changed', `${path} has been changed meanwhile, so nothing was written; what you see now is what it says`);
}

function loaded({ host, options }: Started, path: string, source: string | null): Promise<LoadedConfig> {
  const file = source === null ? undefined : { path, source };
  return loadConfig({ host, file, overrides: overridesOf(options), trust: (folder) => readTrust(host).records.get(folder) ?? null });
}

/** By itself, without what stands above it now: it must do on another day as well. */
async function mustStart({ host }: Started, path: string, source: string): Promise<void> {
  const { settings, profiles } = await loadConfig({ host: { ...host, env: {} }, file: { path, source } });
  const summaries = settings['context.compact_profile'];
  if (summaries === '' || profiles.some(({ name }) => name === summaries)) return;
  throw new BuddyError('config.value', `context.compact_profile: there is no model profile "${summaries}"`, {
    hint: `There are: ${profiles.map(({ name }) => name).join(', ')}.`,
  });
}
