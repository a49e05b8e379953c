/** edit_file: a piece of text goes, where it is clear which one; the question shows the whole change. */

import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';

const edit = (path: string, oldText: string, newText: string, more: object = {}) => ({
  id: 'c1',
  name: 'edit_file',
  argsText: JSON.stringify({ path, old_text: oldText, new_text: newText, why: 'to test', ...more }),
});

/** Asks for the edit of /srv/a, which holds `before`; says yes when it is asked about. */
async function edited(before: string | Uint8Array | null, ...[oldText, newText, more]: [string, string, object?]) {
  const fake = fakeTarget();
  if (before !== null) fake.files.set('/srv/a', Buffer.from(before as string));
  const bench = await startRuntime([{ calls: [edit('/srv/a', oldText, newText, more)] }, { text: 'done' }], fake);
  bench.runtime.onEvent(({ event }) => {
    if (event.type === 'approval.requested') bench.answer('once');
  });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('task.ended');
  const [end] = bench.find('tool.ended');
  return {
    file: fake.files.get('/srv/a')?.toString() ?? null,
    asked: bench.find('approval.requested').map(({ request }) => ({ title: request.title, diff: request.diff })),
    said: end?.text ?? '',
    isError: end?.isError,
    summary: end?.summary,
  };
}

test('what stands there once is replaced, and the question shows the file before and after', async () => {
  const done = await edited('one\ntwo\nthree\n', 'two\n', '$& 2\n');
  expect(done.file).toBe('one\n$& 2\nthree\n');
  expect(done.asked).toEqual([
    { title: 'edit /srv/a', diff: { path: '/srv/a', before: 'one\ntwo\nthree\n', after: 'one\n$& 2\nthree\n' } },
  ]);
  expect(done).toMatchObject({ isError: false, summary: 'edited 1 place' });
});

test('several edits are asked about and written together', async () => {
  const edits = [
    { oldText: 'three', newText: '3' },
    { oldText: 'one', newText: '1' },
  ];
  const done = await edited('one\ntwo\nthree\n', '', '', { old_text: undefined, new_text: undefined, edits });
  expect(done.asked).toEqual([{ title: 'edit /srv/a', diff: { path: '/srv/a', before: 'one\ntwo\nthree\n', after: '1\ntwo\n3\n' } }]);
  expect(done).toMatchObject({ file: '1\ntwo\n3\n', summary: 'edited 2 places', said: 'edited /srv/a: 2 places, from line 1' });
});

test('with replace_all every occurrence', async () => {
  expect(await edited('a b a b a', 'a', '', { replace_all: true })).toMatchObject({ file: ' b  b ', summary: 'edited 3 places' });
});

test('line feeds find the line ends of the file, and become such', async () => {
  expect((await edited('one\r\ntwo\r\nthree\r\n', 'one\ntwo\n', '1\n2\n')).file).toBe('1\r\n2\r\nthree\r\n');
});

test.each([
  ['what is not there', 'one\n', 'two', '"oldText" does not occur in /srv/a.'],
  ['what is there twice', 'one one\n', 'one', '"oldText" occurs 2 times in /srv/a, at line 1'],
  ['no such file', null, 'one', '/srv/a: no such file or folder'],
  ['no text', Uint8Array.of(111, 110, 101, 0, 255), 'one', '/srv/a cannot be edited'],
])('%s: nobody is asked, and the model learns why', async (_, before, oldText, why) => {
  const done = await edited(before, oldText, 'new');
  expect(done.asked).toEqual([]);
  expect(done.isError).toBe(true);
  expect(done.said).toContain(why);
  expect(done.file).toBe(before === null ? null : Buffer.from(before as string).toString());
});

test('two calls on one file in one answer run one after the other: the second sees what the first wrote, and both are asked about so', async () => {
  const fake = fakeTarget();
  fake.files.set('/srv/a', Buffer.from('one\n'));
  const calls = [edit('/srv/a', 'one', 'two'), { ...edit('/srv/a', 'two', 'three'), id: 'c2' }];
  const bench = await startRuntime([{ calls }, { text: 'done' }], fake);
  bench.runtime.onEvent(({ event }) => {
    if (event.type === 'approval.requested') bench.answer('once');
  });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('task.ended');
  expect(bench.find('approval.requested').map(({ request }) => request.diff)).toEqual([
    { path: '/srv/a', before: 'one\n', after: 'two\n' },
    { path: '/srv/a', before: 'two\n', after: 'three\n' },
  ]);
  expect(fake.files.get('/srv/a')?.toString()).toBe('three\n');
});

