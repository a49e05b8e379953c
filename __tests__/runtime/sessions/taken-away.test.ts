/** A session file whose place is disturbed while it is written: removed with its folder, unlocked, or taken over by another program. */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordBody } from '../../../lib/runtime/sessions/records.js';
import { beginSession, openSession, sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { readSessionLines } from '../../../lib/runtime/sessions/session-lines.js';
import { freshPlace, headerOf } from '../../support/session-place.js';

const place = freshPlace();
let count = 0;

const said = (text: string): RecordBody => ({ type: 'message', as: 'prompt', message: { role: 'user', text } });

/** A session that is being written, with what it tells of the disk. */
function begun() {
  const session = `t${++count}`;
  const log = beginSession(place, headerOf(place, session));
  const troubles: (string | null)[] = [];
  log.onTrouble = (trouble) => troubles.push(trouble);
  log.append(said('one'));
  return { session, log, troubles, path: sessionPath(place, session), lock: sessionPath(place, session, 'lock') };
}

/** What a reader finds in that file. */
function textsIn(path: string) {
  const { records, damaged, header } = readSessionLines(readFileSync(path));
  expect(damaged).toBe(0);
  expect(header).not.toBe('');
  return records.map((record) => (record.type === 'message' ? record.message.text : record.type));
}

const OTHER = 'another program writes this session now; /fork goes on in a copy of it';

test('the folder is removed in mid-run: it is made again with the next record, and all that was said is in it', async () => {
  const { session, log, troubles, path } = begun();
  await log.settle();
  rmSync(join(place.cwd, '.buddyx'), { recursive: true });
  log.append(said('two'));
  log.append(said('three'));
  expect(textsIn(path)).toEqual(['one', 'two', 'three']);
  expect(troubles).toEqual([]);
  await log.close();
  const again = openSession(place, session, () => 'x');
  expect(again.records.map(({ id, parentId }) => [id, parentId])).toEqual([
    ['1', null],
    ['2', '1'],
    ['3', '2'],
  ]);
  await again.log.close();
});

test('the folder is removed and cannot be made again at first: that is told, and all is there later', async () => {
  const { log, troubles, path } = begun();
  const folder = join(place.cwd, '.buddyx');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  log.append(said('two'));
  expect(troubles).toEqual([`${folder} is no folder`]);
  await place.clock.advance(2000);
  rmSync(folder);
  await place.clock.advance(4000);
  expect(troubles).toEqual([`${folder} is no folder`, null]);
  expect(textsIn(path)).toEqual(['one', 'two']);
  await log.close();
});

test('the lock is removed: it is taken again, and the file goes on', async () => {
  const { log, troubles, path, lock } = begun();
  rmSync(lock);
  log.append(said('two'));
  expect(textsIn(path)).toEqual(['one', 'two']);
  expect(readFileSync(lock, 'utf8')).toMatch(`${process.pid} `);
  expect(troubles).toEqual([]);
  await log.close();
});

test('another program takes over: not a byte more is written, it is said, and all that was said can be copied', async () => {
  const { log, troubles, path, lock } = begun();
  writeFileSync(lock, `1 - elsewhere nonce`);
  const before = readFileSync(path);
  log.append(said('two'));
  await place.clock.advance(10_000);
  expect(troubles).toEqual([OTHER]);
  expect(readFileSync(path)).toEqual(before);
  const texts = readSessionLines(log.content()).records.map((record) => (record.type === 'message' ? record.message.text : ''));
  expect(texts).toEqual(['one', 'two']);
  await log.close();
  expect(readFileSync(lock, 'utf8')).toBe('1 - elsewhere nonce');
});

test('the lock is removed and another program writes meanwhile: nothing of ours is put behind its records', async () => {
  const { session, log, troubles, path, lock } = begun();
  rmSync(lock);
  const other = openSession(place, session, () => 'x');
  other.log.append(said('theirs'));
  await other.log.close();
  log.append(said('mine'));
  expect(troubles).toEqual([OTHER]);
  expect(textsIn(path)).toEqual(['one', 'theirs']);
  await log.close();
});

test('another file is put in its place: it is not written to', async () => {
  const { log, troubles, path } = begun();
  renameSync(path, `${path}.moved`);
  writeFileSync(path, 'something else\n');
  log.append(said('two'));
  expect(troubles).toEqual([OTHER]);
  expect(readFileSync(path, 'utf8')).toBe('something else\n');
  await log.close();
});

test('a lock of another host holds, whatever its process id means here', () => {
  const { log, session, lock } = begun();
  writeFileSync(lock, '999999999 - another-host nonce');
  expect(openSession(place, session, () => 'copy').copyOf).toBe(session);
  return log.close();
});
