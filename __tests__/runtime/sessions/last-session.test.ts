/** The newest session of a person: found from the newest file down, without reading the older ones. */

import { mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginSession, sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { lastSession, listSessions } from '../../../lib/runtime/sessions/session-list.js';
import { freshPlace, headerOf } from '../../support/session-place.js';

const place = freshPlace();

/** A session whose file was changed then, and never read since (seconds). */
async function kept(session: string, changed: number) {
  const log = beginSession(place, headerOf(place, session));
  log.append({ type: 'name', name: session });
  await log.close();
  utimesSync(sessionPath(place, session), changed - 1, changed);
}

test('what is newer and not of this person is counted, what cannot be read is passed over, what is older is not read', async () => {
  for (const [session, changed] of [
    ['oldest', 1000],
    ['mine', 3000],
    ['old', 2000],
  ] as const)
    await kept(session, changed);
  const text = readFileSync(sessionPath(place, 'mine'), 'utf8');
  utimesSync(sessionPath(place, 'mine'), 2999, 3000);
  writeFileSync(sessionPath(place, 'planted'), text);
  symlinkSync(sessionPath(place, 'mine'), sessionPath(place, 'link'));
  mkdirSync(sessionPath(place, 'folder'));
  expect(lastSession(place, null)).toEqual({ session: 'mine', foreign: 1 });
  expect(['old', 'oldest'].map((session) => statSync(sessionPath(place, session)).atimeMs)).toEqual([1_999_000, 999_000]);
  expect(lastSession(place, 'mine')).toEqual({ session: 'old', foreign: 1 });
});

test('a folder with nothing of this person has no last session', () => {
  const stranger = { ...place, key: Buffer.from('of another person') };
  expect(lastSession(stranger, null)).toEqual({ session: null, foreign: 4 });
  expect(lastSession({ ...place, cwd: join(place.cwd, 'empty') }, null)).toEqual({ session: null, foreign: 0 });
});

test('a first line that is cut off and damaged takes nothing but the title away', async () => {
  const log = beginSession(place, headerOf(place, 'torn'));
  log.append({ type: 'message', as: 'prompt', message: { role: 'user', text: `\\u00e4 ${'x'.repeat(2000)}` } });
  await log.close();
  const path = sessionPath(place, 'torn');
  const whole = readFileSync(path, 'utf8');
  const at = whole.indexOf('"text":"') + '"text":"'.length;
  writeFileSync(path, `${whole.slice(0, at)}\\uZZZZ${whole.slice(at + 6).trimEnd()}`);
  const listed = await listSessions(place, '', place.clock, new AbortController().signal);
  expect(listed.filter(({ session }) => session === 'torn')).toEqual([expect.objectContaining({ session: 'torn', title: '' })]);
});
