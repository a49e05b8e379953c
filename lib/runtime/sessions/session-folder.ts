/** Where the sessions of a folder are kept: `.buddyx/sessions` in it, one file each. */

import { join, relative } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { BuddyError } from '../../base/errors.js';
import {
  AppendFile,
  closeSync,
  fileTrouble,
  lstatSync,
  mkdirSync,
  openRegular,
  readPart,
  systemCode,
  writeFileSync,
} from '../../base/files.js';
import { type LiveLock, type LockHolder, takeLiveLock } from '../../base/live-lock.js';
import type { Redactor } from '../../policy/redaction.js';
import type { SessionId } from '../../protocol/sessions.js';
import type { EntryId } from '../../protocol/tree.js';
import { decodeHeader, encodeHeader, type SessionHeader } from './header.js';
import type { SessionRecord } from './records.js';
import type { DrawSession } from './session-drawing.js';
import { branchOf, leafOf, readSessionLines, type SessionLines } from './session-lines.js';
import { type HeldFile, heldByOther, SessionLog } from './session-log.js';
import { labelsOf } from './session-tree.js';

/** No conversation is larger; more is somebody's trap (bytes). */
const LARGEST = 1024 * 1024 * 1024;

export interface SessionPlace {
  /** The folder that the sessions belong to, absolute. */
  readonly cwd: string;
  /** What `~` stands for in the name of a file. */
  readonly homeDir?: string;
  /** The person's own key. */
  readonly key: Uint8Array;
  readonly redact: Redactor;
  readonly clock: Clock;
  readonly holder: LockHolder;
  /** Left out: there is no screen here to draw a session on. */
  readonly drawing?: DrawSession;
}

/** A session that was opened to go on in it. */
export interface OpenedSession {
  readonly header: SessionHeader;
  /** Those that lead to where it goes on, the oldest first. */
  readonly records: readonly SessionRecord[];
  /** Of all of its entries. */
  readonly labels: ReadonlyMap<EntryId, string>;
  readonly log: SessionLog;
  /** The session of which this is a copy, because another program writes it. */
  readonly copyOf: SessionId | null;
  /** Sentences about what is not as it was written. */
  readonly notices: readonly string[];
}

/** A session as its file has it. */
interface ReadSession extends Pick<OpenedSession, 'header' | 'records'> {
  readonly bytes: Buffer;
  readonly lines: SessionLines;
}

/** True for what can be the id of a session, and so a part of the name of its file. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text) && !/^\.+$/.test(text);
}

/** Where a session's file is. Throws `session.id` for what cannot be an id, `session.folder` when it would lie outside of the folder. */
export function sessionPath({ cwd }: Pick<SessionPlace, 'cwd'>, session: SessionId, ending = 'jsonl'): string {
  if (!isSessionId(session)) {
    throw new BuddyError('session.id', `"${session}" is no id of a session`);
  }
  const link = linkOnTheWay(cwd);
  if (link !== null) throw new BuddyError('session.folder', `${link} is a link, so no session is looked for there`);
  return join(sessionsFolder(cwd), `${session}.${ending}`);
}

/** The part of the way to the sessions that is a link: whoever made it decides what lies there, and it could be anything. Else null. */
export function linkOnTheWay(cwd: string): string | null {
  const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return [join(cwd, '.buddyx'), sessionsFolder(cwd)].find(isLink) ?? null;
}

/** The folder with the files. It may not exist yet. */
export function sessionsFolder(cwd: string): string {
  return join(cwd, '.buddyx', 'sessions');
}

/** A new session; its file is made with its first record. */
export function beginSession(place: SessionPlace, header: SessionHeader): SessionLog {
  return new SessionLog({
    session: header.session,
    clock: place.clock,
    redact: place.redact,
    header: encodeHeader(header, place.key),
    lastId: 0,
    leaf: null,
    open: () => hold(place, header.session),
    reopen: (length) => reopened(place, header.session, length),
  });
}

/**
 * Opens a session to go on in it. When another program writes it, this is a copy under the id that `newId` gives. Throws `session.*` for what
 * is not there, is damaged, came from elsewhere or belongs to another folder.
 */
