/** Calls of one answer that run at the same time: which, in what order their results stand, and what an end or a fault of one does. */

import { BuddyError } from '../../lib/base/errors.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { type Company, leadersOf, together } from '../../lib/runtime/together.js';
import { settle } from '../support/fake-clock.js';
import { exited, fakeTarget, sharedPane } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { shellCall } from '../support/scripted-model.js';

const allowed = { policy: { kind: 'all' } } as const;
const read = (id: string, path: string) => ({ id, name: 'read_file', argsText: JSON.stringify({ path, why: 'to see' }) });
const look = (id: string, more: object = {}) => ({ id, name: 'capture-pane', argsText: JSON.stringify({ why: 'to see', ...more }) });

/** A target whose files come when the test says so. */
function slowFiles(fake = fakeTarget()) {
  const waiting = new Map<string, { readonly give: (text: string) => void; readonly fail: (reason: Error) => void }>();
  const readFile: typeof fake.target.readFile = (path, _range, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      waiting.set(path, { give: (text) => resolve({ bytes: Buffer.from(text), size: text.length }), fail: reject });
    });
  return { fake: { ...fake, target: { ...fake.target, readFile } }, waiting };
}

/** The events of calls, as `started 1`, in their order. */
const callEvents = (events: readonly RuntimeEvent[]) =>
  events.flatMap((event) => ('call' in event && event.type.startsWith('tool.') ? [`${event.type.slice(5)} ${event.call}`] : []));

describe('reads of one answer', () => {
  test('run at once, end as they come, and are told to the model in the order of the calls', async () => {
    const { fake, waiting } = slowFiles();
    const bench = await startRuntime([{ calls: [read('1', '/a'), read('2', '/b'), read('3', '/c')] }], fake, allowed);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('tool.started', 3);
    waiting.get('/c')?.give('C');
    await bench.seen('tool.ended', 1);
    waiting.get('/a')?.give('A');
    await bench.seen('tool.ended', 2);
    waiting.get('/b')?.give('B');
    await bench.seen('task.ended');
    expect(bench.types()).toEqual([
      'lifecycle.started',
      'task.started',
      'model.requested',
      'model.answered',
      'tool.requested',
      'tool.requested',
      'tool.requested',
      'tool.started',
      'tool.started',
      'tool.started',
      'tool.ended',
      'tool.ended',
      'tool.ended',
      'model.requested',
      'model.text',
      'model.answered',
      'task.ended',
    ]);
    expect(callEvents(bench.events).slice(6)).toEqual(['ended 3', 'ended 1', 'ended 2']);
    const results = bench.requests[1]?.messages.filter((message) => message.role === 'tool') ?? [];
    expect(results.map((message) => [message.callId, JSON.parse(message.text).result.content])).toEqual([
      ['1', 'A'],
      ['2', 'B'],
      ['3', 'C'],
    ]);
  });

  test('that fail leave the others their results', async () => {
    const { fake, waiting } = slowFiles();
    const bench = await startRuntime([{ calls: [read('1', '/a'), read('2', '/b'), read('3', '/c')] }], fake, allowed);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('tool.started', 3);
    waiting.get('/b')?.fail(new BuddyError('target.file', 'cannot read /b: permission denied'));
    await bench.seen('tool.ended', 1);
    waiting.get('/c')?.give('C');
    waiting.get('/a')?.give('A');
    await bench.seen('task.ended');
    const results = bench.requests[1]?.messages.filter((message) => message.role === 'tool') ?? [];
    expect(results.map((message) => message.isError)).toEqual([false, true, false]);
    expect(results[1]?.text).toContain('permission denied');
  });

  test('are all ended by a cancel, and those that had not begun never begin', async () => {
    const { fake } = slowFiles();
    const paths = Array.from({ length: 9 }, (_, n) => read(String(n), `/${n}`));
    const bench = await startRuntime([{ calls: [...paths, shellCall('s', 'ls')] }], fake, allowed);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('tool.started', 6);
    await settle();
    expect(bench.find('tool.started')).toHaveLength(6);
    bench.runtime.send({ type: 'task.cancel', task: '1' });
    await bench.seen('task.ended');
    expect(bench.find('tool.started')).toHaveLength(6);
    expect(bench.find('tool.ended').map((event) => event.summary)).toEqual(Array.from({ length: 10 }, () => 'cancelled'));
    expect(fake.commands).toEqual([]);
    bench.runtime.send({ type: 'prompt.submit', text: 'y' });
    await bench.seen('task.ended', 2);
    const told = bench.requests[1]?.messages.filter((message) => message.role === 'tool') ?? [];
    expect(told.map((message) => message.callId)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', 's']);
  });
});

describe('a mix', () => {
  test('keeps its order: neighbours that only look run together, a command alone', async () => {
    const { fake, waiting } = slowFiles(fakeTarget(() => exited('ok')));
    const calls = [read('1', '/a'), read('2', '/b'), shellCall('3', 'make'), read('4', '/c'), read('5', '/d')];
    const bench = await startRuntime([{ calls }], fake, allowed);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('tool.started', 2);
    await settle();
    expect(fake.commands).toEqual([]);
    waiting.get('/a')?.give('');
    waiting.get('/b')?.give('');
    await bench.seen('tool.started', 5);
    waiting.get('/d')?.give('');
    await bench.seen('tool.ended', 4);
    waiting.get('/c')?.give('');
    await bench.seen('task.ended');
    expect(callEvents(bench.events).slice(5)).toEqual([
      'started 1',
      'started 2',
      'ended 1',
      'ended 2',
      'started 3',
      'ended 3',
      'started 4',
      'started 5',
      'ended 5',
      'ended 4',
    ]);
  });

  test('never has two calls in one pane at a time', async () => {
    const build = { ...sharedPane, pane: '%2', title: 'build', isDefault: false };
    const bench = await startRuntime(
      [{ calls: [look('1', { delay: 1 }), look('2', { pane: 'build' }), look('3'), look('4', { pane: '%2' })] }],
      fakeTarget(() => exited(''), { screen: '$ ', panes: [sharedPane, build] }),
      allowed,
    );
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('tool.ended', 1);
    await settle();
    expect(callEvents(bench.events).slice(4)).toEqual(['started 1', 'started 2', 'ended 2']);
    await bench.clock.advance(1000);
    await bench.seen('task.ended');
    expect(callEvents(bench.events).slice(7)).toEqual(['ended 1', 'started 3', 'started 4', 'ended 3', 'ended 4']);
  });
});

describe('who may run beside whom', () => {
  const only = (pane: string | null): Company => ({ parallel: true, pane });
  const alone: Company = { parallel: false, pane: null };

  test.each([
    { calls: [only(null), only(null), only(null)], leaders: 3 },
    { calls: [only(null), alone, only(null)], leaders: 1 },
    { calls: [alone, only(null)], leaders: 1 },
    { calls: [only('%1'), only(null), only('%2'), only('%1')], leaders: 3 },
  ])('$leaders of $calls.length', ({ calls, leaders }) => {
    expect(leadersOf(calls, (call) => call)).toBe(leaders);
  });

  test('no more than six run at a time, begun in order', async () => {
    let running = 0;
    let most = 0;
    const begun: number[] = [];
    const results = await together(
      Array.from({ length: 20 }, (_, n) => n),
      async (n) => {
        begun.push(n);
        most = Math.max(most, ++running);
        await settle();
        running--;
        return n * 2;
      },
    );
    expect(most).toBe(6);
    expect(begun).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(results).toEqual(begun.map((n) => n * 2));
  });
});
