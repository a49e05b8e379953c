/** A yes is for one act in one folder on one target, and ends with the program. */

import { exited, fakeTarget, outputOf } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { shellCall } from '../support/scripted-model.js';

/** A fake target whose working folder the test can change. */
function movingTarget(...given: Parameters<typeof fakeTarget>) {
  const fake = fakeTarget(...given);
  let cwd = '/srv/build';
  const target = {
    ...fake.target,
    get summary() {
      return { ...fake.target.summary, cwd };
    },
  };
  const move = (path: string) => {
    cwd = path;
  };
  return { ...fake, target, move };
}

test('a command does not run when the shell has gone to another folder since it was asked about', async () => {
  const fake = movingTarget();
  const bench = await startRuntime([{ calls: [shellCall('c1', 'rm -rf *')] }, { text: 'I see.' }], fake);
  bench.runtime.send({ type: 'prompt.submit', text: 'clean up' });
  await bench.seen('approval.requested');
  expect(bench.find('approval.requested')[0]?.request.cwd).toBe('/srv/build');
  fake.move('/home/ann');
  bench.answer('once');
  await bench.seen('task.ended');
  expect(fake.commands).toEqual([]);
  expect(bench.find('tool.ended')[0]).toMatchObject({ isError: true, summary: 'not run: folder changed' });
  expect(bench.find('tool.ended')[0]?.text).toContain('the working directory is /home/ann by now');
});

test('yes for the session is for the folder it was said in', async () => {
  const fake = movingTarget();
  const bench = await startRuntime([{ calls: [shellCall('c1', 'make')] }, { text: 'ok' }, { calls: [shellCall('c2', 'make')] }], fake);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  bench.answer('session');
  await bench.seen('task.ended');
  fake.move('/elsewhere');
  bench.runtime.send({ type: 'prompt.submit', text: 'y' });
  await bench.seen('approval.requested', 2);
  expect(fake.commands).toEqual(['make']);
});

test('typed text that looks like a key is another act than the key', async () => {
  const fake = fakeTarget(undefined, { screen: '$ ' });
  const keys = (id: string, args: object) => ({
    id,
    name: 'send-keys',
    argsText: JSON.stringify({ risk: 'low', mutation: false, privesc: false, why: 'w', ...args }),
  });
  const bench = await startRuntime(
    [
      { calls: [keys('c1', { literal_text: 'yes <Enter>' })] },
      { text: 'ok' },
      { calls: [keys('c2', { literal_text: 'yes', enter: true })] },
    ],
    fake,
  );
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  bench.answer('session');
  await bench.seen('task.ended');
  bench.runtime.send({ type: 'prompt.submit', text: 'y' });
  await bench.seen('approval.requested', 2);
  expect(bench.find('approval.requested').map((event) => event.request.body)).toEqual(['"yes <Enter>"', 'yes <Enter>']);
  expect(fake.typed).toEqual(['yes <Enter>']);
});

