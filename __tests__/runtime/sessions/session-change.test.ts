/** Another session is looked at, renamed and deleted, while one is in use. */

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginSession, openSession, sessionPath, sessionsFolder } from '../../../lib/runtime/sessions/session-folder.js';
import { previewOf } from '../../../lib/runtime/sessions/session-preview.js';
import { exited, fakeTarget } from '../../support/fake-target.js';
import { startRuntime } from '../../support/runtime-bench.js';
import { shellCall } from '../../support/scripted-model.js';
import { freshPlace, headerOf } from '../../support/session-place.js';

const place = freshPlace();
let count = 0;

/** A session with one prompt, left; and a runtime that is in another one. */
async function begin() {
  const id = ++count;
  const earlier = await run([{ text: 'I look.', calls: [shellCall('c1', 'df -h')] }, { text: `Full ${id}.` }], `old${id}`);
  earlier.runtime.send({ type: 'prompt.submit', text: `how full? ${id}` });
  await earlier.seen('task.ended');
  earlier.runtime.send({ type: 'runtime.shutdown' });
  await earlier.runtime.closed;
  const now = await run([{ text: 'Yes.' }], `new${id}`);
  return {
    ...now,
    old: `old${id}`,
    async list() {
      const known = now.find('session.listed').length;
      now.runtime.send({ type: 'session.list' });
      await now.seen('session.listed', known + 1);
      return now.find('session.listed').at(-1)?.sessions ?? [];
    },
    async leave() {
      now.runtime.send({ type: 'runtime.shutdown' });
      await now.runtime.closed;
    },
  };
}

const run = (answers: Parameters<typeof startRuntime>[0], session: string) =>
  startRuntime(
    answers,
    fakeTarget(() => exited('/dev/sda1 80%')),
    { policy: { kind: 'all' }, sessions: place, newSessionId: () => session },
  );

test('renamed: found by the new name, as old as before, and the conversation in use keeps its own', async () => {
  const bench = await begin();
  const { mtimeMs } = statSync(sessionPath(place, bench.old));
  const before = (await bench.list()).find(({ session }) => session === bench.old);
  bench.runtime.send({ type: 'session.rename', session: bench.old, name: ' the\n disk ' });
  await bench.seen('session.renamed');
  expect(bench.find('session.renamed')).toEqual([{ type: 'session.renamed', name: 'the disk', session: bench.old }]);
  expect(Math.round(statSync(sessionPath(place, bench.old)).mtimeMs)).toBe(Math.round(mtimeMs));
  const after = (await bench.list()).find(({ session }) => session === bench.old);
  expect(after).toMatchObject({ name: 'the disk', prompts: 1, title: before?.title, open: false });
  expect(existsSync(sessionPath(place, bench.old, 'lock'))).toBe(false);
  await bench.leave();
});

test('deleted: its file is in the trash, its lock let go of, and it is listed no more', async () => {
  const bench = await begin();
  const text = readFileSync(sessionPath(place, bench.old), 'utf8');
  expect((await bench.list()).map(({ session }) => session)).toContain(bench.old);
  bench.runtime.send({ type: 'session.delete', session: bench.old });
  await bench.seen('session.deleted');
  const movedTo = join(sessionsFolder(place.cwd), 'trash', `${bench.old}.jsonl`);
  expect(bench.find('session.deleted')[0]).toEqual({ type: 'session.deleted', session: bench.old, movedTo });
  expect(readFileSync(movedTo, 'utf8')).toBe(text);
  expect((await bench.list()).map(({ session }) => session)).not.toContain(bench.old);
  expect(readdirSync(sessionsFolder(place.cwd)).filter((name) => name.startsWith(bench.old))).toEqual([]);
  // Another one of that name does not take its place.
  writeFileSync(sessionPath(place, bench.old), 'other');
  bench.runtime.send({ type: 'session.delete', session: bench.old });
  await bench.seen('session.deleted', 2);
  expect(readFileSync(movedTo, 'utf8')).toBe(text);
  expect(readFileSync(join(sessionsFolder(place.cwd), 'trash', `${bench.old}.2.jsonl`), 'utf8')).toBe('other');
  await bench.leave();
});

