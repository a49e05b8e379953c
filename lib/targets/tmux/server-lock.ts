/** One lock per tmux server: sessions made or ended by others during a client's handshake can crash tmux 3.3a. */

import { createHash, randomBytes } from 'node:crypto';
import { type Clock, delay } from '../../base/clock.js';
import { closeSync, linkSync, moveFileSync, openSync, readTextIfPresent, rmSync, systemCode, writeSync } from '../../base/files.js';
import { processExists } from '../../base/process.js';

const RETRY_MS = 15;
/** Longer than any handshake takes, even on a loaded machine; then go on without the lock. */
const PATIENCE_MS = 15_000;

/** Names the server: same user, same socket, same lock. */
export function lockPath(user: string, socket: string): string {
  const name = createHash('sha256').update(`${user}\0${socket}`).digest('hex').slice(0, 16);
  return `/tmp/.buddy-${name}.lock`;
}

/** Runs `work` while holding the lock. A lock whose process is gone is taken over. */
export async function withServerLock<T>(path: string, pid: number, clock: Clock, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const end = clock.monotonic() + PATIENCE_MS;
  const holder = `${pid} ${randomBytes(6).toString('hex')}`;
  while (!take(path, holder) && clock.monotonic() < end) {
    dropStale(path);
    await delay(clock, RETRY_MS, signal);
  }
  try {
    return await work();
  } finally {
    if (holderOf(path) === holder) rmSync(path, { force: true });
  }
}

function take(path: string, holder: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    writeSync(descriptor, holder);
    closeSync(descriptor);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false;
    // No lock can be made here (read-only or full /tmp): going on is the lesser evil.
    return true;
  }
}

/** Moves the lock aside first: when it turns out to be another one than was looked at, it is put back. */
function dropStale(path: string): void {
  const seen = holderOf(path);
  if (seen === null || seen === '' || processExists(Number(seen.split(' ')[0]))) return;
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    moveFileSync(path, aside);
    if (holderOf(aside) !== seen) linkSync(aside, path);
  } catch {
    // Somebody else was faster.
  } finally {
    rmSync(aside, { force: true });
  }
}

/** What the lock file says, or null when there is none or it cannot be read. */
function holderOf(path: string): string | null {
  try {
    return readTextIfPresent(path);
  } catch {
    return null;
  }
}
