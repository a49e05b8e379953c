/** The kept sessions of a folder, from the two ends of each file: a list must not cost what reading them all would. */

import { type Clock, delay } from '../../base/clock.js';
import { asBuddyError } from '../../base/errors.js';
import { closeSync, openRegular, readdirSync, readPart } from '../../base/files.js';
import { isLockHeld } from '../../base/live-lock.js';
import type { SessionId, SessionSummary } from '../../protocol/sessions.js';
import { decodeHeader } from './header.js';
import type { SessionRecord } from './records.js';
import { foreignness, type SessionPlace, sessionPath, sessionsFolder } from './session-folder.js';
import { readSessionLines } from './session-lines.js';

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

/** The newest session that is this person's in this folder, and how many newer ones are not; null: there is none. */
export function lastSession(
  place: SessionPlace,
  except: SessionId | null,
): { readonly session: SessionId | null; readonly foreign: number } {
  const newest = sessionsIn(place, except)
    .flatMap((session) => summaryOf(place, session) ?? [])
    .sort(newestFirst);
  const at = newest.findIndex(({ foreign }) => foreign === null);
  return { session: newest[at]?.session ?? null, foreign: at < 0 ? newest.length : at };
}

/** Why that session cannot be opened here, or null. Only the beginning of its file is read. */
export function sessionRefusal(place: SessionPlace, session: SessionId): string | null {
  try {
    const found = summaryOf(place, session);
    if (found === null) return `there is no session "${session}" in this folder`;
    return found.foreign === null ? null : `session ${session} is not opened: ${found.foreign}`;
  } catch (thrown) {
    return asBuddyError(thrown, 'session.read').message;
  }
}

function newestFirst(a: SessionSummary, b: SessionSummary): number {
  return b.updatedMs - a.updatedMs;
}

function sessionsIn({ cwd }: SessionPlace, except: SessionId | null): readonly SessionId[] {
  try {
    return readdirSync(sessionsFolder(cwd))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => name.slice(0, -'.jsonl'.length))
      .filter((session) => session !== except);
  } catch {
    return [];
  }
}

/** What one file says of itself; null for what cannot be read. */
function summaryOf(place: SessionPlace, session: SessionId): SessionSummary | null {
  try {
    const { descriptor, size, modifiedMs } = openRegular(sessionPath(place, session));
    try {
      const head = readPart(descriptor, 0, HEAD);
      const tail = size <= HEAD ? head : readPart(descriptor, Math.max(0, size - TAIL), TAIL);
      return summary(place, session, head, tail, modifiedMs);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

function summary(place: SessionPlace, session: SessionId, head: Buffer, tail: Buffer, updatedMs: number): SessionSummary {
  const { header, records } = readSessionLines(head);
  // What stands before the first line's end there is a part of a line, as a header is none of the records.
  const last = readSessionLines(tail).records;
  const found = decodeHeader(header, place.key);
  const end = last.findLast((record) => record.type === 'end');
  const renamed = last.findLast((record) => record.type === 'name');
  return {
    session,
    name: renamed?.name ?? end?.name ?? nameIn(records),
    title: firstPrompt(records),
    latest: end?.latest ?? '',
    prompts: end?.prompts ?? null,
    target: 'header' in found ? found.header.target : '',
    updatedMs,
    foreign: foreignness(found, session, place.cwd),
    open: isLockHeld(sessionPath(place, session, 'lock'), place.holder.hostname),
  };
}

function nameIn(records: readonly SessionRecord[]): string | null {
  return records.findLast((record) => record.type === 'name')?.name ?? null;
}

function firstPrompt(records: readonly SessionRecord[]): string {
  const first = records.find((record) => record.type === 'message' && record.as === 'prompt');
  return first?.type === 'message' ? first.message.text : '';
}
