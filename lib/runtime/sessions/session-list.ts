/** The kept sessions of a folder, from the index and the two ends of each file that it does not know: a list must not cost what reading them all would. */

import { join } from 'node:path';
import { type Clock, delay } from '../../base/clock.js';
import { closeSync, lstatSync, openRegular, readdirSync, readPart } from '../../base/files.js';
import { isLockHeld } from '../../base/live-lock.js';
import type { SessionId, SessionSummary } from '../../protocol/sessions.js';
import { decodeHeader } from './header.js';
import { decodeRecord } from './records.js';
import { foreignness, isSessionId, linkOnTheWay, type SessionPlace, sessionPath, sessionsFolder } from './session-folder.js';
import { type IndexEntry, type IndexedSummary, readIndex, stampOf, writeIndex } from './session-index.js';

/** Bytes that are read at each end. */
const HEAD = 16 * 1024;
const TAIL = 16 * 1024;
/** Where that does not say it: a log that was pasted into the first prompt, outputs of a prompt that was cut off. */
const FAR = 1024 * 1024;
/** Characters of the first prompt that are listed. */
const TITLE = 1000;
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
  const known = readIndex(place);
  const entries = new Map<SessionId, IndexEntry>();
  let read = 0;
  for (const file of sessionsIn(place, null)) {
    const stamp = stampOf(file.path);
    const entry = known.get(file.session);
    const isKnown = entry !== undefined && entry.stamp === stamp;
    if (!isKnown && ++read % AT_A_TIME === 0) await delay(clock, 0, signal);
    const about = isKnown ? entry.about : aboutOf(place, file);
    if (about === null) continue;
    if (stamp !== null) entries.set(file.session, { stamp, about });
    if (file.session !== except) found.push({ ...about, open: isOpen(place, file, about) });
  }
  const isOurs = [...entries.values()].some(({ about }) => about.foreign === null);
  if (isOurs && (read > 0 || entries.size !== known.size)) writeIndex(place, entries);
  return found.sort(newestFirst);
}

/** The newest session that is this person's in this folder, and how many newer ones are not; null: there is none. Files older than it are not read. */
export function lastSession(
  place: SessionPlace,
  except: SessionId | null,
): { readonly session: SessionId | null; readonly foreign: number } {
  const newest = sessionsIn(place, except)
    .map((found) => ({ found, updatedMs: changedMs(found) }))
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
function changedMs({ path }: Found): number {
  try {
    return lstatSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** Why that session cannot be opened here, or null. Only the beginning of its file is read. */
export function sessionRefusal(place: SessionPlace, session: SessionId): string | null {
  const found = summaryNamed(place, session);
  if (found === null) return `there is no session "${session}" in this folder`;
  return found.foreign === null ? null : `session ${session} is not opened: ${found.foreign}`;
}

/** Null also for what cannot be the id of one. */
function summaryNamed(place: SessionPlace, session: SessionId): SessionSummary | null {
  try {
    return summaryOf(place, { session, path: sessionPath(place, session), isLocked: false });
  } catch {
    return null;
  }
}

function newestFirst(a: SessionSummary, b: SessionSummary): number {
  return b.updatedMs - a.updatedMs;
}

/** A file of the folder. */
interface Found {
  readonly session: SessionId;
  readonly path: string;
  readonly isLocked: boolean;
}

function sessionsIn({ cwd }: SessionPlace, except: SessionId | null): readonly Found[] {
  try {
    if (linkOnTheWay(cwd) !== null) return [];
    const folder = sessionsFolder(cwd);
    const names = new Set(readdirSync(folder));
    return [...names]
      .filter((name) => name.endsWith('.jsonl') && name !== `${except ?? ''}.jsonl`)
      .map((name) => name.slice(0, -'.jsonl'.length))
      .filter(isSessionId)
      .map((session) => ({ session, path: join(folder, `${session}.jsonl`), isLocked: names.has(`${session}.lock`) }));
  } catch {
    return [];
  }
}

/** What there is to know of one; null for what cannot be read. */
function summaryOf(place: SessionPlace, found: Found): SessionSummary | null {
  const about = aboutOf(place, found);
  return about === null ? null : { ...about, open: isOpen(place, found, about) };
}

/** A lock beside what came from elsewhere may be anything, a pipe that nobody writes to as well; so may one behind a link that was put there meanwhile. */
function isOpen(place: SessionPlace, { session, isLocked }: Found, { foreign }: IndexedSummary): boolean {
  try {
    return foreign === null && isLocked && isLockHeld(sessionPath(place, session, 'lock'), place.holder.hostname);
  } catch {
    return false;
  }
}

/** What one file says of itself; null for what cannot be read. */
function aboutOf(place: SessionPlace, { session, path }: Omit<Found, 'isLocked'>): IndexedSummary | null {
  try {
    const { descriptor, size, modifiedMs } = openRegular(path);
    try {
      const start = (bytes: number) => beginning(place, session, readPart(descriptor, 0, bytes));
      const end = (bytes: number) => ending(readPart(descriptor, Math.max(0, size - bytes), bytes));
      let [first, last] = [start(HEAD), end(TAIL)];
      if (first.foreign === null && first.title === '' && size > HEAD) first = start(FAR);
      if (first.foreign === null && last.prompts === null && size > TAIL) last = end(FAR);
      return { ...first, ...last, ...{ session, updatedMs: modifiedMs, bytes: size } };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

/** What the first lines say: whose it is, and the first prompt. */
function beginning(place: SessionPlace, session: SessionId, head: Buffer): Pick<SessionSummary, 'title' | 'target' | 'foreign'> {
  const [header = '', ...rest] = head.toString('utf8').split('\n');
  const [lines, cut = ''] = [rest.slice(0, -1), rest.at(-1)];
  const found = decodeHeader(header, place.key);
  let title = '';
  for (const line of lines) {
    const record = /"as":"prompt"|"type":"said"/.test(line) ? decodeRecord(line) : null;
    if (record?.type === 'said') title = record.text.slice(0, TITLE);
    if (record?.type !== 'message') continue;
    title = record.message.text.slice(0, TITLE);
    break;
  }
  if (title === '') title = titleOfCut(cut);
  return { title, target: 'header' in found ? found.header.target : '', foreign: foreignness(found, session, place.cwd) };
}

/** Of a first prompt whose line goes on for megabytes, since a picture came with it: how its record begins. */
function titleOfCut(line: string): string {
  const words = /^\{"type":"message","as":"prompt","message":\{"role":"user","text":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  try {
    return words === undefined ? '' : String(JSON.parse(`"${words}"`)).slice(0, TITLE);
  } catch {
    // A damaged line has no title; the session is there all the same.
    return '';
  }
}

/** What the last lines say: name, labels, and the newest prompt that has ended. Lines are looked at from the end, no more than are needed. */
function ending(tail: Buffer): Pick<SessionSummary, 'name' | 'latest' | 'prompts' | 'labels'> {
  let name: string | null = null;
  let labels: readonly string[] | null = null;
  for (const line of tail.toString('utf8').split('\n').reverse()) {
    const record = /"type":"(?:end|name|label|branch)"/.test(line) ? decodeRecord(line) : null;
    if (record?.type === 'name' || record?.type === 'branch') name ??= record.name;
    if (record?.type === 'label' || record?.type === 'branch') labels ??= record.labels;
    if (record?.type !== 'end') continue;
    return { name: name ?? record.name, labels: labels ?? record.labels ?? [], latest: record.latest, prompts: record.prompts };
  }
  return { name, labels: labels ?? [], latest: '', prompts: null };
}
