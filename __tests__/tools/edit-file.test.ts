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

test('with replace_all every occurrence', async () => {
  expect(await edited('a b a b a', 'a', '', { replace_all: true })).toMatchObject({ file: ' b  b ', summary: 'edited 3 places' });
});

test('line feeds find the line ends of the file, and become such', async () => {
  expect((await edited('one\r\ntwo\r\nthree\r\n', 'one\ntwo\n', '1\n2\n')).file).toBe('1\r\n2\r\nthree\r\n');
});

test.each([
  ['what is not there', 'one\n', 'two', '"old_text" does not occur in /srv/a; nothing was written'],
  ['what is there twice', 'one one\n', 'one', '"old_text" occurs 2 times in /srv/a; nothing was written'],
  ['no such file', null, 'one', '/srv/a: no such file or folder'],
  ['no text', Uint8Array.of(111, 110, 101, 0, 255), 'one', '/srv/a cannot be edited'],
])('%s: nobody is asked, and the model learns why', async (_, before, oldText, why) => {
  const done = await edited(before, oldText, 'new');
  expect(done.asked).toEqual([]);
  expect(done.isError).toBe(true);
  expect(done.said).toContain(why);
  expect(done.file).toBe(before === null ? null : Buffer.from(before as string).toString());
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
