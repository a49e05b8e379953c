/** A lock that a process holds for as long as it lives, however long that is and also while it is stopped. */

import { randomBytes } from 'node:crypto';
import { dropStale, holderOf, letGo, takeLock } from './file-lock.js';
import { readTextIfPresent } from './files.js';
import { processExists } from './process.js';

/** Who wants the lock. */
export interface LockHolder {
  readonly pid: number;
  /** Folders are shared between hosts, where process ids mean nothing. */
  readonly hostname: string;
}

/** A lock that was taken. */
export interface LiveLock {
  /** Who has it now, by what the file says: whoever took it, nobody any more, or somebody else. */
  state(): 'held' | 'gone' | 'lost';
  /** Lets go of it, when it still is ours. */
  release(): void;
}

/**
 * Takes the lock; null when a process that lives has it, or one of another host. A lock whose process is gone is taken over: a process is
 * known by its id and the time it began. Throws the system's error when no lock can be made here.
 */
export function takeLiveLock(path: string, { pid, hostname }: LockHolder): LiveLock | null {
  const words = `${pid} ${startOf(pid) ?? '-'} ${hostname} ${randomBytes(6).toString('hex')}`;
  const state = () => {
    const seen = holderOf(path);
    return seen === words ? 'held' : seen === null ? 'gone' : 'lost';
  };
  for (let tries = 0; tries < 3; tries++) {
    if (takeLock(path, words)) return { state, release: () => letGo(path, words) };
    const seen = holderOf(path);
    if (lives(seen, hostname)) return null;
    dropStale(path, seen);
  }
  return null;
}

/** True while a process that lives holds that lock. */
export function isLockHeld(path: string, hostname: string): boolean {
  const seen = holderOf(path);
  return seen !== null && lives(seen, hostname);
}

function lives(seen: string | null, hostname: string): boolean {
  const [pid = '', start = '', host = ''] = (seen ?? '').split(' ');
  if (host === '') return false;
  if (host !== hostname) return true;
  return processExists(Number(pid)) && (start === '-' || (startOf(Number(pid)) ?? start) === start);
}

/** When that process began, in clock ticks since the machine did (proc(5), field 22 of stat); null where there is no /proc. */
function startOf(pid: number): string | null {
  try {
    const stat = readTextIfPresent(`/proc/${pid}/stat`);
    // The second field, a name in brackets, may hold anything.
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
