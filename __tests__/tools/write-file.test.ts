/** write_file: what it would change is looked up before it is asked about, and must still be so when it writes. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLocalFile } from '../../lib/targets/places/local-files.js';
import { readRemoteFile } from '../../lib/targets/places/remote-files.js';
import { changedSince, lookAt } from '../../lib/tools/found-file.js';
import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';

const write = (id: string, path: string, content: string) => ({
  id,
  name: 'write_file',
  argsText: JSON.stringify({ path, content, why: 'to test' }),
});
const noStop = new AbortController().signal;

test('the question and the card hold what stands there now and what will', async () => {
  const fake = fakeTarget();
  fake.files.set('/srv/a', Buffer.from('old\n'));
  const bench = await startRuntime([{ calls: [write('c1', '/srv/a', 'new\n')] }, { text: 'done' }], fake);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  const diff = { path: '/srv/a', before: 'old\n', after: 'new\n' };
  expect(bench.find('approval.requested')[0]?.request).toMatchObject({ body: 'new\n', diff });
  bench.answer('once');
  await bench.seen('task.ended');
  expect(bench.find('tool.started')[0]?.diff).toEqual(diff);
  expect(fake.files.get('/srv/a')?.toString()).toBe('new\n');
});

test('nothing is written when the file has changed since it was asked about', async () => {
  const fake = fakeTarget();
  fake.files.set('/srv/a', Buffer.from('old\n'));
  const bench = await startRuntime([{ calls: [write('c1', '/srv/a', 'new\n')] }, { text: 'I see.' }], fake);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  fake.files.set('/srv/a', Buffer.from('somebody else\n'));
  bench.answer('once');
  await bench.seen('task.ended');
  expect(fake.files.get('/srv/a')?.toString()).toBe('somebody else\n');
  expect(bench.find('tool.ended')[0]).toMatchObject({ isError: true });
  expect(bench.find('tool.ended')[0]?.text).toContain('/srv/a has been changed since the user was asked; nothing was written');
});

test('what would change nothing is not asked about, and not written; a secret is asked about all the same', async () => {
  const fake = fakeTarget();
  fake.files.set('/srv/a', Buffer.from('same\n'));
  fake.files.set('/srv/.env', Buffer.from('TOKEN=1\n'));
  const written: string[] = [];
  const target = { ...fake.target, writeFile: (path: string) => Promise.resolve(void written.push(path)) };
  const calls = [write('c1', '/srv/a', 'same\n'), write('c2', '/srv/.env', 'TOKEN=1\n')];
  const bench = await startRuntime([{ calls }, { text: 'I see.' }], { ...fake, target });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  bench.answer('deny');
  await bench.seen('task.ended');
  expect(bench.find('approval.requested').map(({ request }) => request.title)).toEqual(['write /srv/.env']);
  expect(bench.find('tool.ended').map(({ text, isError }) => [text, isError])).toEqual([
    ['/srv/a has that content already; nothing was written', false],
    [expect.stringContaining('The user said no'), true],
  ]);
  expect(written).toEqual([]);
});

test('a file that came meanwhile is not overwritten either', async () => {
  const fake = fakeTarget();
  const bench = await startRuntime([{ calls: [write('c1', '/srv/a', 'new\n')] }, { text: 'I see.' }], fake);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  expect(bench.find('approval.requested')[0]?.request.diff).toEqual({ path: '/srv/a', before: null, after: 'new\n' });
  fake.files.set('/srv/a', Buffer.from('mine\n'));
  bench.answer('once');
  await bench.seen('task.ended');
  expect(fake.files.get('/srv/a')?.toString()).toBe('mine\n');
});

test('a mask in the place of a secret, which a session that goes on shows the model, is asked about even when all is allowed', async () => {
  const fake = fakeTarget();
  fake.files.set('/srv/a', Buffer.from('key = hunter22\n'));
  fake.files.set('/srv/b', Buffer.from('a [redacted] name\n'));
  const calls = [write('c1', '/srv/b', 'the [redacted] name\n'), write('c2', '/srv/a', 'key = [redacted]\nport = 1\n')];
  const bench = await startRuntime([{ calls }, { text: 'I see.' }], fake, { policy: { kind: 'all' } });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  expect(bench.find('approval.requested')[0]?.request).toMatchObject({
    title: 'write /srv/a',
    computed: { reasons: ['it writes [redacted], which stands where a secret was left out of what the model was shown'] },
  });
  bench.answer('deny');
  await bench.seen('task.ended');
  expect(fake.files.get('/srv/a')?.toString()).toBe('key = hunter22\n');
  expect(fake.files.get('/srv/b')?.toString()).toBe('the [redacted] name\n');
});

test('a path that is refused is not even read', async () => {
  const fake = fakeTarget();
  const read: string[] = [];
  const target = {
    ...fake.target,
    readFile: ((path, range, signal) => {
      read.push(path);
      return fake.target.readFile(path, range, signal);
    }) satisfies typeof fake.target.readFile,
  };
  const bench = await startRuntime([{ calls: [write('c1', '/etc/shadow', 'x')] }, { text: 'I see.' }], { ...fake, target });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('task.ended');
  expect(read).toEqual([]);
  expect(bench.find('tool.ended')[0]?.summary).toBe('refused');
});

test.each([
  ['text', Buffer.from('é\n'), 'é\n'],
  ['a byte order mark', Buffer.from('\ufeffx'), '\ufeffx'],
  ['a binary file', Buffer.from([1, 0, 2]), undefined],
  ['no UTF-8', Buffer.from([0xe9, 0x0a]), undefined],
  ['too large a file', Buffer.alloc(600_000, 'a'), undefined],
])('%s', async (_name, bytes, expected) => {
  const fake = fakeTarget();
  fake.files.set('/f', bytes);
  expect((await lookAt(fake.target, '/f', noStop))?.text).toBe(expected);
  // Whether it can be shown or not, it is seen when it changes.
  const found = await lookAt(fake.target, '/f', noStop);
  if (found === undefined) throw new Error('it was not found');
  expect(await changedSince(found, fake.target, '/f', noStop)).toBe(false);
  fake.files.set('/f', Buffer.concat([bytes, Buffer.from([0])]));
  expect(await changedSince(found, fake.target, '/f', noStop)).toBe(true);
});

test('a file that is not there is told from one that cannot be read, here and at the other end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'found-'));
  writeFileSync(join(folder, 'f'), 'x');
  const { target } = fakeTarget();
  const here = { ...target, readFile: readLocalFile };
  expect(await lookAt(here, join(folder, 'f'), noStop)).toMatchObject({ text: 'x', names: 1 });
  expect(await lookAt(here, join(folder, 'none'), noStop)).toMatchObject({ text: null });
  expect(await lookAt(here, folder, noStop)).toBeUndefined();
  rmSync(folder, { recursive: true });
  const exits = (code: number): typeof target => ({
    ...target,
    readFile: (path, range, signal) =>
      readRemoteFile(() => Promise.resolve({ code, stdout: Buffer.from(''), stderr: '' }), path, range, signal),
  });
  expect(await lookAt(exits(41), '/f', noStop)).toMatchObject({ text: null });
  expect(await lookAt(exits(44), '/f', noStop)).toBeUndefined();
});

describe('a symbolic link', () => {
  const runTo = async (lands: string, review: { readonly allowedPaths: readonly string[] } = { allowedPaths: [] }) => {
    const fake = fakeTarget();
    fake.links.set('/srv/link/a', lands);
    fake.links.set('/data', '/mnt/data');
    const bench = await startRuntime([{ calls: [write('c1', 'link/a', 'new\n')] }, { text: 'done' }], fake, {
      review: { denylist: [], homeDir: '/home/ann', confirmShell: true, ...review },
    });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    return { fake, bench };
  };

  test('that leads to a sensitive folder is refused, whatever it is called', async () => {
    const { bench, fake } = await runTo('/etc/cron.d/a');
    await bench.seen('task.ended');
    expect(bench.find('tool.ended')[0]?.text).toContain('/srv/link/a leads to /etc/cron.d/a: writing to /etc/cron.d/a is refused');
    expect([bench.find('approval.requested'), fake.files.size]).toEqual([[], 0]);
  });

  test('that leads out of the allowed folders is refused; one that leads into an allowed folder behind a link is not', async () => {
    const { bench } = await runTo('/elsewhere/a', { allowedPaths: ['/srv'] });
    await bench.seen('task.ended');
    expect(bench.find('tool.ended')[0]?.text).toContain('it is outside tools.files_allowed_paths');
    const inside = await runTo('/mnt/data/a', { allowedPaths: ['/srv', '/data'] });
    await inside.bench.seen('approval.requested');
    expect(inside.bench.find('approval.requested')[0]?.request.title).toBe('write /srv/link/a, which is /mnt/data/a');
  });

  test('that was turned after the question writes nothing', async () => {
    const { bench, fake } = await runTo('/srv/real');
    await bench.seen('approval.requested');
    fake.links.set('/srv/link/a', '/etc/passwd');
    bench.answer('once');
    await bench.seen('task.ended');
    expect(bench.find('tool.ended')[0]?.text).toContain('leads somewhere else than when the user was asked');
    expect(fake.files.size).toBe(0);
  });
});
