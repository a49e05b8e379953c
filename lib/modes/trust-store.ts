/** Which folders the person trusts: `trust.json` in the state folder, by real path. A file that is not sound is told of, and then nothing is trusted. */

import { join } from 'node:path';
import { BuddyError, messageOf } from '../base/errors.js';
import { withFileLock } from '../base/file-lock.js';
import { closeSync, fileTrouble, lstatSync, mkdir, openRegular, readPart, systemCode, writeAtomically } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { TrustRecord } from '../config/project.js';
import { stateFolder } from './state-folder.js';

/** Of the format. */
const VERSION = 1;
/** No list of folders is larger (bytes). */
const LARGEST = 4 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

type Records = ReadonlyMap<string, TrustRecord>;

/** What is known, and the sentence about a file that is ignored. Never throws. */
export function readTrust(host: Host): { readonly records: Records; readonly problem: string | null } {
  try {
    return { records: read(host), problem: null };
  } catch (thrown) {
    return { records: new Map(), problem: `${messageOf(thrown)}; no folder is trusted` };
  }
}

/**
 * Keeps what the person said of a folder; null takes it back. Other folders stay as another program may have left them meanwhile. Throws
 * `config.*` for a file that is not sound, which is left alone, `state.write` and `file.locked`.
 */
export async function keepTrust(host: Host, folder: string, record: TrustRecord | null, signal: AbortSignal): Promise<void> {
  const path = storePath(host);
  try {
    await mkdir(stateFolder(host), { recursive: true, mode: 0o700 });
    const lock = { path: `${path}.lock`, pid: host.pid, hostname: host.hostname, clock: host.clock };
    await withFileLock(lock, signal, async () => {
      const records = new Map(read(host));
      if (record === null) records.delete(folder);
      else records.set(folder, record);
      await writeAtomically(path, Buffer.from(textOf(records)), 0o600);
    });
  } catch (thrown) {
    if (thrown instanceof BuddyError || systemCode(thrown) === null) throw thrown;
    throw new BuddyError('state.write', `${path} cannot be written: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}

function storePath(host: Host): string {
  return join(stateFolder(host), 'trust.json');
}

function textOf(records: Records): string {
  return `${JSON.stringify({ version: VERSION, folders: Object.fromEntries(records) }, null, 2)}\n`;
}

/** Throws `config.*` with the file. */
function read(host: Host): Records {
  const path = storePath(host);
  const source = sourceOf(host, path);
  if (source === null) return new Map();
  const content = asTable(parsed(source, path));
  const folders = asTable(content?.['folders']);
  if (content?.['version'] !== VERSION || folders === null) throw fault(path, 'this is no list of folders');
  return new Map(
    Object.entries(folders).map(([folder, value]) => {
      const record = recordOf(value);
      if (record === null || !folder.startsWith('/')) throw fault(path, `what it says of ${JSON.stringify(folder)} is not understood`);
      return [folder, record];
    }),
  );
}

/** What others could have written is nobody's yes, nor is what a link leads to. */
function sourceOf(host: Host, path: string): string | null {
  try {
    const { uid, mode } = lstatSync(path);
    if (host.uid !== null && uid !== host.uid) throw fault(path, 'it is not yours');
    const { descriptor, size } = openRegular(path);
    try {
      if ((mode & 0o022) !== 0) throw fault(path, 'others may write to it (chmod 600 mends that)');
      if (size > LARGEST) throw fault(path, 'it is too large');
      return readPart(descriptor, 0, size).toString('utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR') return null;
    if (thrown instanceof BuddyError || systemCode(thrown) === null) throw thrown;
    throw new BuddyError('config.read', `${path} cannot be read: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}

function parsed(source: string, path: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw fault(path, 'this is not JSON');
  }
}

function asTable(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function recordOf(value: unknown): TrustRecord | null {
  const table = asTable(value);
  const shown = asTable(table?.['shown']);
  const { state, hash } = table ?? {};
  if ((state !== 'trusted' && state !== 'muted') || typeof hash !== 'string' || !HASH.test(hash) || shown === null) return null;
  const words = Object.entries(shown).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { state, hash, shown: Object.fromEntries(words) };
}

function fault(path: string, what: string): BuddyError {
  return new BuddyError('config.value', `${path}: ${what}`);
}
