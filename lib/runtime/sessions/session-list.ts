/** The kept sessions of a folder, from the two ends of each file: a list must not cost what reading them all would. */

import { type Clock, delay } from '../../base/clock.js';
import { asBuddyError } from '../../base/errors.js';
import { closeSync, lstatSync, openRegular, readdirSync, readPart } from '../../base/files.js';
import { isLockHeld } from '../../base/live-lock.js';
import type { SessionId, SessionSummary } from '../../protocol/sessions.js';
import { decodeHeader } from './header.js';
import { decodeRecord } from './records.js';
import { foreignness, linkOnTheWay, type SessionPlace, sessionPath, sessionsFolder } from './session-folder.js';

/** Bytes that are read at each end. */
const HEAD = 16 * 1024;
const TAIL = 16 * 1024;
/** Files between two breaths: keys are answered meanwhile. */
const AT_A_TIME = 50;

/** All of them, the newest first; `except` is left out. Rejects only with an AbortError. */
export async function listSessions(
  place: SessionPlace,
  except: SessionId,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly SessionSummary[]> {
  const found: SessionSummary[] = [];
  const sessions = sessionsIn(place, except);
  for (let from = 0; from < sessions.length; from += AT_A_TIME) {
    if (from > 0) await delay(clock, 0, signal);
    found.push(...sessions.slice(from, from + AT_A_TIME).flatMap((session) => summaryOf(place, session) ?? []));
  }
  return found.sort(newestFirst);
}

/** The newest session that is this person's in this folder, and how many newer ones are not; null: there is none. Files older than it are not read. */
export function lastSession(
  place: SessionPlace,
  except: SessionId | null,
): { readonly session: SessionId | null; readonly foreign: number } {
  const newest = sessionsIn(place, except)
    .map((found) => ({ found, updatedMs: changedMs(place, found.session) }))
    .sort((a, b) => b.updatedMs - a.updatedMs);
  let foreign = 0;
  for (const { found } of newest) {
    const summary = summaryOf(place, found);
    if (summary?.foreign === null) return { session: found.session, foreign };
    if (summary !== null) foreign++;
  }
  return { session: null, foreign };
}

/** When the file was changed last; 0 for what cannot be looked at. */
function changedMs(place: SessionPlace, session: SessionId): number {
  try {
    return lstatSync(sessionPath(place, session)).mtimeMs;
  } catch {
    return 0;
  }
}

/** Why that session cannot be opened here, or null. Only the beginning of its file is read. */
export function sessionRefusal(place: SessionPlace, session: SessionId): string | null {
  try {
    const found = summaryOf(place, { session, isLocked: false });
    if (found === null) return `there is no session "${session}" in this folder`;
    return found.foreign === null ? null : `session ${session} is not opened: ${found.foreign}`;
  } catch (thrown) {
    return asBuddyError(thrown, 'session.read').message;
  }
}

function newestFirst(a: SessionSummary, b: SessionSummary): number {
  return b.updatedMs - a.updatedMs;
}

/** A file of the folder. */
interface Found {
  readonly session: SessionId;
  readonly isLocked: boolean;
}

function sessionsIn({ cwd }: SessionPlace, except: SessionId | null): readonly Found[] {
  try {
    if (linkOnTheWay(cwd) !== null) return [];
    const names = new Set(readdirSync(sessionsFolder(cwd)));
    return [...names]
      .filter((name) => name.endsWith('.jsonl') && name !== `${except ?? ''}.jsonl`)
      .map((name) => name.slice(0, -'.jsonl'.length))
      .map((session) => ({ session, isLocked: names.has(`${session}.lock`) }));
  } catch {
    return [];
  }
}

/** What one file says of itself; null for what cannot be read. */
function summaryOf(place: SessionPlace, { session, isLocked }: Found): SessionSummary | null {
  try {
    const { descriptor, size, modifiedMs } = openRegular(sessionPath(place, session));
    try {
      const head = readPart(descriptor, 0, HEAD);
      const tail = size <= HEAD ? head : readPart(descriptor, Math.max(0, size - TAIL), TAIL);
      const begun = beginning(place, session, head);
      // A lock beside what came from elsewhere may be anything, a pipe that nobody writes to as well.
      const open = begun.foreign === null && isLocked && isLockHeld(sessionPath(place, session, 'lock'), place.holder.hostname);
      return { ...begun, ...ending(tail), ...{ session, updatedMs: modifiedMs, open } };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

/** What the first lines say: whose it is, and the first prompt. */
function beginning(place: SessionPlace, session: SessionId, head: Buffer): Pick<SessionSummary, 'title' | 'target' | 'foreign'> {
  const [header = '', ...lines] = head.toString('utf8').split('\n').slice(0, -1);
  const found = decodeHeader(header, place.key);
  let title = '';
  for (const line of lines) {
    const record = line.includes('"as":"prompt"') ? decodeRecord(line) : null;
    if (record?.type !== 'message') continue;
    title = record.message.text;
    break;
  }
  return { title, target: 'header' in found ? found.header.target : '', foreign: foreignness(found, session, place.cwd) };
}

/** What the last lines say: the name, and the newest prompt that has ended. Lines are looked at from the end, no more than are needed. */
function ending(tail: Buffer): Pick<SessionSummary, 'name' | 'latest' | 'prompts'> {
  let name: string | null = null;
  for (const line of tail.toString('utf8').split('\n').reverse()) {
    const record = /"type":"(?:end|name)"/.test(line) ? decodeRecord(line) : null;
    if (record?.type === 'name') name ??= record.name;
    if (record?.type === 'end') return { name: name ?? record.name, latest: record.latest, prompts: record.prompts };
  }
  return { name, latest: '', prompts: null };
}
