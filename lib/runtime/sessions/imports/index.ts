/** Sessions of other programs, of earlier versions, and of other people, as new sessions of this person's own. */

import type { SessionId } from '../../../protocol/sessions.js';
import { decodeHeader, type SessionHeader } from '../header.js';
import type { SessionRecord } from '../records.js';
import { copied, type OpenedSession, type SessionPlace } from '../session-folder.js';
import { branchOf, readSessionLines } from '../session-lines.js';
import { buddyRecords, isBuddyFile } from './buddy-v1.js';
import { type Fields, importBytes, objectOf, refused } from './import-file.js';
import { LeftOut } from './left-out.js';
import { isPiHeader, piRecords } from './pi-v3.js';

/** A file that was understood to its end. */
export interface Import {
  readonly records: readonly SessionRecord[];
  /** Where it came from, as far as it says. */
  readonly header: Pick<SessionHeader, 'session' | 'target'>;
  /** Sentences about what was not taken. */
  readonly notices: readonly string[];
}

/** Reads a file whole: it is understood to its end, or throws `session.import` with the file, the line and the reason. */
export function readImport(path: string): Import {
  const bytes = importBytes(path);
  const left = new LeftOut();
  const found = recordsOf(path, bytes, left);
  if (found.records.length === 0) throw refused(path, 0, 'there is no conversation in it');
  const sentence = left.sentence();
  return { ...found, notices: [...found.notices, ...(sentence === null ? [] : [sentence])] };
}

/** A new session of what was read, in that place. Commands of it ran elsewhere, if it says so; `target` is where they run now. */
export function openImport(place: SessionPlace, found: Import, session: SessionId, target: string): OpenedSession {
  const from = { session: found.header.session, createdMs: place.clock.now(), cwd: place.cwd, target, parent: null };
  return { ...copied(place, from, found.records, session), copyOf: null, notices: found.notices };
}

function recordsOf(path: string, bytes: Buffer, left: LeftOut): Import {
  const end = bytes.indexOf(0x0a);
  const first = objectOf(bytes.toString('utf8', 0, end < 0 ? bytes.length : end));
  if (typeof first !== 'string' && first['type'] === 'session' && first['format'] !== undefined) return ownImport(path, first, bytes);
  if (typeof first !== 'string' && isPiHeader(first)) {
    const records = piRecords(path, first, bytes.toString('utf8').split('\n'), left);
    return { records, header: { session: idOf(first), target: '' }, notices: [] };
  }
  const whole = objectOf(bytes.toString('utf8'));
  if (typeof whole !== 'string' && isBuddyFile(whole)) {
    return { records: buddyRecords(path, whole, left), header: { session: idOf(whole), target: '' }, notices: [] };
  }
  if (whole === 'nested too deep' || first === 'nested too deep')
    throw refused(path, first === 'nested too deep' ? 1 : 0, 'it is nested too deep');
  throw refused(path, 0, 'it is no session of buddy, of pi or of this program');
}

/** One of this program, whoever wrote it and of whatever version: what can be read of it. It stays as it is. */
function ownImport(path: string, first: Fields, bytes: Buffer): Import {
  const { records, damaged, wholeLength } = readSessionLines(bytes);
  // The proof does not matter here: to import it is the person's own word.
  const found = decodeHeader(JSON.stringify({ ...first, format: 1 }), Buffer.alloc(0));
  if (!('header' in found)) throw refused(path, 1, 'the line is damaged');
  const lost = damaged + (wholeLength < bytes.length ? 1 : 0);
  const notices = [
    ...(first['format'] === 1
      ? []
      : [`It was written by another version (format ${String(first['format']).slice(0, 20)}): this is what could be read.`]),
    ...(lost === 0 ? [] : [`${lost} ${lost === 1 ? 'line' : 'lines'} of the imported session could not be read.`]),
  ];
  return { records: branchOf(records), header: found.header, notices };
}

function idOf(of: Fields): string {
  const id = of['id'];
  return typeof id === 'string' ? id.slice(0, 64) : '';
}