test('of a large file only the part that changes is asked about, with its line, and can be changed by the person', async () => {
  const lines = Array.from({ length: 100_000 }, (_, i) => `line ${i + 1}\n`);
  const fake = fakeTarget();
  fake.files.set('/srv/a', Buffer.from(lines.join('')));
  const bench = await startRuntime([{ calls: [edit('/srv/a', 'line 50000\n', 'new\n')] }, { text: 'done' }], fake);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  const part = lines.slice(49_996, 50_003);
  const { id = '', title, body, diff } = bench.find('approval.requested')[0]?.request ?? {};
  const after = part.join('').replace('line 50000\n', 'new\n');
  expect({ title, body, diff }).toEqual({
    title: 'edit /srv/a, from line 49997',
    body: after,
    diff: { path: '/srv/a', before: part.join(''), after, firstLine: 49_997 },
  });
  bench.runtime.send({ type: 'approval.answer', approval: id, decision: 'once', body: after.replace('new', 'mine') });
  await bench.seen('task.ended');
  expect(fake.files.get('/srv/a')?.toString()).toBe(lines.join('').replace('line 50000\n', 'mine\n'));
  expect(bench.find('tool.started')[0]?.diff).toMatchObject({ after: after.replace('new', 'mine'), firstLine: 49_997 });
  // What the model is told is not what it asked for.
  expect(bench.find('tool.ended')[0]?.text).toBe('edited /srv/a, as the user wrote it');
  const heard = JSON.stringify(bench.requests.at(-1)?.messages.filter(({ role }) => role === 'tool'));
  expect(heard).toContain('what stands there is not what newText says');
  expect(heard).not.toContain('places_changed');
});

test('a person may take all of it back: nothing is written, and the model knows', async () => {
  const fake = fakeTarget();
  fake.files.set('/srv/a', Buffer.from('one\n'));
  const bench = await startRuntime([{ calls: [edit('/srv/a', 'one', 'two')] }, { text: 'I see.' }], fake);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  bench.runtime.send({ type: 'approval.answer', approval: 'a1', decision: 'once', body: 'one\n' });
  await bench.seen('task.ended');
  expect(bench.find('tool.ended')[0]?.text).toBe('/srv/a has that content already; nothing was written');
});

test('edits that lie too far apart in a large file are not asked about unseen', async () => {
  const edits = [
    { oldText: 'first', newText: '1' },
    { oldText: 'last', newText: '2' },
  ];
  const done = await edited(`first\n${'x\n'.repeat(400_000)}last\n`, '', '', { old_text: undefined, new_text: undefined, edits });
  expect(done.asked).toEqual([]);
  expect(done.said).toContain('these edits lie too far apart to be shown together. Make a call for each');
});

test('an error shows nothing of a file that could not be read without a question', async () => {
  const wrong = async (path: string) => {
    const fake = fakeTarget();
    fake.files.set(path, Buffer.from('TOKEN=hunter22-abc\n'));
    const bench = await startRuntime([{ calls: [edit(path, 'TOKEN=hunter22-abd', 'x')] }, { text: 'I see.' }], fake);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    return bench.find('tool.ended')[0]?.text ?? '';
  };
  expect(await wrong('/srv/notes')).toContain('1| TOKEN=hunter22-abc');
  const secret = await wrong('/srv/.env');
  expect(secret).toContain('/srv/.env cannot be edited so');
  expect(secret).not.toContain('hunter22');
});

test('the same text twice is no edit', async () => {
  expect((await edited('one', 'one', 'one')).said).toContain('there is nothing to change');
});

test('nothing is written when the file has changed since it was asked about', async () => {
  const fake = fakeTarget();
  fake.files.set('/srv/a', Buffer.from('old\n'));
  const bench = await startRuntime([{ calls: [edit('/srv/a', 'old', 'new')] }, { text: 'I see.' }], fake);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  fake.files.set('/srv/a', Buffer.from('old, but somebody else\n'));
  bench.answer('once');
  await bench.seen('task.ended');
  expect(fake.files.get('/srv/a')?.toString()).toBe('old, but somebody else\n');
});

test.each(['/etc/shadow', '/home/ann/.ssh/authorized_keys'])('%s is refused, whatever is in it', async (path) => {
  const fake = fakeTarget();
  fake.files.set(path, Buffer.from('one\n'));
  const bench = await startRuntime([{ calls: [edit(path, 'one', 'two')] }, { text: 'I see.' }], fake);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('task.ended');
  expect(bench.find('approval.requested')).toEqual([]);
  expect(bench.find('tool.ended')[0]).toMatchObject({ isError: true, summary: 'refused' });
  expect(fake.files.get(path)?.toString()).toBe('one\n');
});

test.each<readonly [string, string, string, object]>([
  ['the new text stands there', 'nowhere', 'TOKEN=hunter', {}],
  ['the old text stands there twice', 'er2', 'x', {}],
  ['nothing would change', 'TOKEN=hunter22  ', 'TOKEN=hunter22', {}],
  ['one of them stands there, another does not', 'TOKEN=hunter22', 'x', { edits: [{ oldText: 'nowhere', newText: 'y' }] }],
  ['nothing stands there', 'nowhere', 'x', {}],
])('of a file that only the user can allow reading nothing can be guessed: %s', async (_, oldText, newText, more) => {
  const fake = fakeTarget();
  fake.files.set('/srv/.env', Buffer.from('TOKEN=hunter22\nother=hunter2\n'));
  const bench = await startRuntime([{ calls: [edit('/srv/.env', oldText, newText, more)] }, { text: 'done' }], fake);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('task.ended');
  expect(bench.find('approval.requested')).toEqual([]);
  expect(bench.find('tool.ended')[0]?.text).toBe(
    '/srv/.env cannot be edited so: not every text stands there once, or something would not change. Only the user can allow more to be told of it. Read the file: the user is asked then. Nothing ran.',
  );
});
