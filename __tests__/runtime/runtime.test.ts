/** The runtime as a front end sees it: commands in, whole lists of events out. */

import { BuddyError } from '../../lib/base/errors.js';
import { settle } from '../support/fake-clock.js';
import { exited, fakeTarget, outputOf } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { scriptedSummary, shellCall } from '../support/scripted-model.js';

const lastToolText = (messages: readonly { role: string; text: string }[] | undefined) =>
  JSON.parse(messages?.filter((message) => message.role === 'tool').at(-1)?.text ?? '{}') as { result: Record<string, unknown> };

describe('a prompt', () => {
  test('runs its approved command once, tells the model its result, and answers', async () => {
    const fake = fakeTarget(() => exited('/dev/sda1 80%'));
    const bench = await startRuntime([{ text: 'I look.', calls: [shellCall('c1', 'df -h')] }, { text: 'It is 80 % full.' }], fake);
    bench.runtime.send({ type: 'prompt.submit', text: 'how full is the disk?' });
    await bench.seen('approval.requested');
    expect(fake.commands).toEqual([]);
    expect(bench.find('approval.requested')[0]?.request).toMatchObject({
      body: 'df -h',
      target: 'this host',
      cwd: '/srv',
      tool: 'run_shell',
    });
    bench.answer('once');
    await bench.seen('task.ended');
    expect(fake.commands).toEqual(['df -h']);
    expect(bench.types()).toEqual([
      'lifecycle.started',
      'task.started',
      'model.requested',
      'model.text',
      'model.answered',
      'tool.requested',
      'approval.requested',
      'approval.resolved',
      'tool.started',
      'tool.ended',
      'model.requested',
      'model.text',
      'model.answered',
      'task.ended',
    ]);
    expect(bench.seqs).toEqual(bench.seqs.map((_, index) => index + 1));
    expect(lastToolText(bench.requests[1]?.messages)).toMatchObject({
      harness_timestamp: { source: 'harness' },
      result: { status: 'exited', exit_code: 0, output: '/dev/sda1 80%' },
    });
    expect(bench.find('task.ended')[0]).toMatchObject({ outcome: 'completed', error: null });
  });

  test('that is answered with no runs nothing and tells the model so, with what the user said', async () => {
    const bench = await startRuntime([{ calls: [shellCall('c1', 'systemctl restart nginx')] }, { text: 'Understood.' }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'do it' });
    await bench.seen('approval.requested');
    bench.answer('deny', 'use the other host');
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual([]);
    expect(bench.find('tool.ended')[0]).toMatchObject({ isError: true, summary: 'denied' });
    expect(String(lastToolText(bench.requests[1]?.messages).result['error'])).toContain('use the other host');
  });

  test('asks again for the same command after "once", and not after "session"', async () => {
    const script = [1, 2, 3].map((n) => ({ calls: [shellCall(`c${n}`, 'uptime')] }));
    const bench = await startRuntime(script);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('approval.requested', 1);
    bench.answer('once');
    await bench.seen('approval.requested', 2);
    bench.answer('session');
    await bench.seen('task.ended');
    expect(bench.find('approval.requested')).toHaveLength(2);
    expect(bench.fake.commands).toEqual(['uptime', 'uptime', 'uptime']);
  });

  test('an approval is answered at most once', async () => {
    const bench = await startRuntime([{ calls: [shellCall('c1', 'uptime')] }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('approval.requested');
    bench.answer('deny');
    bench.answer('once');
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual([]);
    expect(bench.find('command.refused')).toEqual([
      { type: 'command.refused', command: 'approval.answer', reason: 'that question has been answered already' },
    ]);
  });

  test('without anybody to ask is refused at once', async () => {
    const bench = await startRuntime([{ calls: [shellCall('c1', 'uptime')] }], fakeTarget(), { interactive: false });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual([]);
    expect(bench.find('approval.resolved')).toEqual([{ type: 'approval.resolved', approval: 'a1', decision: 'deny', by: 'policy' }]);
    expect(bench.find('tool.ended')[0]?.text).toContain('Nobody can answer');
  });

  test('what the denylist or the shared shell forbids is never even asked', async () => {
    const fake = fakeTarget(() => exited(''), { screen: '$ ' });
    const bench = await startRuntime([{ calls: [shellCall('c1', 'rm -rf /'), shellCall('c2', 'exit 3')] }], fake);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(fake.commands).toEqual([]);
    expect(bench.find('approval.requested')).toEqual([]);
    expect(bench.find('tool.ended').map((event) => event.summary)).toEqual(['refused', 'refused']);
  });
});

describe('tool calls', () => {
  const allowed = { policy: { kind: 'all' } } as const;

  test('that are faulty become results the model can act on', async () => {
    const bench = await startRuntime(
      [
        {
          calls: [
            { id: 'a', name: 'no_such_tool', argsText: '{}' },
            { id: 'b', name: 'run_shell', argsText: '{"command": "ls"' },
            { id: 'c', name: 'run_shell', argsText: '{"command": "ls"}' },
          ],
        },
      ],
      fakeTarget(),
      allowed,
    );
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.find('tool.ended').map((event) => event.text)).toEqual([
      expect.stringContaining('There is no tool "no_such_tool"'),
      expect.stringContaining('not valid JSON'),
      expect.stringContaining('"risk" is required'),
    ]);
    expect(bench.requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool']);
  });

  test('safe together run together, and results keep the order of the calls', async () => {
    const fake = fakeTarget();
    fake.files.set('/a', Buffer.from('A'));
    fake.files.set('/b', Buffer.from('B'));
    const read = (id: string, path: string) => ({ id, name: 'read_file', argsText: JSON.stringify({ path, why: 'to see' }) });
    const bench = await startRuntime([{ calls: [read('1', '/a'), read('2', '/b')] }], fake, allowed);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.types().filter((type) => type.startsWith('tool.'))).toEqual([
      'tool.requested',
      'tool.requested',
      'tool.started',
      'tool.started',
      'tool.ended',
      'tool.ended',
    ]);
    const results = bench.requests[1]?.messages.filter((message) => message.role === 'tool') ?? [];
    expect(results.map((message) => JSON.parse(message.text).result.content)).toEqual(['A', 'B']);
  });

  test('the same call over and over stops the turn', async () => {
    const bench = await startRuntime(
      Array.from({ length: 9 }, (_, n) => ({ calls: [shellCall(`c${n}`, 'ls')] })),
      fakeTarget(),
      allowed,
    );
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.fake.commands).toHaveLength(3);
    expect(bench.find('task.ended')[0]?.error?.code).toBe('turn.repeats');
  });

  test('a turn ends after max_iterations requests', async () => {
    const answers = Array.from({ length: 9 }, (_, n) => ({ calls: [shellCall(`c${n}`, `echo ${n}`)] }));
    const bench = await startRuntime(answers, fakeTarget(), { ...allowed, maxIterations: 4 });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.requests).toHaveLength(4);
    expect(bench.find('task.ended')[0]?.error?.code).toBe('turn.iterations');
  });

  test('live output reaches the screen in gathered pieces', async () => {
    const fake = fakeTarget((_request, io) => {
      for (let n = 0; n < 1000; n++) io.onChunk(`${n}\n`);
      return exited('…');
    });
    const bench = await startRuntime([{ calls: [shellCall('c', 'seq 1000')] }], fake, allowed);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    const pieces = bench.find('tool.output');
    expect(pieces.length).toBeLessThanOrEqual(2);
    expect(pieces.map((piece) => piece.text).join('')).toMatch(/999\n$/);
  });
});

