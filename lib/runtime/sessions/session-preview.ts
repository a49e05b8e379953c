/** What one wants to see of a session before it is opened: its end, read from the two ends of its file. */

import { closeSync, openRegular, readPart } from '../../base/files.js';
import type { SessionId, SessionPreview } from '../../protocol/sessions.js';
import { decodeHeader } from './header.js';
import { decodeRecord, type SessionRecord } from './records.js';
import { foreignness, type SessionPlace, sessionPath } from './session-folder.js';
import { branchOf } from './session-lines.js';

/** Bytes that are read at each end. */
const HEAD = 16 * 1024;
const TAIL = 128 * 1024;
/** Prompts and answers that are shown, and characters of each. */
const MOST_SAID = 8;
const SHOWN = 1000;

/** Of one that cannot be read, or is not this person's, there is nothing to see. Never throws. */
export function previewOf(place: SessionPlace, session: SessionId): SessionPreview {
  const nothing: SessionPreview = { session, cwd: '', model: null, said: [] };
  try {
    const { descriptor, size } = openRegular(sessionPath(place, session));
    try {
      const head = readPart(descriptor, 0, HEAD).toString('utf8').split('\n');
      const found = decodeHeader(head[0] ?? '', place.key);
      if (found.kind !== 'sound' || foreignness(found, session, place.cwd) !== null) return nothing;
      const from = Math.max(0, size - TAIL);
      const records = recordsOf(readPart(descriptor, from, TAIL).toString('utf8').split('\n'));
      const model = lastModel(records) ?? lastModel(recordsOf(head));
      return {
        session,
        cwd: found.header.cwd,
        model,
        said: branchOf(from === 0 ? records : cutOff(records))
          .flatMap(saidIn)
          .slice(-MOST_SAID),
      };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return nothing;
  }
}

/** Of every type: any may be the one that a branch begins behind. */
function recordsOf(lines: readonly string[]): readonly SessionRecord[] {
  return lines.flatMap((line) => decodeRecord(line) ?? []);
}

/** The end of a file: what follows a record that stands before it begins there, and does not follow what happens to stand above it. */
function cutOff(records: readonly SessionRecord[]): readonly SessionRecord[] {
  const first = Number(records[0]?.id);
  return records.map((record) => (Number(record.parentId ?? 0) < first ? { ...record, parentId: null } : record));
}

function lastModel(records: readonly SessionRecord[]): string | null {
  const record = records.findLast(({ type }) => type === 'model');
  return record?.type === 'model' ? record.profile : null;
}

function saidIn(record: SessionRecord): SessionPreview['said'] {
  if (record.type !== 'message' || record.message.role === 'tool' || record.message.text.trim() === '') return [];
  const text = record.message.text.slice(0, SHOWN);
  if (record.message.role === 'assistant') return [{ by: 'model', text }];
  return record.as === 'note' ? [] : [{ by: 'person', text }];
}
