/** A disk that is full, or takes only a part: nothing is lost, nothing is glued together, and it is told. */

import { readSessionLines } from '../../../lib/runtime/sessions/session-lines.js';
import type { HeldFile } from '../../../lib/runtime/sessions/session-log.js';
import { SessionLog } from '../../../lib/runtime/sessions/session-log.js';
import { FakeClock } from '../../support/fake-clock.js';

/** A disk with room for so many bytes, that takes what fits before it complains. */
function smallDisk() {
  const disk = { room: 0, bytes: Buffer.alloc(0), writes: 0, released: false, isOpenable: true, isSyncable: true };
  const open = (): HeldFile => {
    if (!disk.isOpenable) throw Object.assign(new Error('no'), { code: 'EROFS' });
    return {
      file: {
        get length() {
          return disk.bytes.length;
        },
        append(content) {
          const whole = Buffer.from(content);
          disk.writes++;
          const fits = whole.subarray(0, Math.max(0, disk.room - disk.bytes.length));
          disk.bytes = Buffer.concat([disk.bytes, fits]);
          if (fits.length < whole.length) throw Object.assign(new Error('no'), { code: 'ENOSPC' });
        },
        content: (length) => disk.bytes.subarray(0, length),
        cut: (length) => {
          disk.bytes = disk.bytes.subarray(0, length);
        },
        sync: () => (disk.isSyncable ? Promise.resolve() : Promise.reject(Object.assign(new Error('no'), { code: 'EIO' }))),
        close: () => undefined,
      },
      state: () => 'ours',
      release: () => {
        disk.released = true;
      },
    };
  };
  return { disk, open };
}

function start(like = (held: HeldFile): HeldFile => held) {
  const clock = new FakeClock();
  const { disk, open: openDisk } = smallDisk();
  const open = () => like(openDisk());
  const of = { session: 's', clock, redact: (text: string) => text, header: '{"type":"session"}', lastId: 0, leaf: null };
  const log = new SessionLog({ ...of, open, reopen: open });
  const troubles: (string | null)[] = [];
  log.onTrouble = (trouble) => troubles.push(trouble);
  return { clock, disk, log, troubles };
}

test('a full disk is told once; what waited is written, whole and in order, once there is room', async () => {
  const { clock, disk, log, troubles } = start();
  disk.room = 150;
  for (const name of ['one', 'two', 'three']) log.append({ type: 'name', name });
  expect(troubles).toEqual(['the disk is full']);
  expect(log.isWritten).toBe(false);
  disk.room = 100_000;
  await clock.advance(2000);
  expect(troubles).toEqual(['the disk is full', null]);
  log.append({ type: 'name', name: 'four' });
  await log.close();
  const { records, damaged, header } = readSessionLines(disk.bytes);
  expect(header).toBe('{"type":"session"}');
  expect(damaged).toBe(0);
  expect(records.map((record) => (record.type === 'name' ? record.name : null))).toEqual(['one', 'two', 'three', 'four']);
  expect(disk.released).toBe(true);
});

test('a disk that goes on refusing is asked less and less often, and at once with the next record', async () => {
  const { clock, disk, log, troubles } = start();
  disk.isSyncable = false;
  disk.room = 10_000;
  log.append({ type: 'name', name: 'one' });
  await log.settle();
  const triesIn = async (ms: number): Promise<number> => {
    const before = disk.writes;
    await clock.advance(ms);
    return disk.writes - before;
  };
  expect([await triesIn(2000), await triesIn(4000), await triesIn(8000), await triesIn(80_000)]).toEqual([1, 1, 1, 10]);
  disk.room = 0;
  const before = disk.writes;
  log.append({ type: 'name', name: 'two' });
  expect(disk.writes).toBe(before + 1);
  [disk.room, disk.isSyncable] = [10_000, true];
  await clock.advance(8000);
  expect(troubles).toEqual(['EIO', 'the disk is full', null]);
  disk.room = 0;
  log.append({ type: 'name', name: 'three' });
  expect(await triesIn(2000)).toBe(1);
  await log.close();
  expect(clock.pending).toBe(0);
});

