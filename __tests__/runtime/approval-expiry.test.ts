/** What was allowed ends when it was meant to, whatever becomes of clocks, sessions, targets and models; an answer counts once, for its question. */

import type { ApprovalPolicy } from '../../lib/protocol/approvals.js';
import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { shellCall } from '../support/scripted-model.js';

const MINUTE = 60_000;
type Bench = Awaited<ReturnType<typeof startRuntime>>;

/** Ten minutes of everything, then whatever happens, then a command. */
async function timed(happens: (bench: Bench) => void | Promise<void>, fake = fakeTarget()) {
  const bench = await startRuntime([{ calls: [shellCall('c', 'make')] }, { text: 'ok' }], fake);
  const untilMs = bench.clock.now() + 10 * MINUTE;
  bench.runtime.send({ type: 'approval.policy', policy: { kind: 'until', untilMs } });
  await bench.seen('approval.policy');
  await happens(bench);
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('task.started');
  await bench.clock.advance(0);
  return bench;
}
const policies = (bench: Bench): readonly ApprovalPolicy['kind'][] => bench.find('approval.policy').map(({ policy }) => policy.kind);

test.each<readonly [string, (bench: Bench) => void | Promise<void>]>([
  ['nine minutes', (bench) => bench.clock.advance(9 * MINUTE)],
  ['the wall clock is steadied by two seconds', (bench) => bench.clock.step(2000)],
  ['the same model once more', (bench) => bench.runtime.send({ type: 'model.switch', profile: 'scripted' })],
])('%s: still allowed', async (_name, happens) => {
  const bench = await timed(happens);
  await bench.seen('task.ended');
  expect(bench.fake.commands).toEqual(['make']);
  expect(policies(bench)).toEqual(['until']);
});

test.each<readonly [string, (bench: Bench) => void | Promise<void>]>([
  ['ten minutes', (bench) => bench.clock.advance(10 * MINUTE)],
  ['the wall clock is set ahead by two hours', (bench) => bench.clock.step(120 * MINUTE)],
  ['the wall clock is set back by two hours', (bench) => bench.clock.step(-120 * MINUTE)],
  ['the machine slept for four minutes, which the monotonic clock did not see', (bench) => bench.clock.step(4 * MINUTE)],
  ['another model', (bench) => bench.runtime.send({ type: 'model.switch', profile: 'other' })],
  ['another session', (bench) => bench.runtime.send({ type: 'session.new' })],
])('%s: asked again, and people are told', async (_name, happens) => {
  const bench = await timed(happens);
  await bench.seen('approval.requested');
  expect(bench.fake.commands).toEqual([]);
  expect(policies(bench)).toEqual(['until', 'ask']);
});

test('the end is told within a second, though nothing is asked: the countdown that people see is never longer', async () => {
  const bench = await startRuntime([]);
  bench.runtime.send({ type: 'approval.policy', policy: { kind: 'until', untilMs: bench.clock.now() + 10 * MINUTE } });
  await bench.seen('approval.policy');
  bench.clock.step(-120 * MINUTE);
  await bench.clock.advance(1000);
  expect(policies(bench)).toEqual(['until', 'ask']);
  expect(bench.clock.pending).toBe(0);
});

describe('another target', () => {
  /** A target that goes elsewhere when the test says so. */
  function moving() {
    const fake = fakeTarget();
    let host = 'web-01';
    const target = {
      ...fake.target,
      get summary() {
        return { ...fake.target.summary, host };
      },
    };
    const go = (to: string) => {
      host = to;
      fake.emitter.fire({ type: 'summary', summary: target.summary });
    };
    return { ...fake, target, go };
  }

  test('ends the time and what was allowed for the session', async () => {
    const fake = moving();
    const bench = await timed(() => {
      fake.go('web-01');
      fake.go('db-01');
    }, fake);
    await bench.seen('approval.requested');
    expect(fake.commands).toEqual([]);
    expect(policies(bench)).toEqual(['until', 'ask']);
  });

  test('is not what the yes was for', async () => {
    const fake = moving();
    const bench = await startRuntime([{ calls: [shellCall('c', 'make')] }, { text: 'ok' }], fake);
    bench.runtime.send({ type: 'prompt.submit', text: 'go' });
    await bench.seen('approval.requested');
    fake.go('db-01');
    bench.answer('once');
    await bench.seen('task.ended');
    expect(fake.commands).toEqual([]);
    expect(bench.find('tool.ended')[0]).toMatchObject({ isError: true, summary: 'not run: target changed' });
    expect(bench.find('tool.ended')[0]?.text).toContain('meant for ann@web-01, but commands run as ann@db-01 by now');
  });
});

describe('an answer', () => {
  async function asked() {
    const bench = await startRuntime([{ calls: [shellCall('c', 'make')] }, { text: 'ok' }, { calls: [shellCall('d', 'make')] }]);
    bench.runtime.send({ type: 'prompt.submit', text: 'go' });
    await bench.seen('approval.requested');
    return bench;
  }
  const refused = (bench: Bench) => bench.find('command.refused').map(({ reason }) => reason);

  test('counts once: the second of two at the same time is refused', async () => {
    const bench = await asked();
    bench.answer('deny');
    bench.answer('once');
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual([]);
    expect(refused(bench)).toEqual(['that question has been answered already']);
    expect(bench.find('approval.resolved')).toHaveLength(1);
  });

  test('after the prompt was cancelled counts for nothing, nor for the next question', async () => {
    const bench = await asked();
    bench.runtime.send({ type: 'task.cancel', task: '1' });
    bench.answer('once');
    await bench.seen('task.ended');
    expect(refused(bench)).toEqual(['that question has been answered already']);
    bench.answer('session');
    bench.runtime.send({ type: 'prompt.submit', text: 'once more' });
    await bench.seen('command.refused', 2);
    expect(bench.fake.commands).toEqual([]);
  });

  test('with no such question, before any was asked, is refused', async () => {
    const bench = await startRuntime([]);
    bench.runtime.send({ type: 'approval.answer', approval: 'a1', decision: 'once' });
    await bench.seen('command.refused');
    expect(refused(bench)).toEqual(['that question has been answered already']);
  });

  test('after the end of the program, and of its time, counts for nothing', async () => {
    const bench = await asked();
    bench.runtime.send({ type: 'task.deadline', task: '1', afterMs: 1000 });
    await bench.seen('task.deadline');
    await bench.clock.advance(1000);
    bench.answer('once');
    await bench.seen('task.ended');
    const other = await asked();
    other.runtime.send({ type: 'runtime.shutdown' });
    other.answer('once');
    await other.runtime.closed;
    expect([bench.fake.commands, other.fake.commands]).toEqual([[], []]);
  });

  test('meanwhile the model cannot be another one, nor the session', async () => {
    const bench = await asked();
    bench.runtime.send({ type: 'model.switch', profile: 'other' });
    bench.runtime.send({ type: 'session.new' });
    await bench.seen('command.refused', 2);
    expect(bench.find('model.switched')).toEqual([]);
    expect(bench.find('session.started')).toEqual([]);
  });
});

test.each(['ask', 'until'] as const)('where nobody can answer, %s is no at once', async (kind) => {
  const policy: ApprovalPolicy = kind === 'ask' ? { kind } : { kind, untilMs: 0 };
  const bench = await startRuntime([{ calls: [shellCall('c', 'make')] }], fakeTarget(), { policy, interactive: false });
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('task.ended');
  expect(bench.fake.commands).toEqual([]);
  expect(bench.find('approval.resolved')).toMatchObject([{ decision: 'deny', by: 'policy' }]);
});
