/** The index of sessions: a list by it is the list of the files, whatever became of the files or of the index meanwhile. */

import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginSession, openSession, type SessionPlace, sessionPath, sessionsFolder } from '../../../lib/runtime/sessions/session-folder.js';
import { listSessions } from '../../../lib/runtime/sessions/session-list.js';
import { freshPlace, headerOf } from '../../support/session-place.js';

const place = freshPlace();
const index = join(sessionsFolder(place.cwd), 'index');
const listed = (of: SessionPlace = place, except = '') => listSessions(of, except, of.clock, new AbortController().signal);
const told = async (of: SessionPlace = place) => Object.fromEntries((await listed(of)).map(({ session, name }) => [session, name]));

async function kept(session: string, name: string) {
  const log = beginSession(place, headerOf(place, session));
  log.append({ type: 'name', name });
  await log.close();
}

async function renamed(session: string, name: string) {
  const { log } = openSession(place, session, () => 'copy');
  log.append({ type: 'name', name });
  await log.close();
}

/** When each file was read last is put into the past, so that reading it shows. */
function unread() {
  for (const [at, session] of ['a', 'b', 'c'].entries()) utimesSync(sessionPath(place, session), 1000, 2000 + at);
}

const readMs = () => ['a', 'b', 'c'].map((session) => statSync(sessionPath(place, session)).atimeMs);

beforeEach(async () => {
  rmSync(sessionsFolder(place.cwd), { recursive: true, force: true });
  for (const [session, name] of [
    ['a', 'apples'],
    ['b', 'bread'],
    ['c', 'cheese'],
  ] as const)
    await kept(session, name);
});

test('the second list reads no file that is as it was, and is the same', async () => {
  unread();
  const first = await listed();
  expect(statSync(index).mode & 0o777).toBe(0o600);
  // Those that were read have other times now: one more list knows them.
  unread();
  await listed();
  const [before, times] = [readFileSync(index), readMs()];
  expect(await listed()).toEqual(first);
  expect([readFileSync(index), readMs()]).toEqual([before, times]);
});

test('what was renamed, deleted, made or changed in place is listed as it is now', async () => {
  expect(await told()).toEqual({ a: 'apples', b: 'bread', c: 'cheese' });
  await renamed('a', 'pears');
  rmSync(sessionPath(place, 'b'));
  await kept('d', 'dates');
  expect(await told()).toEqual({ a: 'pears', c: 'cheese', d: 'dates' });
  // The same size and the same time: another file all the same.
  const { mtimeMs } = statSync(sessionPath(place, 'c'));
  writeFileSync(sessionPath(place, 'other'), readFileSync(sessionPath(place, 'c'), 'utf8').replace('"session":"c"', '"session":"x"'));
  utimesSync(sessionPath(place, 'other'), mtimeMs / 1000, mtimeMs / 1000);
  renameSync(sessionPath(place, 'other'), sessionPath(place, 'c'));
  expect((await listed()).find(({ session }) => session === 'c')?.foreign).toBe('it was not written by you on this machine');
});

test('a session that was cut off by a crash after it was listed is listed as its file is', async () => {
  await listed();
  appendFileSync(sessionPath(place, 'a'), '{"type":"name","name":"torn');
  expect((await told())['a']).toBe('apples');
  await renamed('a', 'mended');
  expect((await told())['a']).toBe('mended');
});

test.each<readonly [string, (bytes: Buffer) => void]>([
  ['torn', (bytes) => writeFileSync(index, bytes.subarray(0, bytes.length - 10))],
  ['empty', () => writeFileSync(index, '')],
  ['of a name that nobody gave', (bytes) => writeFileSync(index, bytes.toString('utf8').replace('apples', 'malice'))],
  ['garbage', () => writeFileSync(index, Buffer.from([0, 255, 254, 10, 123]))],
  [
    'a folder',
    () => {
      rmSync(index);
      mkdirSync(index);
    },
  ],
  ['gone', () => rmSync(index)],
])('an index that is %s is not believed', async (_what, spoil) => {
  await listed();
  spoil(readFileSync(index));
  expect(await told()).toEqual({ a: 'apples', b: 'bread', c: 'cheese' });
  expect(await told()).toEqual({ a: 'apples', b: 'bread', c: 'cheese' });
  expect(readdirSync(sessionsFolder(place.cwd)).filter((name) => name.startsWith('.index'))).toEqual([]);
});