describe('the policy none', () => {
  const free = { review: { denylist: [], allowedPaths: [], homeDir: '/home/ann', confirmShell: false } } as const;

  test('holds for commands that need no yes by the settings, too', async () => {
    const bench = await startRuntime([{ calls: [shellCall('1', 'a')] }], fakeTarget(), { ...free, policy: { kind: 'none' } });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual([]);
    const asking = await startRuntime([{ calls: [shellCall('1', 'a')] }], fakeTarget(), { ...free, interactive: false });
    asking.runtime.send({ type: 'prompt.submit', text: 'x' });
    await asking.seen('task.ended');
    expect(asking.fake.commands).toEqual(['a']);
  });

  test('says no to the question that is open; all does not say yes to it', async () => {
    const bench = await startRuntime([{ calls: [shellCall('1', 'a')] }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('approval.requested');
    bench.runtime.send({ type: 'approval.policy', policy: { kind: 'all' } });
    await bench.seen('approval.policy');
    expect(bench.find('approval.resolved')).toEqual([]);
    bench.runtime.send({ type: 'approval.policy', policy: { kind: 'none' } });
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual([]);
  });
});

test('a job that was stopped is told as cancelled, also when its output is still being gathered', async () => {
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const gathered = new Promise<void>((resolve) => setImmediate(() => setImmediate(() => stopped.then(() => setImmediate(resolve)))));
  const fake = fakeTarget((request) => ({
    kind: 'running',
    reason: 'detached',
    output: outputOf(''),
    elapsedMs: 1,
    background: {
      pane: '%1',
      command: request.command,
      ended: gathered.then(() => ({ exitCode: 130, output: outputOf('') })),
      lastLine: () => '',
      tail: () => ({ text: '', totalBytes: 0, id: null }),
      stop: () => {
        stop();
        return Promise.resolve(true);
      },
    },
  }));
  const bench = await startRuntime([{ calls: [shellCall('c', 'make', { wait: false })] }], fake, { policy: { kind: 'all' } });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('task.ended');
  bench.runtime.send({ type: 'task.deadline', task: '2', afterMs: 60_000 });
  bench.runtime.send({ type: 'task.cancel', task: '2' });
  await bench.seen('task.ended', 2);
  expect(bench.find('task.ended')[1]).toMatchObject({ task: '2', outcome: 'cancelled', exitCode: 130 });
  expect(bench.clock.pending).toBe(0);
});

test('a command that ignores its interruption does not hold up the end for longer than its grace', async () => {
  let closed: () => void = () => undefined;
  const end = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const fake = fakeTarget(async () => {
    await end;
    return exited('', 1);
  });
  const target = { ...fake.target, close: () => Promise.resolve(closed()).then(() => false) };
  const bench = await startRuntime([{ calls: [shellCall('c', 'stubborn')] }], { ...fake, target }, { policy: { kind: 'all' } });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('tool.started');
  bench.runtime.send({ type: 'runtime.shutdown' });
  await bench.seen('lifecycle.stopping');
  await bench.clock.advance(2900);
  expect(bench.types()).not.toContain('lifecycle.stopped');
  await bench.clock.advance(200);
  await bench.runtime.closed;
  expect(bench.find('task.ended')[0]?.outcome).toBe('cancelled');
  expect(bench.types().at(-1)).toBe('lifecycle.stopped');
});

describe('a command that the person changed', () => {
  test('runs instead, and the model is told what ran', async () => {
    const bench = await startRuntime([{ calls: [shellCall('c1', 'rm -r build')] }, { text: 'ok' }], fakeTarget());
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('approval.requested');
    const { id, editable } = bench.find('approval.requested')[0]?.request ?? { id: '' };
    expect(editable).toBe(true);
    bench.runtime.send({ type: 'approval.answer', approval: id, decision: 'once', body: 'mv build old' });
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual(['mv build old']);
    expect(bench.find('tool.changed')).toEqual([{ type: 'tool.changed', task: '1', call: 'c1', preview: 'mv build old' }]);
    expect(JSON.stringify(bench.requests.at(-1))).toContain('The user changed the call before it ran, to: mv build old');
  });

  test('is refused like any other when it would end the shared shell or stands on the denylist', async () => {
    const bench = await startRuntime([{ calls: [shellCall('c1', 'ls')] }, { text: 'ok' }], fakeTarget(undefined, { screen: '$ ' }));
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('approval.requested');
    const id = bench.find('approval.requested')[0]?.request.id ?? '';
    bench.runtime.send({ type: 'approval.answer', approval: id, decision: 'once', body: 'exit' });
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual([]);
    expect(bench.find('tool.ended')[0]).toMatchObject({ isError: true, summary: 'refused' });
  });

  test('counts only with a yes for once', async () => {
    const bench = await startRuntime([{ calls: [shellCall('c1', 'ls')] }, { text: 'ok' }], fakeTarget());
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('approval.requested');
    const id = bench.find('approval.requested')[0]?.request.id ?? '';
    bench.runtime.send({ type: 'approval.answer', approval: id, decision: 'session', body: 'mkfs /dev/sda' });
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual(['ls']);
  });
});