describe('the lane', () => {
  test('steering reaches the model after the calls under way, a follow-up becomes its own prompt', async () => {
    const bench = await startRuntime([{ calls: [shellCall('c1', 'ls')] }, { text: 'one' }, { text: 'two' }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'first' });
    await bench.seen('approval.requested');
    bench.runtime.send({ type: 'prompt.submit', text: 'later' });
    bench.runtime.send({ type: 'prompt.steer', text: 'also this' });
    await bench.seen('queue.changed', 2);
    expect(
      bench
        .find('queue.changed')
        .at(-1)
        ?.waiting.map((entry) => [entry.mode, entry.text]),
    ).toEqual([
      ['follow-up', 'later'],
      ['steer', 'also this'],
    ]);
    bench.answer('once');
    await bench.seen('task.ended', 2);
    expect(bench.requests[1]?.messages.at(-1)).toEqual({ role: 'user', text: 'also this' });
    expect(bench.find('task.started').map((event) => event.text)).toEqual(['first', 'later']);
  });

  test('cancelling keeps the partial answer, answers every call, and hands the queue back', async () => {
    const bench = await startRuntime([{ text: 'half of it', hangs: true }, { text: 'again' }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('model.text');
    bench.runtime.send({ type: 'prompt.submit', text: 'waiting' });
    bench.runtime.send({ type: 'task.cancel', task: '1' });
    await bench.seen('task.ended');
    expect(bench.find('task.ended')[0]).toMatchObject({ outcome: 'cancelled', error: null });
    expect(bench.find('queue.returned')).toEqual([{ type: 'queue.returned', texts: ['waiting'] }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'y' });
    await bench.seen('task.ended', 2);
    expect(bench.requests[1]?.messages.map((message) => message.text)).toEqual(['x', 'half of it', 'y']);
  });

  test('cancelling while a question is open runs nothing and leaves no call without a result', async () => {
    const bench = await startRuntime([{ calls: [shellCall('c1', 'ls'), shellCall('c2', 'pwd')] }, { text: 'ok' }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('approval.requested');
    bench.runtime.send({ type: 'task.cancel', task: '1' });
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual([]);
    expect(bench.find('approval.resolved')[0]).toMatchObject({ decision: 'deny', by: 'cancel' });
    expect(bench.find('tool.ended').map((event) => event.summary)).toEqual(['cancelled', 'cancelled']);
    bench.runtime.send({ type: 'prompt.submit', text: 'y' });
    await bench.seen('task.ended', 2);
    expect(bench.requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  });

  test('a deadline ends a prompt that goes on for longer', async () => {
    const bench = await startRuntime([{ text: 'x', hangs: true }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('model.text');
    bench.runtime.send({ type: 'task.deadline', task: '1', afterMs: 60_000 });
    await bench.seen('task.deadline');
    await bench.clock.advance(59_000);
    expect(bench.find('task.ended')).toEqual([]);
    await bench.clock.advance(2_000);
    await bench.seen('task.ended');
    expect(bench.find('task.ended')[0]?.outcome).toBe('timed-out');
  });
});

describe('the model', () => {
  test('is asked again after a failure of the line, not after one that stays', async () => {
    const line = new BuddyError('model.server', 'the server answered 503', { retryable: true });
    const bench = await startRuntime([{ error: line }, { error: line }, { text: 'there' }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('model.retrying', 1);
    await bench.clock.advance(500);
    await bench.seen('model.retrying', 2);
    await bench.clock.advance(1000);
    await bench.seen('task.ended');
    expect(bench.find('task.ended')[0]?.outcome).toBe('completed');
    const final = await startRuntime([{ error: new BuddyError('model.auth', 'the key was refused', { hint: 'Check it.' }) }]);
    final.runtime.send({ type: 'prompt.submit', text: 'x' });
    await final.seen('task.ended');
    expect(final.requests).toHaveLength(1);
    expect(final.find('task.ended')[0]?.error).toEqual({ code: 'model.auth', message: 'the key was refused', hint: 'Check it.' });
  });

  test('Esc ends a wait for the next try at once', async () => {
    const slow = new BuddyError('model.rate', 'too many requests', { retryable: true, retryAfterMs: 45_000 });
    const bench = await startRuntime([{ error: slow }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('model.retrying');
    expect(bench.find('model.retrying')[0]?.atMs).toBe(bench.clock.now() + 45_000);
    bench.runtime.send({ type: 'task.cancel', task: '1' });
    await bench.seen('task.ended');
    expect(bench.find('task.ended')[0]?.outcome).toBe('cancelled');
    expect(bench.clock.pending).toBe(0);
  });

  test('an answer that broke off is kept and the prompt fails', async () => {
    const bench = await startRuntime([{ text: 'so far', error: new BuddyError('model.stream', 'the line was cut', { retryable: true }) }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.requests).toHaveLength(1);
    expect(bench.find('model.answered')[0]?.message).toMatchObject({ text: 'so far', incomplete: true });
    expect(bench.find('task.ended')[0]?.error?.code).toBe('model.stream');
  });

  test('is shown the terminal with each request, but the terminal is not kept', async () => {
    const fake = fakeTarget(() => exited('ok'), { screen: 'ann@web-01:/srv$ ' });
    const bench = await startRuntime([{ calls: [shellCall('c', 'ls')] }], fake, { policy: { kind: 'all' } });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    for (const request of bench.requests) {
      expect(request.messages.filter((message) => message.text.startsWith('<terminal-now'))).toHaveLength(1);
      expect(request.messages.at(-1)?.text).toContain('ann@web-01:/srv$');
    }
  });

  test('warns once when the window is 80 % full', async () => {
    const small = { ...scriptedSummary, contextTokens: 10_500 };
    const fake = fakeTarget(() => exited('x'.repeat(2000)));
    const answers = Array.from({ length: 12 }, (_, n) => ({ calls: [shellCall(`c${n}`, `echo ${n}`)] }));
    const bench = await startRuntime(answers, fake, { policy: { kind: 'all' }, profiles: [small] });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.find('warning').map((event) => event.message)).toEqual([expect.stringMatching(/^8\d % of the model's window is used$/)]);
    expect(bench.find('task.ended')[0]?.outcome).toBe('completed');
  });

  test('the window is told as that of the model that was switched to', async () => {
    const bench = await startRuntime([{ text: 'x' }], undefined, {
      profiles: [scriptedSummary, { ...scriptedSummary, profile: 'small', model: 'small-1', contextTokens: 1000 }],
    });
    bench.runtime.send({ type: 'prompt.submit', text: 'y'.repeat(3600) });
    await bench.seen('task.ended');
    expect(bench.find('metrics.context').at(-1)?.windowTokens).toBe(scriptedSummary.contextTokens);
    expect(bench.find('warning')).toEqual([]);
    bench.runtime.send({ type: 'model.switch', profile: 'small' });
    await bench.seen('model.switched');
    expect(bench.events.slice(-3)).toMatchObject([
      { type: 'model.switched' },
      { type: 'metrics.context', windowTokens: 1000 },
      { type: 'warning', message: expect.stringMatching(/^\d+ % of the model's window is used$/) },
    ]);
  });

  test('can be switched when nothing runs', async () => {
    const bench = await startRuntime([{ text: 'x', hangs: true }]);
    bench.runtime.send({ type: 'model.switch', profile: 'nope' });
    bench.runtime.send({ type: 'model.switch', profile: 'other' });
    await bench.seen('model.switched');
    expect(bench.find('command.refused')[0]?.reason).toContain('nope');
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('model.text');
    bench.runtime.send({ type: 'model.switch', profile: 'scripted' });
    await bench.seen('command.refused', 2);
  });
});

describe('the policy', () => {
  test('for a time allows until the earlier of both clocks, and then asks', async () => {
    const bench = await startRuntime([{ calls: [shellCall('1', 'a')] }, { text: 'ok' }, { calls: [shellCall('2', 'b')] }]);
    bench.runtime.send({ type: 'approval.policy', policy: { kind: 'until', untilMs: bench.clock.now() + 1000 } });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual(['a']);
    await bench.clock.advance(1001);
    bench.runtime.send({ type: 'prompt.submit', text: 'y' });
    await bench.seen('approval.requested');
    expect(bench.fake.commands).toEqual(['a']);
    expect(bench.find('approval.policy').at(-1)).toEqual({ type: 'approval.policy', policy: { kind: 'ask' } });
  });

  test('none refuses everything with effects', async () => {
    const bench = await startRuntime([{ calls: [shellCall('1', 'a')] }], fakeTarget(), { policy: { kind: 'none' } });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual([]);
  });
});

describe('background jobs', () => {
  test('are followed to their exit code, and the model is told with its next request', async () => {
    let finish: (code: number) => void = () => undefined;
    const ended = new Promise<number>((resolve) => {
      finish = resolve;
    });
    const fake = fakeTarget((request) => ({
      kind: 'running',
      reason: 'detached',
      output: outputOf(''),
      elapsedMs: 1,
      background: {
        pane: '%1',
        command: request.command,
        ended: ended.then((exitCode) => ({ exitCode, output: outputOf('all done') })),
        lastLine: () => 'step 2',
        tail: () => ({ text: '', totalBytes: 0, id: null }),
        stop: () => Promise.resolve(false),
      },
    }));
    const bench = await startRuntime([{ calls: [shellCall('c', 'make', { wait: false })] }, { text: 'started' }, { text: 'ok' }], fake, {
      policy: { kind: 'all' },
    });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    await bench.clock.advance(600);
    expect(bench.find('task.progress')).toEqual([{ type: 'task.progress', task: '2', lastLine: 'step 2' }]);
    bench.runtime.send({ type: 'task.cancel', task: '2' });
    await bench.seen('warning');
    finish(4);
    await bench.seen('task.ended', 2);
    expect(bench.find('task.ended')[1]).toMatchObject({ task: '2', exitCode: 4, outcome: 'completed' });
    bench.runtime.send({ type: 'prompt.submit', text: 'y' });
    await bench.seen('task.ended', 3);
    expect(bench.requests.at(-1)?.messages.some((message) => message.text.includes('ended with exit code 4'))).toBe(true);
  });
});

describe('shutdown', () => {
  test('denies what is asked, cancels what runs, closes the target, and is the last thing told', async () => {
    const bench = await startRuntime([{ calls: [shellCall('c1', 'ls')] }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('approval.requested');
    bench.runtime.send({ type: 'runtime.shutdown' });
    bench.runtime.send({ type: 'prompt.submit', text: 'too late' });
    await bench.runtime.closed;
    await settle();
    expect(bench.fake.commands).toEqual([]);
    expect(bench.fake.log).toEqual(['close']);
    expect(bench.find('approval.resolved')[0]).toMatchObject({ decision: 'deny', by: 'shutdown' });
    expect(bench.find('command.refused')[0]?.reason).toBe('the program is ending');
    expect(bench.types().at(-1)).toBe('lifecycle.stopped');
    expect(bench.find('lifecycle.stopped')).toMatchObject([{ kept: false }]);
  });

  test('with keep the target is let go before what runs is cancelled, and it is told', async () => {
    const order: string[] = [];
    const fake = fakeTarget((_request, { signal }) => {
      signal.addEventListener('abort', () => order.push('cancelled'));
      return new Promise(() => undefined);
    });
    const close = (how?: string) => {
      order.push(how ?? 'end');
      return Promise.resolve(true);
    };
    const bench = await startRuntime(
      [{ calls: [shellCall('c', 'apt upgrade')] }],
      { ...fake, target: { ...fake.target, close } },
      { policy: { kind: 'all' } },
    );
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('tool.started');
    await settle();
    bench.runtime.send({ type: 'runtime.shutdown', keep: true });
    await settle();
    expect(order).toEqual(['keep', 'cancelled']);
  });
});
