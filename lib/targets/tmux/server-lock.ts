/** One lock per tmux server: sessions made or ended by others during a client's handshake can crash tmux 3.3a. */

import { createHash, randomBytes } from 'node:crypto';
import { type Clock, delay } from '../../base/clock.js';
import { dropStale, holderOf, letGo, takeLock } from '../../base/file-lock.js';
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
    const seen = holderOf(path);
    if (isStale(seen)) dropStale(path, seen);
    await delay(clock, RETRY_MS, signal);
  }
  try {
    return await work();
  } finally {
    letGo(path, holder);
  }
}

function take(path: string, holder: string): boolean {
  try {
    return takeLock(path, holder);
  } catch {
    // No lock can be made here (read-only or full /tmp): going on is the lesser evil.
    return true;
  }
}

function isStale(seen: string | null): boolean {
  return seen !== null && seen !== '' && !processExists(Number(seen.split(' ')[0]));
}
