/** Where this person's sessions are kept, and the key that tells theirs from those that came with a folder. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { dropStale, takeLock } from '../base/file-lock.js';
import { fileTrouble, makePrivateSync, mkdirSync, readTextIfPresent } from '../base/files.js';
import type { Host } from '../base/host.js';
import type { Redactor } from '../policy/redaction.js';
import type { SessionPlace } from '../runtime/sessions/session-folder.js';
import { stateFolder } from './state-folder.js';

const KEY = /^[0-9a-f]{64}$/;

/** The place in the working directory, and the sentence about a key that could not be kept. Never throws. */
export function openSessionPlace(host: Host, redact: Redactor): { readonly place: SessionPlace; readonly problem: string | null } {
  const { key, problem } = keyOf(host);
  const holder = { pid: host.pid, hostname: host.hostname };
  return { place: { cwd: host.cwd, homeDir: host.homeDir, key: Buffer.from(key, 'hex'), redact, clock: host.clock, holder }, problem };
}

/** The key of this person; made when there is none. */
function keyOf(host: Host): { readonly key: string; readonly problem: string | null } {
  const folder = stateFolder(host);
  const path = join(folder, 'session-key');
  const fresh = randomBytes(32).toString('hex');
  const unusable = (reason: string) => ({
    key: fresh,
    problem: `${path} cannot be used (${reason}): earlier sessions cannot be opened, nor this one later`,
  });
  try {
    const known = readKey(path);
    if (known !== null) return { key: known, problem: null };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A program before this one began to write it, and the disk was full.
    if (readTextIfPresent(path) === '') dropStale(path, '');
    // As a lock does, it appears whole or not at all.
    if (takeLock(path, `${fresh}\n`)) return { key: fresh, problem: null };
    // Two programs that start for the first time at once: the other one was faster.
    const other = readKey(path);
    return other === null ? unusable('it holds no key') : { key: other, problem: null };
  } catch (thrown) {
    return unusable(fileTrouble(thrown));
  }
}

/** Null when there is none, or none that is sound. */
function readKey(path: string): string | null {
  const text = readTextIfPresent(path)?.trim() ?? '';
  if (text !== '') makePrivateSync(path);
  return KEY.test(text) ? text : null;
}
