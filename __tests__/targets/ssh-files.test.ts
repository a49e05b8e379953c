/** Files on another host, over a real ssh connection. */

import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { silentLog } from '../../lib/base/log.js';
import type { Place } from '../../lib/targets/places/place.js';
import { sshPlace } from '../../lib/targets/places/ssh.js';
import { until } from '../support/until.js';
import { never, targetHost } from './local-target.js';
import { hasSshd, type SshServer, startSshServer } from './ssh-server.js';

// Logging in takes long on a loaded machine; each wait inside has its own limit.
jest.setTimeout(60_000);

let server: SshServer;
let place: Place;
const there = hasSshd ? test : test.skip;

beforeAll(async () => {
  if (!hasSshd) return;
  server = await startSshServer({ bashrc: 'echo a greeting that is in the way\n' });
  place = sshPlace({ host: targetHost(server.home, server.env), destination: server.destination, connectTimeoutS: 10, log: silentLog });
  await place.connect(never);
});
afterAll(async () => {
  if (!hasSshd) return;
  await place.close();
  await server.close();
});

const at = (name: string) => join(server.home, name);
const read = (path: string, offset = 0, limit = 1000) => place.readFile(path, { offset, limit }, never);
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

there(
  '50 MB of any bytes go there and come back',
  async () => {
    const bytes = randomBytes(50 * 1024 * 1024);
    await place.writeFile(at('big'), bytes, never);
    expect(sha(readFileSync(at('big')))).toBe(sha(bytes));
    const { bytes: back, size } = await read(at('big'), 0, bytes.length);
    expect([sha(back), size]).toEqual([sha(bytes), bytes.length]);
    const piece = await read(at('big'), 49_999_990, 7);
    expect(Buffer.from(piece.bytes).equals(bytes.subarray(49_999_990, 49_999_997))).toBe(true);
  },
  60_000,
);

there.each(["it's", 'a "b" $c `d`', 'line\nline', '-rf', '--', '*', 'żółć', ' blank ', '#x;y&z'])('a file called %j', async (name) => {
  const path = `${at('names')}/${name}`;
  await place.writeFile(path, Buffer.from([0, 1, 255, 10, 13]), never);
  expect([...readFileSync(path)]).toEqual([0, 1, 255, 10, 13]);
  expect([...(await read(path)).bytes]).toEqual([0, 1, 255, 10, 13]);
});

there('writes whole, keeps the mode, follows links, makes folders, leaves nothing beside', async () => {
  mkdirSync(at('w'));
  writeFileSync(at('w/script'), 'old');
  chmodSync(at('w/script'), 0o751);
  symlinkSync('script', at('w/link'));
  await place.writeFile(at('w/link'), Buffer.from('new'), never);
  expect(readFileSync(at('w/script'), 'utf8')).toBe('new');
  expect(statSync(at('w/script')).mode & 0o7777).toBe(0o751);
  await place.writeFile(at('w/deep/er/f'), Buffer.alloc(0), never);
  expect([statSync(at('w/deep/er/f')).size, statSync(at('w/deep/er/f')).mode & 0o777]).toEqual([0, 0o644]);
  expect(readdirSync(at('w')).sort()).toEqual(['deep', 'link', 'script']);
});

there('what is no regular file is refused, and what is not there is told', async () => {
  await expect(read(at('none'))).rejects.toMatchObject({
    code: 'target.file',
    message: `cannot read ${at('none')}: no such file or folder`,
  });
  await expect(read(server.home)).rejects.toMatchObject({ message: `cannot read ${server.home}: it is a folder` });
  await expect(read('/dev/zero')).rejects.toMatchObject({ message: 'cannot read /dev/zero: it is no regular file' });
  await expect(place.writeFile(server.home, Buffer.from('x'), never)).rejects.toMatchObject({
    message: expect.stringContaining('it is a folder'),
  });
  await expect(place.writeFile('/proc/none/x', Buffer.from('x'), never)).rejects.toMatchObject({ code: 'target.file' });
  expect((await read('/proc/self/status', 0, 5)).bytes).toHaveLength(5);
  await expect(place.writeFile(at('never'), Buffer.from('x'), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  expect(existsSync(at('never'))).toBe(false);
});

there('a connection that breaks in the middle leaves the old file as it was', async () => {
  writeFileSync(at('kept'), 'old');
  server.wire.cutAfter(3_000_000);
  await expect(place.writeFile(at('kept'), randomBytes(8_000_000), never)).rejects.toMatchObject({ code: 'target.lost' });
  server.wire.mend();
  await until('it is back', () => place.reach(5000, never));
  expect(readFileSync(at('kept'), 'utf8')).toBe('old');
  await until('nothing is left beside', () => readdirSync(server.home).every((name) => !name.startsWith('.buddy-')));
});
