/** What runs of this program may have left in /tmp: private folders, locks. Only what is provably this user's and nobody's any more is stale. */

import { lstat, readdir, readTextIfPresent, rm } from '../../base/files.js';
import { processExists } from '../../base/process.js';
import { KEPT_RECORD, keptPids } from '../tmux/kept-record.js';
import { isPrivateFolderName, PRIVATE_PLACE } from './local-folders.js';

/** A file or folder of this user's. `why` in words. */
export interface LeftBehind {
  readonly path: string;
  readonly kind: 'folder' | 'lock';
  /** `used`: by a process that runs, or by a kept session. `unknown`: it cannot be told from here. */
  readonly state: 'stale' | 'used' | 'unknown';
  readonly why: string;
  /** Sockets of shared ssh connections in it. */
  readonly masters: readonly string[];
}

const LOCK = /^\.buddy-[0-9a-f]{16}\.lock(\.[0-9a-f]+)?$/;
const MASTER = /^c\d+$/;

/** Never rejects: what cannot be looked at is not ours. */
export async function leftBehind(uid: number, hostname: string): Promise<readonly LeftBehind[]> {
  const names = await readdir(PRIVATE_PLACE).catch((): string[] => []);
  const found: LeftBehind[] = [];
  for (const name of names.sort()) {
    const isLock = LOCK.test(name);
    if (!isLock && !isPrivateFolderName(name)) continue;
    const path = `${PRIVATE_PLACE}/${name}`;
    try {
      const there = await lstat(path);
      if (there.uid !== uid) continue;
      if (isLock && there.isFile()) found.push({ path, kind: 'lock', masters: [], ...ofProcess(readTextIfPresent(path) ?? '', hostname) });
      if (!isLock && there.isDirectory() && (there.mode & 0o777) === 0o700) found.push(await folder(path, hostname));
    } catch {
      // It went away while we looked.
    }
  }
  return found;
}

async function folder(path: string, hostname: string): Promise<LeftBehind> {
  const masters = (await readdir(path)).filter((name) => MASTER.test(name)).map((name) => `${path}/${name}`);
  const kept = keptPids(readTextIfPresent(`${path}/${KEPT_RECORD}`));
  if (kept?.length === 0)
    return { path, kind: 'folder', masters, state: 'unknown', why: 'of a kept session, and it does not say which shells are in it' };
  if (kept !== null) {
    const lives = kept.some(processExists);
    const why = lives ? 'of a kept session' : `of a kept session whose shell (${kept.join(', ')}) is gone`;
    return { path, kind: 'folder', masters, state: lives ? 'used' : 'stale', why };
  }
  return { path, kind: 'folder', masters, ...ofProcess(readTextIfPresent(`${path}/owner`) ?? '', hostname) };
}

/** `pid`, `pid word` or `host/pid`. */
function ofProcess(owner: string, hostname: string): Pick<LeftBehind, 'state' | 'why'> {
  const found = /^(?:(.+)\/)?(\d+)(?:\s.*)?$/s.exec(owner);
  const pid = Number(found?.[2]);
  if (found === null || !(pid > 1)) return { state: 'unknown', why: 'it does not say whose it is' };
  if (found[1] !== undefined && found[1] !== hostname) return { state: 'unknown', why: `of a program on ${found[1]}` };
  return processExists(pid) ? { state: 'used', why: `of process ${pid}` } : { state: 'stale', why: `process ${pid} is gone` };
}

/** Removes it when it is still stale; false when it is not, or cannot be removed. */
export async function removeLeftBehind(one: LeftBehind, uid: number, hostname: string): Promise<boolean> {
  const again = (await leftBehind(uid, hostname)).find(({ path }) => path === one.path);
  if (again?.state !== 'stale') return false;
  return rm(one.path, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
}