export function openSession(place: SessionPlace, session: SessionId, newId: () => SessionId): OpenedSession {
  const path = sessionPath(place, session);
  const { header, records, bytes, lines } = sessionOf(place, session, bytesOf(path, session));
  const count = lines.damaged;
  const notices = count === 0 ? [] : [`${count} damaged ${count === 1 ? 'line' : 'lines'} of session ${session} could not be read`];
  const lock = lockOf(place, session);
  if (lock === 'held') return { ...copied(place, header, records, newId()), notices };
  const torn = bytes.subarray(lines.wholeLength);
  const whole = bytes.subarray(0, lines.wholeLength);
  const mend = (of: HeldFile) => mended(of, bytes.length, lines.wholeLength, () => aside(place, session, torn));
  const now = lock === 'later' ? undefined : heldNow(() => mend(held(path, lock)));
  const log = new SessionLog({
    session,
    clock: place.clock,
    redact: place.redact,
    header: null,
    lastId: Math.max(lines.records.length + lines.damaged, Number(lines.records.at(-1)?.id) || 0),
    leaf: leafOf(records),
    held: now,
    unopened: now === undefined ? whole : undefined,
    open: () => mend(hold(place, session)),
    reopen: (length) => reopened(place, session, length),
  });
  if (torn.length > 0) notices.push(`the last line of session ${session} was never finished; it was put into ${session}.torn`);
  return { header, records, labels: labelsOf(lines.records), log, copyOf: null, notices };
}

/** What those bytes say, of that session's file. Throws `session.foreign` for what came from elsewhere or belongs to another folder. */
export function sessionOf(place: SessionPlace, session: SessionId, bytes: Buffer): ReadSession {
  const lines = readSessionLines(bytes);
  return { header: soundHeader(place, session, lines), records: branchOf(lines.records), bytes, lines };
}

/** A copy of those records as a session of its own. */
export function copied(
  place: SessionPlace,
  from: SessionHeader,
  records: readonly SessionRecord[],
  session: SessionId,
): Omit<OpenedSession, 'notices'> {
  const header = { ...from, session, createdMs: place.clock.now(), cwd: place.cwd, parent: from.session };
  const log = beginSession(place, header);
  // The log is new: it counts from 1. A label of another branch has nothing to stand on.
  const places = new Set(records.map(({ id }) => id));
  const taken = records.filter((record) => record.type !== 'branch' && (record.type !== 'label' || places.has(record.of)));
  const ids = new Map(taken.map(({ id }, at) => [id, String(at + 1)]));
  const moved = taken.map(({ id: _id, parentId: _parent, ...body }) => {
    if (body.type === 'label') return { ...body, of: ids.get(body.of) ?? body.of };
    if (body.type !== 'context') return body;
    return { ...body, messages: body.messages.map((entry) => (typeof entry === 'string' ? (ids.get(entry) ?? entry) : entry)) };
  });
  const now = log.appendAll(moved).map((id, at, all) => ({ ...moved[at], id, parentId: all[at - 1] ?? null }) as SessionRecord);
  return { header, records: now, labels: labelsOf(now), log, copyOf: from.session };
}

