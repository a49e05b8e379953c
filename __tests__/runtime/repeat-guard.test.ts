/** When a model counts as stuck, and when not. */

import type { ToolCall, ToolMessage } from '../../lib/protocol/messages.js';
import { toolEnvelope } from '../../lib/runtime/envelope.js';
import { RepeatGuard } from '../../lib/runtime/repeat-guard.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { shellCall } from '../support/scripted-model.js';

/** A command and what came of it; `!` before its output: it failed. */
type Round = readonly (readonly [command: string, output: string])[];

/** What the guard says after each answer. */
function heard(rounds: readonly Round[]): readonly (string | null)[] {
  const guard = new RepeatGuard();
  return rounds.map((round, at) => {
    const calls: ToolCall[] = round.map(([command], n) => shellCall(`c${at}-${n}`, command, { why: `because of ${at}` }));
    const results: ToolMessage[] = round.map(([, output], n) => ({
      role: 'tool',
      callId: `c${at}-${n}`,
      name: 'run_shell',
      text: toolEnvelope({ status: 'exited', exit_code: output.startsWith('!') ? 1 : 0, output, elapsed_ms: at * 7 }, 1000 * at),
      isError: false,
    }));
    return guard.heard(calls, results);
  });
}

const one = (command: string, output = ''): Round => [[command, output]];
const times = <T>(count: number, make: (n: number) => T): readonly T[] => Array.from({ length: count }, (_, n) => make(n));
/** The number of the answer that was one too many; null: none was. */
const stoppedAt = (rounds: readonly Round[]) => {
  const at = heard(rounds).findIndex((words) => words !== null);
  return at < 0 ? null : at + 1;
};

describe('a model is stuck', () => {
  test('that makes the same call three times in a row', () => {
    expect(heard(times(3, () => one('ls', 'a b')))).toEqual([
      null,
      null,
      'made the same call 3 times in a row with the same result: run_shell ls',
    ]);
  });

  test('also when its reasons and the times differ, and when it makes several at once', () => {
    const both: Round = [
      ['ls', 'a b'],
      ['pwd', '/srv'],
    ];
    expect(heard([both, both, both])[2]).toBe('made the same call 3 times in a row with the same result: run_shell ls, run_shell pwd');
  });

  test('that goes to and fro between two', () => {
    const rounds = times(6, (n) => (n % 2 === 0 ? one('systemctl stop x') : one('systemctl start x')));
    expect(stoppedAt(rounds)).toBe(6);
    expect(heard(rounds)[5]).toContain('went to and fro between the same two calls 3 times');
    expect(heard(rounds)[5]).toContain('systemctl start x');
  });

  test('that goes round in a longer circle', () => {
    const rounds = times(30, (n) => one(`look ${n % 3}`, 'nothing'));
    expect(stoppedAt(rounds)).toBe(3 + 8);
    expect(heard(rounds)[10]).toContain('only repeated earlier calls in its last 8 answers');
  });

  test('whose same call fails in the same way, whatever it tries in between', () => {
    const rounds = times(20, (n) => (n % 2 === 0 ? one(`edit ${n}`, `done ${n}`) : one('make', '!no rule')));
    expect(stoppedAt(rounds)).toBe(12);
    expect(heard(rounds)[11]).toBe('had the same call fail 6 times in the same way: run_shell make');
  });
});

describe('a model is not stuck', () => {
  test('that watches something which changes', () => {
    expect(stoppedAt(times(50, (n) => one('systemctl status x', `up for ${n} s`)))).toBeNull();
    expect(stoppedAt(times(50, (n) => one('systemctl status x', ['activating', 'failed', 'active'][n % 3])))).toBeNull();
  });

  test('that waits in between with the same call', () => {
    expect(stoppedAt(times(60, (n) => (n % 2 === 0 ? one('sleep 5') : one('systemctl status x', `up for ${n} s`))))).toBeNull();
  });

  test('that makes a call twice, then something new, then the call again', () => {
    expect(stoppedAt([one('ls'), one('ls'), one('pwd'), one('ls'), one('ls')])).toBeNull();
  });

  test('whose call changes its result in the middle', () => {
    expect(stoppedAt([one('ls', 'a'), one('ls', 'a'), one('ls', 'b'), one('ls', 'b')])).toBeNull();
  });

  test('that does the same check after each of many different changes', () => {
    expect(stoppedAt(times(60, (n) => (n % 2 === 0 ? one(`edit ${n}`) : one('nginx -t', 'ok'))))).toBeNull();
  });
});

describe('a turn', () => {
  const allowed = { policy: { kind: 'all' } } as const;

  test('that is stopped says what repeated, keeps every result, and gives back what waits', async () => {
    const bench = await startRuntime(
      times(9, (n) => ({ calls: [shellCall(`c${n}`, 'ls')] })),
      fakeTarget(({ command }) => {
        if (command === 'ls') bench.runtime.send({ type: 'prompt.submit', text: 'later' });
        return exited('a');
      }),
      { ...allowed, maxIterations: 9 },
    );
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.fake.commands).toEqual(['ls', 'ls', 'ls']);
    expect(bench.find('task.ended')[0]?.error).toEqual({
      code: 'turn.repeats',
      message: 'the model was stopped: it made the same call 3 times in a row with the same result: run_shell ls',
      hint: 'Tell it what to do differently, or say "go on" to let it continue. The limit is limits.repeats (/limits repeats).',
    });
    expect(bench.find('queue.returned').at(-1)?.texts).toEqual(['later', 'later', 'later']);
    bench.runtime.send({ type: 'prompt.submit', text: 'go on' });
    await bench.seen('task.started', 2);
    await bench.seen('model.requested', 4);
    expect(bench.requests[3]?.messages.map(({ role }) => role)).toEqual(['user', ...times(3, () => ['assistant', 'tool']).flat(), 'user']);
  });

  test('in which the person steers may do the same again', async () => {
    let runs = 0;
    const bench = await startRuntime(
      times(5, (n) => ({ calls: [shellCall(`c${n}`, 'ls')] })),
      fakeTarget(() => {
        runs++;
        if (runs === 2 || runs === 4) bench.runtime.send({ type: 'prompt.steer', text: 'look again' });
        return exited('a');
      }),
      allowed,
    );
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('task.ended');
    expect(bench.find('task.ended')[0]).toMatchObject({ outcome: 'completed' });
    expect(runs).toBe(5);
  });
});