test('neither the one in use, nor one that another program has open, nor what is none', async () => {
  const bench = await begin();
  bench.runtime.send({ type: 'prompt.submit', text: 'hm' });
  await bench.seen('task.ended');
  const inUse = bench.find('lifecycle.started')[0]?.session ?? '';
  const opened = openSession(place, bench.old, () => 'x');
  const before = readFileSync(sessionPath(place, bench.old), 'utf8');
  const files = readdirSync(sessionsFolder(place.cwd)).sort();
  for (const session of [inUse, bench.old, 'gone', '../x']) bench.runtime.send({ type: 'session.delete', session });
  bench.runtime.send({ type: 'session.rename', session: bench.old, name: 'mine' });
  bench.runtime.send({ type: 'session.rename', session: 'gone', name: 'mine' });
  bench.runtime.send({ type: 'session.rename', session: bench.old, name: ' ' });
  await bench.seen('command.refused', 5);
  await bench.seen('warning', 2);
  expect(bench.find('command.refused').map(({ reason }) => reason)).toEqual([
    'that is the session you are in',
    `another program has session ${bench.old} open`,
    'session gone could not be deleted: no such file or folder',
    '"../x" is no id of a session',
    'the name is empty',
  ]);
  expect(bench.find('warning').map(({ message }) => message)).toEqual([
    `another program has session ${bench.old} open`,
    'there is no session "gone" in this folder',
  ]);
  expect(readFileSync(sessionPath(place, bench.old), 'utf8')).toBe(before);
  expect(readdirSync(sessionsFolder(place.cwd)).sort()).toEqual(files);
  await opened.log.close();
  await bench.leave();
});

test('nothing is moved through a link that somebody put there', async () => {
  const bench = await begin();
  const elsewhere = join(place.cwd, 'elsewhere');
  mkdirSync(elsewhere);
  const trash = join(sessionsFolder(place.cwd), 'trash');
  if (existsSync(trash)) renameSync(trash, join(place.cwd, 'old-trash'));
  symlinkSync(elsewhere, trash);
  bench.runtime.send({ type: 'session.delete', session: bench.old });
  await bench.seen('command.refused');
  expect(bench.find('command.refused')[0]?.reason).toBe(`${trash} is no folder`);
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(existsSync(sessionPath(place, bench.old))).toBe(true);
  await bench.leave();
});

test('the end of a session is previewed without opening it: what was said last, the model, the folder', async () => {
  const bench = await begin();
  bench.runtime.send({ type: 'session.preview', session: bench.old });
  await bench.seen('session.previewed');
  const id = count;
  expect(bench.find('session.previewed')[0]?.preview).toEqual({
    session: bench.old,
    cwd: place.cwd,
    model: 'scripted',
    said: [
      { by: 'person', text: `how full? ${id}` },
      { by: 'model', text: 'I look.' },
      { by: 'model', text: `Full ${id}.` },
    ],
  });
  await bench.leave();
});

test('of a long session the end is enough; of one that came from elsewhere, or is none, nothing is shown', async () => {
  const log = beginSession(place, headerOf(place, 'long'));
  log.append({ type: 'model', profile: 'gpt', model: 'gpt-1' });
  for (let prompt = 0; prompt < 300; prompt++)
    log.append({ type: 'message', message: { role: 'user', text: `${prompt} ${'x'.repeat(2000)}` }, as: 'prompt' });
  await log.close();
  const preview = previewOf(place, 'long');
  expect(preview).toMatchObject({ model: 'gpt', cwd: place.cwd });
  expect(preview.said.map(({ text }) => text.split(' ')[0])).toEqual(['292', '293', '294', '295', '296', '297', '298', '299']);
  expect(Math.max(...preview.said.map(({ text }) => text.length))).toBe(1000);
  const nothing = { cwd: '', model: null, said: [] };
  expect(previewOf({ ...place, key: Buffer.from('other') }, 'long')).toMatchObject(nothing);
  for (const session of ['none', '../x', '']) expect(previewOf(place, session)).toMatchObject(nothing);
});

test('what was left for another branch is not previewed, whatever the new one follows and however far back it begins', async () => {
  for (const [session, between] of [
    ['labelled', 0],
    ['far', 300],
  ] as const) {
    const log = beginSession(place, headerOf(place, session));
    const say = (text: string) => log.append({ type: 'message', message: { role: 'user', text }, as: 'prompt' });
    const from = log.append({ type: 'label', of: say('before'), label: 'here', labels: ['here'] });
    for (let at = 0; at <= between; at++) say(`left ${at} ${'x'.repeat(2000)}`);
    log.branch(from, { type: 'branch', name: null, labels: ['here'] });
    say('after');
    await log.close();
    const said = previewOf(place, session).said.map(({ text }) => text);
    expect(said).toEqual(between === 0 ? ['before', 'after'] : ['after']);
  }
});