function bytesOf(path: string, session: SessionId): Buffer {
  try {
    const { descriptor, size } = openRegular(path);
    try {
      if (size > LARGEST) throw new BuddyError('session.size', `session ${session} is too large to be read`);
      return readPart(descriptor, 0, size);
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    if (thrown instanceof BuddyError) throw thrown;
    if (systemCode(thrown) === 'ENOENT' || systemCode(thrown) === 'ENOTDIR') {
      throw new BuddyError('session.missing', `there is no session "${session}" in this folder`, {
        hint: 'List them with /session, or "buddy-tui resume".',
      });
    }
    throw new BuddyError('session.read', `session ${session} cannot be read: ${fileTrouble(thrown)}`, { cause: thrown });
  }
}

function soundHeader({ key, cwd }: SessionPlace, session: SessionId, lines: SessionLines): SessionHeader {
  const found = decodeHeader(lines.header, key);
  const reason = foreignness(found, session, cwd);
  if (reason !== null) {
    const path = relative(cwd, sessionPath({ cwd }, session));
    throw new BuddyError(
      'session.foreign',
      `session ${session} is not opened: ${reason}; /session import ${path} makes a copy of what can be read`,
    );
  }
  if (found.kind !== 'sound') throw new Error('a sound header was expected');
  return found.header;
}

/** Why a session with that header is not this person's in this folder, or null. */
export function foreignness(found: ReturnType<typeof decodeHeader>, session: SessionId, cwd: string): string | null {
  if (found.kind === 'none') return 'its first line is damaged';
  if (found.kind === 'other-format') return 'another version of the program wrote it';
  if (found.kind === 'unproven') return 'it was not written by you on this machine';
  if (found.header.session !== session) return 'it was renamed';
  return found.header.cwd === cwd ? null : `it belongs to ${found.header.cwd}`;
}

/** The lock; `held`: another program has it; `later`: none can be made now. */
function lockOf({ cwd, holder }: SessionPlace, session: SessionId): LiveLock | 'held' | 'later' {
  try {
    return takeLiveLock(sessionPath({ cwd }, session, 'lock'), holder) ?? 'held';
  } catch {
    return 'later';
  }
}

/** The file, or nothing when it cannot be had now: it is tried again with the first record. */
function heldNow(open: () => HeldFile): HeldFile | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/** The file with its lock; folders are made. Throws a BuddyError or the system's error. */
function hold(place: SessionPlace, session: SessionId): HeldFile {
  makeFolder(join(place.cwd, '.buddyx'));
  makeFolder(sessionsFolder(place.cwd));
  keepOutOfGit(place.cwd);
  const lock = takeLiveLock(sessionPath(place, session, 'lock'), place.holder);
  if (lock === null) throw heldByOther();
  return held(sessionPath(place, session), lock);
}

/** The file and its lock, after one of them was taken away. Another length than that is somebody else's doing. */
function reopened(place: SessionPlace, session: SessionId, length: number): HeldFile {
  return mended(hold(place, session), length, length, () => undefined);
}

/** Without the file the lock is let go of. */
function held(path: string, lock: LiveLock): HeldFile {
  try {
    const file = new AppendFile(path, 'read');
    return { file, state: () => stateOf(file, lock), release: lock.release };
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

function stateOf(file: AppendFile, lock: LiveLock): ReturnType<HeldFile['state']> {
  const [place, holding] = [file.place(), lock.state()];
  if (place === 'other' || holding === 'lost') return 'theirs';
  if (place === 'gone') return 'gone';
  return holding === 'held' ? 'ours' : 'unlocked';
}

/**
 * What was never finished is kept aside and cut off, so that nothing is glued to it. Without that the file is let go of; so it is when others
 * have written to it since it was read: what they wrote is not ours to cut, and our records would not follow theirs.
 */
function mended(of: HeldFile, readLength: number, wholeLength: number, keepAside: () => void): HeldFile {
  try {
    if (of.file.length !== readLength) throw new BuddyError('session.held', 'another program has written this session meanwhile');
    if (readLength > wholeLength) {
      keepAside();
      of.file.cut(wholeLength);
    }
    return of;
  } catch (thrown) {
    of.file.close();
    of.release();
    throw thrown;
  }
}

function aside(place: SessionPlace, session: SessionId, torn: Uint8Array): void {
  const file = new AppendFile(sessionPath(place, session, 'torn'));
  try {
    file.append(torn);
  } finally {
    file.close();
  }
}

/** Makes the folder unless there is one. A link could lead anywhere: whoever made it decides where it ends. Throws `session.folder`. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw thrown;
    if (!lstatSync(path).isDirectory()) throw new BuddyError('session.folder', `${path} is no folder`);
  }
}

/** Conversations hold what commands printed: nobody means to publish them. */
function keepOutOfGit(cwd: string): void {
  try {
    writeFileSync(join(cwd, '.buddyx', '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // There is one, or none can be made: the sessions matter more.
  }
}