test('whatever the room, what is in the file is whole but for its last line', () => {
  for (let room = 0; room < 400; room++) {
    const { disk, log } = start();
    disk.room = room;
    for (const name of ['one', 'two', 'three', 'four']) log.append({ type: 'name', name });
    expect(readSessionLines(disk.bytes).damaged).toBe(0);
  }
});

test('a folder that is read-only is told; what waits is written at the end when that has changed', async () => {
  const { disk, log, troubles } = start();
  disk.isOpenable = false;
  log.append({ type: 'name', name: 'one' });
  expect(troubles).toEqual(['the file system is read-only']);
  disk.isOpenable = true;
  disk.room = 1000;
  await log.close();
  expect(readSessionLines(disk.bytes).records).toHaveLength(1);
});

test('a file and a lock that the disk does not let go of end nothing but themselves', async () => {
  const refuse = (): never => {
    throw Object.assign(new Error('no'), { code: 'EROFS' });
  };
  const { disk, log } = start((held) => ({ ...held, file: Object.create(held.file, { close: { value: refuse } }), release: refuse }));
  disk.room = 1000;
  log.append({ type: 'name', name: 'one' });
  await log.close();
  expect(readSessionLines(disk.bytes).records).toHaveLength(1);
});

test('a session without a record makes no file', async () => {
  const { disk, log } = start();
  disk.room = 1000;
  await log.close();
  expect(disk.bytes.length).toBe(0);
});

test('a single record that waits behind a written header is tried once more at the end', async () => {
  const { disk, log } = start();
  disk.room = 1000;
  log.append({ type: 'name', name: 'one' });
  disk.room = disk.bytes.length;
  log.append({ type: 'name', name: 'two' });
  disk.room = 1000;
  await log.close();
  const { records, damaged } = readSessionLines(disk.bytes);
  expect(damaged).toBe(0);
  expect(records.map((record) => (record.type === 'name' ? record.name : null))).toEqual(['one', 'two']);
});

test('many records are written at once, each behind the one before', async () => {
  const { disk, log } = start();
  disk.room = 10_000;
  const ids = log.appendAll(['one', 'two', 'three'].map((name, at) => ({ type: 'name', name, tsMs: at })));
  expect(ids).toEqual(['1', '2', '3']);
  expect(disk.writes).toBe(1);
  await log.close();
  expect(readSessionLines(disk.bytes).records).toEqual([
    { type: 'name', name: 'one', tsMs: 0, id: '1', parentId: null },
    { type: 'name', name: 'two', tsMs: 1, id: '2', parentId: '1' },
    { type: 'name', name: 'three', tsMs: 2, id: '3', parentId: '2' },
  ]);
});

test('what the disk has taken and what waits is there together, to be copied elsewhere', () => {
  const { disk, log } = start();
  disk.room = 150;
  for (const name of ['one', 'two', 'three']) log.append({ type: 'name', name });
  const { records, damaged, header } = readSessionLines(log.content());
  expect([header, damaged]).toEqual(['{"type":"session"}', 0]);
  expect(records.map((record) => (record.type === 'name' ? record.name : null))).toEqual(['one', 'two', 'three']);
});

test('a disk that takes bytes and does not keep them: the trouble is over with a sync that worked, not before', async () => {
  const { clock, disk, log, troubles } = start();
  disk.room = 10_000;
  disk.isSyncable = false;
  log.append({ type: 'name', name: 'one' });
  await log.settle();
  expect(troubles).toEqual(['EIO']);
  expect(log.isWritten).toBe(false);
  await clock.advance(2000);
  log.append({ type: 'name', name: 'two' });
  await clock.advance(2000);
  expect(troubles).toEqual(['EIO']);
  disk.isSyncable = true;
  await clock.advance(2000);
  expect(troubles).toEqual(['EIO', null]);
  expect(log.isWritten).toBe(true);
  expect(clock.pending).toBe(0);
  await log.close();
  expect(readSessionLines(disk.bytes).records).toHaveLength(2);
});
