/** A session whose file could not be had when it was opened: it is tried again, and what others wrote meanwhile is not touched. */

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import type { RecordBody } from '../../../lib/runtime/sessions/records.js';
import { beginSession, openSession, sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { readSessionLines } from '../../../lib/runtime/sessions/session-lines.js';
import { freshPlace, headerOf } from '../../support/session-place.js';

const place = freshPlace();
const said = (text: string): RecordBody => ({ type: 'message', as: 'prompt', message: { role: 'user', text } });
const open = (session: string) => openSession(place, session, () => `copy-of-${session}`);

/** A session whose last line is torn, opened where what is torn cannot be kept aside. */
async function openedTorn(session: string) {
  const first = beginSession(place, headerOf(place, session));
  first.append(said('first'));
  await first.close();
  appendFileSync(sessionPath(place, session), '{"type":"mess');
  mkdirSync(sessionPath(place, session, 'torn'));
  const opened = open(session);
  const troubles: (string | null)[] = [];
  opened.log.onTrouble = (trouble) => troubles.push(trouble);
  return { ...opened, troubles };
}

const textsOf = (session: string) =>
  readSessionLines(readFileSync(sessionPath(place, session))).records.map((record) => record.type === 'message' && record.message.text);

test('where what is torn cannot be kept aside, nothing stays locked, and the session goes on once it can', async () => {
  const { log, troubles } = await openedTorn('aside');
  log.append(said('second'));
  await place.clock.advance(2000);
  expect(troubles).toEqual(['it is a folder']);
  expect(existsSync(sessionPath(place, 'aside', 'lock'))).toBe(false);
  rmdirSync(sessionPath(place, 'aside', 'torn'));
  await place.clock.advance(4000);
  expect(troubles).toEqual(['it is a folder', null]);
  await log.close();
  expect(textsOf('aside')).toEqual(['first', 'second']);
  expect(readFileSync(sessionPath(place, 'aside', 'torn'), 'utf8')).toBe('{"type":"mess');
});

test('what another program has written meanwhile is neither cut off nor glued to', async () => {
  const { log, troubles } = await openedTorn('meanwhile');
  rmdirSync(sessionPath(place, 'meanwhile', 'torn'));
  const other = open('meanwhile');
  other.log.append(said('theirs'));
  await other.log.close();
  const theirs = readFileSync(sessionPath(place, 'meanwhile'));
  log.append(said('mine'));
  expect(troubles).toEqual(['another program has written this session meanwhile']);
  await log.close();
  expect(readFileSync(sessionPath(place, 'meanwhile'))).toEqual(theirs);
  expect(existsSync(sessionPath(place, 'meanwhile', 'lock'))).toBe(false);
});
