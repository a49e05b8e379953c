/** The texts that wait: told one or all at a time, changed while they wait, and never lost. */

import { BuddyError } from '../../lib/base/errors.js';
import type { QueueChange } from '../../lib/protocol/commands.js';
import type { RuntimeOptions } from '../../lib/runtime/runtime-options.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { type ScriptedAnswer, shellCall } from '../support/scripted-model.js';

/** A prompt that asks for a yes, while these wait; `+` before a text: it steers. */
async function waiting(answers: readonly ScriptedAnswer[], texts: readonly string[], more: Partial<RuntimeOptions> = {}) {
  const bench = await startRuntime(
    [{ calls: [shellCall('c1', 'ls')] }, ...answers],
    fakeTarget(() => exited('')),
    more,
  );
  bench.runtime.send({ type: 'prompt.submit', text: 'first' });
  await bench.seen('approval.requested');
  for (const text of texts) {
    if (text.startsWith('+')) bench.runtime.send({ type: 'prompt.steer', text: text.slice(1) });
    else bench.runtime.send({ type: 'prompt.submit', text });
  }
  await bench.seen('queue.changed', texts.length);
  const queue = () => bench.find('queue.changed').at(-1)?.waiting ?? [];
  const edit = async (text: string, change: QueueChange) => {
    const before = bench.events.length;
    bench.runtime.send({ type: 'queue.edit', queued: queue().find((entry) => entry.text === text)?.id ?? 'gone', change });
    await Promise.resolve();
    return bench.events.slice(before);
  };
  return { ...bench, edit, texts: () => queue().map(({ text }) => text) };
}

/** What the user said, in the last request. */
const told = (bench: Awaited<ReturnType<typeof waiting>>, request: number) =>
  bench.requests[request]?.messages.filter(({ role }) => role === 'user').map(({ text }) => text);

describe('a setting says how many are told', () => {
  test('all steering texts after the calls under way', async () => {
    const bench = await waiting([], ['+a', '+b']);
    bench.answer('once');
    await bench.seen('task.ended');
    expect(told(bench, 1)).toEqual(['first', 'a', 'b']);
    expect(bench.requests).toHaveLength(2);
  });

  test('or one with each request, in their order, also when the model is quiet in between', async () => {
    const bench = await waiting([{ text: 'so' }, { calls: [shellCall('c2', 'pwd')] }, { text: 'well' }], ['+a', '+b', '+c'], {
      queue: { steering: 'one', followUp: 'one' },
      policy: { kind: 'ask' },
    });
    bench.answer('once');
    await bench.seen('approval.requested', 2);
    expect([told(bench, 1), told(bench, 2)]).toEqual([
      ['first', 'a'],
      ['first', 'a', 'b'],
    ]);
    bench.answer('once');
    await bench.seen('task.ended');
    expect(told(bench, 3)).toEqual(['first', 'a', 'b', 'c']);
    expect(bench.find('task.steered').map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  });

  test('one follow-up after each prompt', async () => {
    const bench = await waiting([], ['a', 'b']);
    bench.answer('once');
    await bench.seen('task.ended', 3);
    expect(bench.find('task.started').map(({ text }) => text)).toEqual(['first', 'a', 'b']);
  });

  test('or all of them as one prompt', async () => {
    const bench = await waiting([], ['a', 'b'], { queue: { steering: 'all', followUp: 'all' } });
    bench.answer('once');
    await bench.seen('task.ended', 2);
    expect(bench.find('task.started').map(({ text }) => text)).toEqual(['first', 'a\n\nb']);
    expect(told(bench, 2)).toEqual(['first', 'a\n\nb']);
  });
});

describe('one that waits can be', () => {
  test('taken back, deleted, and moved among its kind; each is told', async () => {
    const bench = await waiting([], ['a', '+x', 'b', '+y', 'c']);
    expect(await bench.edit('c', 'earlier')).toMatchObject([{ type: 'queue.changed' }]);
    expect(bench.texts()).toEqual(['a', 'x', 'c', 'y', 'b']);
    await bench.edit('c', 'earlier');
    expect(bench.texts()).toEqual(['c', 'x', 'a', 'y', 'b']);
    await bench.edit('x', 'later');
    expect(bench.texts()).toEqual(['c', 'y', 'a', 'x', 'b']);
    expect(await bench.edit('a', 'take')).toMatchObject([{ type: 'queue.changed' }, { type: 'queue.returned', texts: ['a'] }]);
    expect(await bench.edit('y', 'delete')).toMatchObject([{ type: 'queue.changed' }]);
    expect(bench.texts()).toEqual(['c', 'x', 'b']);
    bench.answer('once');
    await bench.seen('task.ended', 3);
    expect(bench.find('task.started').map(({ text }) => text)).toEqual(['first', 'c', 'b']);
    expect(bench.find('task.steered').map(({ text }) => text)).toEqual(['x']);
  });

  test.each([
    ['gone', 'take', 'that text does not wait any more'],
    ['a', 'earlier', 'it is the first of its kind already'],
    ['b', 'later', 'it is the last of its kind already'],
  ] as const)('%s %s: refused with the reason', async (text, change, reason) => {
    const bench = await waiting([], ['a', '+x', 'b']);
    expect(await bench.edit(text, change)).toEqual([{ type: 'command.refused', command: 'queue.edit', reason }]);
    expect(bench.texts()).toEqual(['a', 'x', 'b']);
  });
});

describe('nothing that waits is lost', () => {
  test('when the model fails', async () => {
    const bench = await waiting([{ error: new BuddyError('model.auth', 'the key was refused') }], ['later']);
    bench.answer('once');
    await bench.seen('task.ended');
    expect(bench.find('task.ended')[0]?.outcome).toBe('failed');
    expect(bench.find('queue.returned')).toEqual([{ type: 'queue.returned', texts: ['later'] }]);
    expect(bench.texts()).toEqual([]);
  });

  test('when the model cannot be opened', async () => {
    const bench = await startRuntime([], fakeTarget(), { openModel: () => Promise.reject(new BuddyError('model.key', 'there is no key')) });
    bench.runtime.send({ type: 'prompt.submit', text: 'first' });
    bench.runtime.send({ type: 'prompt.submit', text: 'later' });
    bench.runtime.send({ type: 'prompt.steer', text: 'and this' });
    await bench.seen('task.ended');
    expect(bench.find('queue.returned')).toEqual([{ type: 'queue.returned', texts: ['later', 'and this'] }]);
  });

  test('when the prompt is interrupted; what was told already stays told', async () => {
    const bench = await waiting([{ text: 'so', hangs: true }], ['+now', 'later']);
    bench.answer('once');
    await bench.seen('model.text');
    bench.runtime.send({ type: 'task.cancel', task: '1' });
    await bench.seen('task.ended');
    expect(bench.find('queue.returned')).toEqual([{ type: 'queue.returned', texts: ['later'] }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'go on' });
    await bench.seen('task.ended', 2);
    expect(told(bench, 2)).toEqual(['first', 'now', 'go on']);
  });

  test('when the program is left', async () => {
    const bench = await waiting([], ['+now', 'later']);
    bench.runtime.send({ type: 'runtime.shutdown' });
    await bench.runtime.closed;
    expect(bench.find('queue.returned')).toEqual([{ type: 'queue.returned', texts: ['now', 'later'] }]);
    expect(bench.fake.commands).toEqual([]);
  });
});
