/** Conversations that the disk refuses: a person is told, also when it is a copy, and when they leave it for another. */

import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { fakeTarget } from '../../support/fake-target.js';
import { startRuntime } from '../../support/runtime-bench.js';
import { freshPlace } from '../../support/session-place.js';
import { until } from '../../support/until.js';

const place = freshPlace();
let count = 0;

/** A runtime that keeps its sessions, after one prompt. */
async function begun() {
  const bench = await startRuntime([{ text: 'One.' }, { text: 'Two.' }], fakeTarget(), {
    sessions: place,
    newSessionId: () => `r${++count}`,
  });
  const ask = async (ended: number) => {
    bench.runtime.send({ type: 'prompt.submit', text: 'hello' });
    await bench.seen('task.ended', ended);
  };
  const leave = async () => {
    bench.runtime.send({ type: 'runtime.shutdown' });
    await bench.runtime.closed;
  };
  return { ...bench, ask, leave, session: () => bench.find('lifecycle.started')[0]?.session ?? '' };
}

/** No file can be made for the session with that id. */
const block = (session: string) => mkdirSync(sessionPath(place, session), { recursive: true });

test('a copy that cannot be written is told of, and so is that it is saved again', async () => {
  const bench = await begun();
  await bench.ask(1);
  const copy = `r${count + 1}`;
  block(copy);
  bench.runtime.send({ type: 'session.fork' });
  await bench.seen('session.resumed');
  const told = () => bench.events.slice(bench.events.findIndex(({ type }) => type === 'session.resumed'));
  await until('the trouble is told', () => told().some(({ type }) => type === 'metrics.context'));
  expect(told().filter(({ type }) => type === 'session.storage')).toEqual([
    { type: 'session.storage', session: copy, trouble: 'it is a folder' },
  ]);
  rmdirSync(sessionPath(place, copy));
  await place.clock.advance(2000);
  expect(told().filter(({ type }) => type === 'session.storage')).toEqual([
    { type: 'session.storage', session: copy, trouble: 'it is a folder' },
    { type: 'session.storage', session: copy, trouble: null },
  ]);
  await bench.leave();
});

test('who leaves a conversation that the disk refuses is told what is lost', async () => {
  const bench = await begun();
  const left = bench.session();
  block(left);
  await bench.ask(1);
  bench.runtime.send({ type: 'session.new' });
  await bench.seen('warning');
  expect(bench.find('warning')).toEqual([
    { type: 'warning', message: `Session ${left} is not saved to its end (it is a folder): what was not written is lost.` },
  ]);
  await bench.ask(2);
  await bench.leave();
  expect(bench.find('warning')).toHaveLength(1);
});

test('what the disk takes at the last try is not told as lost', async () => {
  const bench = await begun();
  const left = bench.session();
  block(left);
  await bench.ask(1);
  rmdirSync(sessionPath(place, left));
  bench.runtime.send({ type: 'session.new' });
  await bench.ask(2);
  await bench.leave();
  expect(bench.find('warning')).toEqual([]);
  const again = await begun();
  again.runtime.send({ type: 'session.resume', session: left });
  await again.seen('session.resumed');
  expect(again.find('session.resumed')[0]?.past.map(({ event }) => event.type)).toContain('task.ended');
  await again.leave();
});

test('what the disk refuses can be exported elsewhere, and copied', async () => {
  const bench = await begun();
  const refused = bench.session();
  block(refused);
  await bench.ask(1);
  const path = join(place.cwd, 'elsewhere.md');
  bench.runtime.send({ type: 'session.export', format: 'md', path });
  await bench.seen('session.exported');
  expect(readFileSync(path, 'utf8')).toMatch(/> hello\n\nOne\./);
  bench.runtime.send({ type: 'session.fork' });
  await bench.seen('session.resumed');
  await bench.leave();
  const copy = readFileSync(sessionPath(place, `r${count}`), 'utf8');
  expect(copy).toContain('"text":"hello"');
  expect(copy).toContain('"text":"One."');
});

test('a program that ends while the disk refuses tells what is lost', async () => {
  const bench = await begun();
  block(bench.session());
  await bench.ask(1);
  await bench.leave();
  expect(bench.find('warning').map(({ message }) => message)).toEqual([
    `Session ${bench.session()} is not saved to its end (it is a folder): what was not written is lost.`,
  ]);
});

test('while the disk refuses one can go back all the same; once it takes it, the branch is in the file', async () => {
  const bench = await begun();
  const session = bench.session();
  block(session);
  await bench.ask(1);
  bench.runtime.send({ type: 'tree.tell' });
  await bench.seen('tree.told');
  const [prompt] = bench.find('tree.told')[0]?.entries ?? [];
  bench.runtime.send({ type: 'tree.go', entry: prompt?.id ?? '' });
  await bench.seen('session.branched');
  await bench.ask(2);
  expect(bench.requests.at(-1)?.messages.map(({ text }) => text)).toEqual(['hello']);
  rmdirSync(sessionPath(place, session));
  await place.clock.advance(2000);
  await bench.leave();
  const lines = readFileSync(sessionPath(place, session), 'utf8');
  expect(lines.match(/"as":"prompt"/g)).toHaveLength(2);
  expect(lines).toContain('"type":"branch"');
});
