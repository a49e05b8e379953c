/** Session files on a real disk: begun, left, opened again, cut anywhere, damaged, held by another program, or planted. */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordBody } from '../../../lib/runtime/sessions/records.js';
import { beginSession, openSession, sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { listSessions } from '../../../lib/runtime/sessions/session-list.js';
import { freshPlace, headerOf } from '../../support/session-place.js';

const place = freshPlace();
let count = 0;

const said = (text: string): RecordBody => ({ type: 'message', as: 'prompt', message: { role: 'user', text } });
const ended = (prompts: number): RecordBody => ({ type: 'end', outcome: 'completed', error: null, name: null, prompts, latest: 'x' });

/** A session of three prompts, left in order. */
async function written(): Promise<string> {
  const session = `s${++count}`;
  const log = beginSession(place, headerOf(place, session));
  for (const prompt of [1, 2, 3]) {
    log.append(said(`prompt ${prompt} – ü`));
    log.append(ended(prompt));
    await log.settle();
  }
  await log.close();
  return session;
}

const texts = (records: readonly RecordBody[]) => records.flatMap((record) => (record.type === 'message' ? record.message.text : []));
const open = (session: string) => openSession(place, session, () => `copy-of-${session}`);

test('what was written is there again, private, and goes on where it ended', async () => {
  const session = await written();
  expect(statSync(sessionPath(place, session)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(place.cwd, '.buddyx', '.gitignore'), 'utf8')).toBe('*\n');
  const first = open(session);
  expect(texts(first.records)).toEqual(['prompt 1 – ü', 'prompt 2 – ü', 'prompt 3 – ü']);
  expect(first.notices).toEqual([]);
  first.log.append(said('prompt 4'));
  await first.log.close();
  const second = open(session);
  expect(second.records.map(({ id, parentId }) => [id, parentId])).toEqual(
    Array.from({ length: 7 }, (_, at) => [String(at + 1), at === 0 ? null : String(at)]),
  );
  await second.log.close();
});

test('a damaged line in the middle is told of and skipped; what follows it is there', async () => {
  const session = await written();
  const path = sessionPath(place, session);
  writeFileSync(path, readFileSync(path, 'utf8').replace('prompt 2', 'prompt X'));
  const { records, notices, log } = open(session);
  expect(texts(records)).toEqual(['prompt 1 – ü', 'prompt 3 – ü']);
  expect(notices).toEqual([`1 damaged line of session ${session} could not be read`]);
  await log.close();
});

test('a session that a living process writes is copied; one whose process is gone is taken over', async () => {
  const session = await written();
  const before = readFileSync(sessionPath(place, session), 'utf8');
  const other = spawn('sleep', ['1000']);
  const start = readFileSync(`/proc/${other.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
  writeFileSync(sessionPath(place, session, 'lock'), `${other.pid} ${start} here x`);
  // A stopped process is alive.
  other.kill('SIGSTOP');
  const copy = open(session);
  expect(copy.copyOf).toBe(session);
  expect(texts(copy.records)).toHaveLength(3);
  copy.log.append(said('mine'));
  await copy.log.close();
  expect(readFileSync(sessionPath(place, session), 'utf8')).toBe(before);
  const reopened = open(`copy-of-${session}`);
  expect(texts(reopened.records)).toEqual(['prompt 1 – ü', 'prompt 2 – ü', 'prompt 3 – ü', 'mine']);
  expect(reopened.header.parent).toBe(session);
  await reopened.log.close();
  // The same number, but another process by now.
  writeFileSync(sessionPath(place, session, 'lock'), `${other.pid} 1 here x`);
  const taken = open(session);
  expect(taken.copyOf).toBeNull();
  await taken.log.close();
  other.kill('SIGKILL');
});

test('two writers in one process: the second gets a copy until the first lets go', async () => {
  const session = await written();
  const first = open(session);
  const second = openSession(place, session, () => 'second');
  expect(second.copyOf).toBe(session);
  await first.log.close();
  await second.log.close();
  const third = open(session);
  expect(third.copyOf).toBeNull();
  await third.log.close();
});

test('a session that came from elsewhere is not opened', async () => {
  const session = await written();
  const path = sessionPath(place, session);
  const text = readFileSync(path, 'utf8');
  expect(() => openSession({ ...place, key: Buffer.from('of another person') }, session, () => 'x')).toThrow(
    'it was not written by you on this machine',
  );
  writeFileSync(sessionPath(place, 'renamed'), text);
  expect(() => open('renamed')).toThrow('it was renamed');
  writeFileSync(path, text.replace('"target":"local"', '"target":"web-1"'));
  expect(() => open(session)).toThrow('it was not written by you');
  writeFileSync(path, text.replace('"format":1', '"format":2'));
  expect(() => open(session)).toThrow('another version of the program wrote it');
  const elsewhere = mkdtempSync(join(tmpdir(), 'sessions-'));
  mkdirSync(join(elsewhere, '.buddyx', 'sessions'), { recursive: true });
  writeFileSync(sessionPath({ cwd: elsewhere }, session), text);
  expect(() => openSession({ ...place, cwd: elsewhere }, session, () => 'x')).toThrow(`it belongs to ${place.cwd}`);
});

test('links, pipes and wrong names are refused without waiting', async () => {
  const session = await written();
  symlinkSync(sessionPath(place, session), sessionPath(place, 'link'));
  expect(() => open('link')).toThrow('cannot be read');
  execFileSync('sh', ['-c', 'mkfifo "$0"', sessionPath(place, 'pipe')]);
  expect(() => open('pipe')).toThrow('is no regular file');
  for (const name of ['../x', '..', '', 'a/b', 'nul\0']) expect(() => open(name)).toThrow('is no id of a session');
  expect(() => open('none')).toThrow('there is no session "none" in this folder');
});

test('a list does not wait for what was planted beside its files', async () => {
  const session = await written();
  const text = readFileSync(sessionPath(place, session), 'utf8');
  writeFileSync(sessionPath(place, 'trap'), text);
  execFileSync('sh', ['-c', 'mkfifo "$0"', sessionPath(place, 'trap', 'lock')]);
  const listed = await listSessions(place, '', place.clock, new AbortController().signal);
  expect(listed.find((of) => of.session === 'trap')).toMatchObject({ foreign: 'it was renamed', open: false });
  expect(listed.find((of) => of.session === session)).toMatchObject({ title: 'prompt 1 – ü', prompts: 3, latest: 'x', foreign: null });
});

test('a folder that is a link is not written to', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sessions-'));
  symlinkSync(place.cwd, join(cwd, '.buddyx'));
  const log = beginSession({ ...place, cwd }, { ...headerOf(place, 'planted'), cwd });
  const troubles: (string | null)[] = [];
  log.onTrouble = (trouble) => troubles.push(trouble);
  log.append(said('x'));
  expect(troubles).toEqual([`${join(cwd, '.buddyx')} is no folder`]);
  await log.close();
});
