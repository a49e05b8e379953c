/** Changes of sessions that are not the one in use: another name, or out of the way. What another program has open is left alone. */

import { join } from 'node:path';
import { BuddyError } from '../../base/errors.js';
import { existsSync, fileTrouble, lstatSync, moveFileSync, utimesSync } from '../../base/files.js';
import { takeLiveLock } from '../../base/live-lock.js';
import type { SessionId } from '../../protocol/sessions.js';
import { makeFolder, openSession, type SessionPlace, sessionPath, sessionsFolder } from './session-folder.js';

/** Gives it a name. It stays as old as it is: a name is no conversation. Resolves with why it could not, or null; throws `session.*`. */
export async function renameSession(place: SessionPlace, session: SessionId, name: string): Promise<string | null> {
  const path = sessionPath(place, session);
  const { log } = openSession(place, session, () => {
    throw heldError(session);
  });
  const before = lstatSync(path);
  log.append({ type: 'name', name });
  const { trouble } = log;
  await log.close();
  if (trouble !== null) return `session ${session} could not be renamed: ${trouble}`;
  try {
    utimesSync(path, before.atimeMs / 1000, before.mtimeMs / 1000);
  } catch {
    // It is listed as the newest then.
  }
  return null;
}

/** Moves it into the folder `trash` beside it, and answers where it is now. Throws `session.*`. */
export function trashSession(place: SessionPlace, session: SessionId): string {
  const path = sessionPath(place, session);
  const trash = join(sessionsFolder(place.cwd), 'trash');
  try {
    if (!lstatSync(path).isFile()) throw new BuddyError('session.read', `session ${session} is no regular file`);
    makeFolder(join(place.cwd, '.buddyx'));
    makeFolder(sessionsFolder(place.cwd));
    makeFolder(trash);
    const lock = takeLiveLock(sessionPath(place, session, 'lock'), place.holder);
    if (lock === null) throw heldError(session);
    try {
      const to = freePath(trash, session);
      moveFileSync(path, to);
      return to;
    } finally {
      lock.release();
    }
  } catch (thrown) {
    if (thrown instanceof BuddyError) throw thrown;
    throw new BuddyError('session.trash', `session ${session} could not be deleted: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}

function freePath(trash: string, session: SessionId): string {
  for (let count = 1; ; count++) {
    const path = join(trash, `${session}${count === 1 ? '' : `.${count}`}.jsonl`);
    if (!existsSync(path)) return path;
  }
}

function heldError(session: SessionId): BuddyError {
  return new BuddyError('session.held', `another program has session ${session} open`);
}
