/** A lock between processes: a file that is there while somebody holds it. For work that takes seconds, never longer. */

import { randomBytes } from 'node:crypto';
import { type Clock, delay } from './clock.js';
import { BuddyError } from './errors.js';
import { fileTrouble, linkSync, moveFileSync, readTextIfPresent, rmSync, stat, systemCode, writeFileSync } from './files.js';
import { processExists } from './process.js';

/** Between two tries. */
const RETRY_MS = 25;
/** A lock that is older than any work under it was left behind, whoever made it: the machine went down, or it is another host's. */
const STALE_MS = 60_000;
/** What file systems answer that know no links (link(2)). */
const LINKLESS: ReadonlySet<string> = new Set(['EPERM', 'EOPNOTSUPP', 'ENOTSUP', 'ENOSYS', 'EMLINK']);
/** Longer than the oldest lock can be alive. */
const PATIENCE_MS = 75_000;

export interface FileLockOptions {
  /** The lock file; its folder exists. */
  readonly path: string;
  readonly pid: number;
  /** Home folders are shared between hosts, where process ids mean nothing. */
  readonly hostname: string;
  readonly clock: Clock;
  /** Told, in a sentence, when the lock cannot be taken away after the work. */
  readonly notice?: (text: string) => void;
}

/**
 * Runs `work` while nobody else holds the lock. A lock whose process is gone is taken over. Throws `file.locked` when it stays held, the
 * system's error when no lock can be made here, an AbortError while it waits. A lock that stays behind afterwards is told of, and no failure.
 */
export async function withFileLock<T>(options: FileLockOptions, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const { path, pid, hostname, clock, notice } = options;
  const holder = `${pid} ${hostname} ${randomBytes(6).toString('hex')}`;
  const end = clock.monotonic() + PATIENCE_MS;
  while (!takeLock(path, holder)) {
    const seen = holderOf(path);
    if (await isStale(seen, options)) dropStale(path, seen);
    else if (clock.monotonic() > end) {
      throw new BuddyError('file.locked', `${path} is held by another process (${holderOf(path) ?? 'gone now'})`, {
        hint: 'Try again when that one has ended.',
        retryable: true,
      });
    } else await delay(clock, RETRY_MS, signal);
  }
  try {
    return await work();
  } finally {
    try {
      letGo(path, holder);
    } catch (thrown) {
      // The work is done, or has failed by itself: neither is changed by what is left of the lock.
      notice?.(`The lock ${path} cannot be taken away: ${fileTrouble(thrown)}; others wait for it for a minute`);
    }
  }
}

/**
 * Makes the lock file with these words; false when it is there already. It appears with all of its words: one that is empty for a moment
 * looks like one that was left behind. Throws the system's error when none can be made.
 */
export function takeLock(path: string, holder: string): boolean {
  const written = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(written, holder, { mode: 0o600, flag: 'wx' });
    return placed(written, path, holder);
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false;
    throw thrown;
  } finally {
    rmSync(written, { force: true });
  }
}

function placed(written: string, path: string, holder: string): boolean {
  try {
    linkSync(written, path);
    return true;
  } catch (thrown) {
    // File systems without links: the moment has to be borne there.
    if (!LINKLESS.has(systemCode(thrown) ?? '')) throw thrown;
    writeFileSync(path, holder, { mode: 0o600, flag: 'wx' });
    return true;
  }
}

async function isStale(seen: string | null, { path, hostname, clock }: FileLockOptions): Promise<boolean> {
  const [pid, host] = (seen ?? '').split(' ');
  if (host === hostname && !processExists(Number(pid))) return true;
  const madeMs = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  return clock.now() - madeMs > STALE_MS;
}

/** Removes the lock when it still is that holder's. */
export function letGo(path: string, holder: string): void {
  if (holderOf(path) === holder) rmSync(path, { force: true });
}

/** Takes a lock away that was judged to be stale by what it said, `seen`. It is moved aside first: when it is another one by now, it is put back. */
export function dropStale(path: string, seen: string | null): void {
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
export function holderOf(path: string): string | null {
  try {
    return readTextIfPresent(path);
  } catch {
    return null;
  }
}