test('an index of another person, or of another folder, is not believed', async () => {
  await listed();
  const stranger = { ...place, key: Buffer.from('of another person') };
  expect((await listed(stranger)).map(({ foreign }) => foreign)).toEqual(Array(3).fill('it was not written by you on this machine'));
  const elsewhere = freshFolder();
  for (const name of readdirSync(sessionsFolder(place.cwd)))
    writeFileSync(join(sessionsFolder(elsewhere.cwd), name), readFileSync(join(sessionsFolder(place.cwd), name)));
  expect((await listed(elsewhere)).map(({ foreign }) => foreign)).toEqual(Array(3).fill(`it belongs to ${place.cwd}`));
});

test('an index that is a link is neither read nor written through, and a folder with nothing of this person gets none', async () => {
  const victim = join(place.cwd, 'victim');
  writeFileSync(victim, 'precious');
  symlinkSync(victim, index);
  expect(await told()).toEqual({ a: 'apples', b: 'bread', c: 'cheese' });
  expect(readFileSync(victim, 'utf8')).toBe('precious');
  expect(lstatSync(index).isSymbolicLink()).toBe(false);
  const linked = mkdtempSync(join(tmpdir(), 'sessions-'));
  mkdirSync(join(linked, '.buddyx'));
  rmSync(index);
  symlinkSync(sessionsFolder(place.cwd), join(linked, '.buddyx', 'sessions'));
  await listed({ ...place, cwd: linked });
  expect(existsSync(index)).toBe(false);
  rmSync(linked, { recursive: true });
  const planted = freshFolder();
  writeFileSync(sessionPath(planted, 'a'), readFileSync(sessionPath(place, 'a')));
  await listed(planted);
  expect(readdirSync(sessionsFolder(planted.cwd))).toEqual(['a.jsonl']);
});

test('a file whose name is no id of a session is passed over', async () => {
  for (const name of ['a b', 'ü', 'x'.repeat(65)]) writeFileSync(join(sessionsFolder(place.cwd), `${name}.jsonl`), 'x');
  expect(Object.keys(await told()).sort()).toEqual(['a', 'b', 'c']);
});

test('the session in use is known to the index, and not listed', async () => {
  expect((await listed(place, 'a')).map(({ session }) => session).sort()).toEqual(['b', 'c']);
  const before = readFileSync(index);
  await listed(place, 'b');
  expect(readFileSync(index)).toEqual(before);
});

test('what was pasted into the first prompt, or printed before the program was killed, takes neither title nor name away', async () => {
  const other = freshFolder();
  const log = beginSession(other, headerOf(other, 'long'));
  const say = (text: string) => log.append({ type: 'message', message: { role: 'user', text }, as: 'prompt' });
  say(`why? ${'x'.repeat(100_000)}`);
  log.append({ type: 'end', outcome: 'completed', error: null, name: 'outage', prompts: 1, latest: 'why?' });
  say(`and this? ${'x'.repeat(100_000)}`);
  await log.close();
  const [found] = await listed(other);
  expect(found).toMatchObject({ name: 'outage', prompts: 1, latest: 'why?' });
  expect(found?.title).toMatch(/^why\? x+$/);
});

function freshFolder(): SessionPlace {
  const cwd = mkdtempSync(join(place.cwd, 'other-'));
  mkdirSync(sessionsFolder(cwd), { recursive: true });
  return { ...place, cwd };
}

test('a link that takes the place of the folder while it is listed: the list comes, and no lock is looked at through the link', async () => {
  const other = freshFolder();
  const logs = Array.from({ length: 60 }, (_, at) => beginSession(other, headerOf(other, `s${at}`)));
  for (const log of logs) log.append({ type: 'name', name: 'x' });
  const listing = listed(other);
  renameSync(join(other.cwd, '.buddyx'), join(other.cwd, 'moved'));
  symlinkSync('moved', join(other.cwd, '.buddyx'));
  await place.clock.advance(0);
  expect((await listing).map(({ open }) => open)).toContain(false);
  await Promise.all(logs.map((log) => log.close()));
});
