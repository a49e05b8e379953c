/** A conversation that goes on from an earlier place: what is kept, what the model is shown, what a later start finds. */

import { readFileSync, writeFileSync } from 'node:fs';
import { sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { exited, fakeTarget } from '../../support/fake-target.js';
import { unsound } from '../../support/messages.js';
import { startRuntime } from '../../support/runtime-bench.js';
import { type ScriptedAnswer, shellCall } from '../../support/scripted-model.js';
import { freshPlace } from '../../support/session-place.js';

const place = freshPlace();
let count = 0;

async function begin(answers: readonly ScriptedAnswer[], more: Parameters<typeof startRuntime>[2] = {}) {
  const bench = await startRuntime(
    answers,
    fakeTarget(() => exited('/dev/sda1 80%')),
    { policy: { kind: 'all' }, sessions: place, newSessionId: () => `t${++count}`, ...more },
  );
  let ended = 0;
  return {
    ...bench,
    session: bench.find('lifecycle.started')[0]?.session ?? '',
    async ask(text: string) {
      bench.runtime.send({ type: 'prompt.submit', text });
      await bench.seen('task.ended', ++ended);
    },
    async tree() {
      const known = bench.find('tree.told').length;
      bench.runtime.send({ type: 'tree.tell' });
      await bench.seen('tree.told', known + 1);
      const { entries, leaf } = bench.find('tree.told').at(-1) ?? { entries: [], leaf: null };
      return { entries, leaf, idOf: (text: string) => entries.find((entry) => entry.text.includes(text))?.id ?? '' };
    },
    async goOn(entry: string) {
      const known = bench.find('session.branched').length;
      bench.runtime.send({ type: 'tree.go', entry });
      await bench.seen('session.branched', known + 1);
    },
    async resume(session: string) {
      bench.runtime.send({ type: 'session.resume', session });
      await bench.seen('session.resumed');
    },
    async leave() {
      bench.runtime.send({ type: 'runtime.shutdown' });
      await bench.runtime.closed;
    },
  };
}

type Bench = Awaited<ReturnType<typeof begin>>;
const shown = (bench: Bench) => bench.requests.at(-1)?.messages.map(({ role, text }) => (role === 'tool' ? 'tool' : `${role} ${text}`));
const lines = ({ entries }: Awaited<ReturnType<Bench['tree']>>) =>
  entries.map(({ id, parent, kind, text, label }) => `${parent ?? '-'} > ${id} ${kind} ${text}${label === null ? '' : ` #${label}`}`);

test('choosing a prompt takes it back and goes on before it; both branches stay, and the next start goes on in the new one', async () => {
  const first = await begin([{ text: 'Red.' }, { text: 'Sour.' }, { text: 'Sweet.' }, { text: 'Very.' }]);
  await first.ask('what colour?');
  await first.ask('what taste?');
  await first.goOn((await first.tree()).idOf('what taste?'));
  expect(first.find('session.branched')[0]).toMatchObject({ text: 'what taste?' });
  expect(first.find('session.branched')[0]?.past.map(({ event }) => event.type)).toEqual(['task.started', 'model.answered', 'task.ended']);
  await first.ask('what taste, truly?');
  expect(shown(first)).toEqual(['user what colour?', 'assistant Red.', 'user what taste, truly?']);
  const tree = await first.tree();
  expect(lines(tree).map((line) => line.replace(/\d+/g, ''))).toEqual([
    '- >  prompt what colour?',
    ' >  answer Red.',
    ' >  prompt what taste?',
    ' >  answer Sour.',
    ' >  prompt what taste, truly?',
    ' >  answer Sweet.',
  ]);
  const parentOf = (text: string) => tree.entries.find((entry) => entry.text === text)?.parent;
  expect([parentOf('what taste?'), parentOf('what taste, truly?')]).toEqual([tree.idOf('Red.'), tree.idOf('Red.')]);
  expect(tree.leaf).toBe(tree.idOf('Sweet.'));
  await first.leave();
  const second = await begin([{ text: 'Yes.' }]);
  await second.resume(first.session);
  await second.ask('sure?');
  expect(shown(second)).toEqual(['user what colour?', 'assistant Red.', 'user what taste, truly?', 'assistant Sweet.', 'user sure?']);
  await second.leave();
});

test('the place that was chosen is remembered when nothing was said there, before the first prompt too', async () => {
  const first = await begin([{ text: 'Red.' }, { text: 'Sour.' }]);
  await first.ask('what colour?');
  await first.ask('what taste?');
  first.runtime.send({ type: 'session.rename', name: 'fruit' });
  await first.goOn((await first.tree()).idOf('Red.'));
  expect(first.find('session.branched')[0]).toMatchObject({ text: null });
  await first.leave();
  const second = await begin([{ text: 'Round.' }]);
  await second.resume(first.session);
  expect(second.find('session.resumed')[0]?.name).toBe('fruit');
  expect(second.find('session.resumed')[0]?.past.filter(({ event }) => event.type === 'warning')).toEqual([]);
  expect((await second.tree()).leaf).toBe((await second.tree()).idOf('Red.'));
  await second.goOn((await second.tree()).idOf('what colour?'));
  expect((await second.tree()).leaf).toBeNull();
  await second.leave();
  const third = await begin([{ text: 'Round.' }]);
  await third.resume(first.session);
  expect(third.find('session.resumed')[0]?.past).toEqual([]);
  await third.ask('what shape?');
  expect(shown(third)).toEqual(['user what shape?']);
  await third.leave();
  const fourth = await begin([{ text: 'Yes.' }]);
  await fourth.resume(first.session);
  expect(fourth.find('session.resumed')[0]?.name).toBe('fruit');
  await fourth.leave();
});

test('an answer with calls is gone on from behind their results, whichever of them is chosen', async () => {
  const bench = await begin([
    { text: 'I look.', calls: [shellCall('c1', 'df -h'), shellCall('c2', 'df -i')] },
    { text: 'Full.' },
    { text: 'Two.' },
    { text: 'Three.' },
  ]);
  await bench.ask('how full?');
  const before = await bench.tree();
  expect(before.entries.map(({ kind, calls }) => [kind, calls.length])).toEqual([
    ['prompt', 0],
    ['answer', 0],
    ['calls', 2],
    ['answer', 0],
  ]);
  for (const [at, id] of [before.idOf('I look.'), before.idOf('df -h')].entries()) {
    await bench.goOn(id);
    await bench.ask(`again ${at}`);
    expect(shown(bench)).toEqual(['user how full?', 'assistant I look.', 'tool', 'tool', `user again ${at}`]);
    expect(unsound(bench.requests.at(-1)?.messages ?? [])).toBeNull();
  }
  expect(bench.fake.commands).toHaveLength(2);
  await bench.leave();
});

test('labels are told in the tree and the list, on whichever branch; a fork keeps those of what it copies', async () => {
  const first = await begin([{ text: 'Red.' }, { text: 'Sour.' }]);
  await first.ask('what colour?');
  first.runtime.send({ type: 'tree.label', entry: null, label: ' the\n colour ' });
  await first.seen('session.labelled');
  await first.ask('what taste?');
  const tree = await first.tree();
  first.runtime.send({ type: 'tree.label', entry: tree.idOf('what taste?'), label: 'taste' });
  first.runtime.send({ type: 'tree.label', entry: 'none', label: 'x' });
  await first.seen('command.refused');
  await first.goOn(tree.idOf('what taste?'));
  expect((await first.tree()).entries.map(({ text, label }) => [text, label])).toEqual([
    ['what colour?', null],
    ['Red.', 'the colour'],
    ['what taste?', 'taste'],
    ['Sour.', null],
  ]);
  first.runtime.send({ type: 'session.fork' });
  await first.seen('session.resumed');
  const forked = await first.tree();
  expect(lines(forked)).toEqual([expect.stringContaining('prompt what colour?'), expect.stringMatching(/answer Red\. #the colour$/)]);
  await first.leave();
  const second = await begin([]);
  await second.resume(first.session);
  second.runtime.send({ type: 'tree.label', entry: tree.idOf('what taste?'), label: '' });
  await second.seen('session.labelled');
  expect((await second.tree()).entries.map(({ label }) => label)).toEqual([null, 'the colour', null, null]);
  await second.leave();
});

test('no tree and no other branch while a prompt runs, before anything was said, and without sessions', async () => {
  const bench = await begin([{ text: 'One.' }, { text: 'Tw', hangs: true }]);
  bench.runtime.send({ type: 'tree.tell' });
  await bench.seen('command.refused', 1);
  await bench.ask('first');
  const id = (await bench.tree()).idOf('One.');
  bench.runtime.send({ type: 'prompt.submit', text: 'second' });
  await bench.seen('model.text', 2);
  bench.runtime.send({ type: 'tree.go', entry: id });
  await bench.seen('command.refused', 2);
  await bench.leave();
  const none = await startRuntime([{ text: 'One.' }]);
  none.runtime.send({ type: 'tree.tell' });
  await none.seen('command.refused');
  expect([...bench.find('command.refused'), ...none.find('command.refused')].map(({ reason }) => reason)).toEqual([
    'nothing has been said yet',
    'a prompt is running; interrupt it first',
    'sessions are not kept here',
  ]);
  none.runtime.send({ type: 'runtime.shutdown' });
  await none.runtime.closed;
});

test('a damaged line about the branch does not lead what follows back to the old one', async () => {
  const first = await begin([{ text: 'Red.' }, { text: 'Sour.' }, { text: 'Sweet.' }]);
  await first.ask('what colour?');
  await first.ask('what taste?');
  await first.goOn((await first.tree()).idOf('what taste?'));
  await first.ask('and now?');
  await first.leave();
  const path = sessionPath(place, first.session);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"type":"branch"', '"type":"brunch"'));
  const second = await begin([{ text: 'Yes.' }]);
  await second.resume(first.session);
  await second.ask('sure?');
  expect(shown(second)).toEqual(['user what colour?', 'assistant Red.', 'user and now?', 'assistant Sweet.', 'user sure?']);
  await second.leave();
});
