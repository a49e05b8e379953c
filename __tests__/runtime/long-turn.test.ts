/** Forty calls in one prompt, in a window that holds five of them. */

import { BuddyError } from '../../lib/base/errors.js';
import type { ModelRequest } from '../../lib/models/provider.js';
import { estimateTokens } from '../../lib/runtime/history.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { unsound } from '../support/messages.js';
import { startRuntime } from '../support/runtime-bench.js';
import { type ScriptedAnswer, scriptedSummary, shellCall } from '../support/scripted-model.js';
import { summarisingModel } from '../support/summarising-model.js';
import { until } from '../support/until.js';

const WINDOW = 8000;
const small = { ...scriptedSummary, contextTokens: WINDOW };
const CALLS = 40;
const steps = Array.from({ length: CALLS }, (_, n) => ({ text: `Step ${n}.`, calls: [shellCall(`c${n}`, `step ${n}`)] }));

/** Tokens of a whole request by the usual estimate. */
function tokens({ instructions, tools, messages }: ModelRequest): number {
  return estimateTokens(messages, instructions.length + JSON.stringify(tools).length);
}

/** Runs the forty, each of which prints as much as `size` says. */
async function run(summaries: readonly ScriptedAnswer[], size: (n: number) => number, answers: readonly ScriptedAnswer[] = steps) {
  const model = summarisingModel(answers, summaries, small);
  let count = 0;
  const bench = await startRuntime(
    [],
    fakeTarget(() => exited('x'.repeat(size(count++)), count % 7 === 0 ? 1 : 0), { screen: 'ann@web-01:/srv$ ' }),
    { policy: { kind: 'all' }, profiles: [small], maxIterations: 60, openModel: () => Promise.resolve(model.provider) },
  );
  bench.runtime.send({ type: 'prompt.submit', text: 'do all forty steps, and leave /etc alone' });
  const outcome = await until('the prompt has ended', () => bench.find('task.ended').find(({ task }) => task === '1'));
  return { ...bench, ...model, outcome };
}

const written = Array.from({ length: 30 }, (_, n) => ({ text: `## Done\nEverything up to part ${n}.` }));

describe.each([
  ['with summaries', written],
  ['with summaries that are empty', written.map(() => ({ text: '' }))],
  [
    'with a model that cannot be reached for summaries',
    written.map(() => ({ error: new BuddyError('model.connection', 'no route to host') })),
  ],
  ['with summaries without end', written.map(() => ({ text: 'and so on '.repeat(20_000) }))],
])('forty calls in a window of 8000 tokens, %s', (_name, summaries) => {
  test.each([
    ['short results', () => 300],
    ['long results', () => 3000],
    ['a result larger than the window now and then', (n: number) => (n % 9 === 4 ? 60_000 : 500)],
  ])('and %s: every request is valid and within the window, each command runs once', async (_size, size) => {
    const { fake, requests, summaryRequests, find, outcome } = await run(summaries, size);
    expect(outcome).toMatchObject({ outcome: 'completed', error: null });
    expect(fake.commands).toEqual(steps.map((_step, n) => `step ${n}`));
    for (const request of requests) {
      expect(unsound(request.messages)).toBeNull();
      expect(tokens(request)).toBeLessThanOrEqual(WINDOW);
      // Whatever was left out: what the person wants is there.
      expect(JSON.stringify(request.messages)).toContain('do all forty steps, and leave /etc alone');
    }
    for (const request of summaryRequests) expect(tokens(request)).toBeLessThanOrEqual(WINDOW);
    expect(find('context.compacted').length).toBeGreaterThan(0);
    // The newest result is always there, though it may be shortened.
    for (const [at, request] of requests.slice(1).entries()) expect(request.messages.at(-2)).toMatchObject({ callId: `c${at}` });
  });
});

/** Runs fourteen steps, interrupted at the n-th event (null: never), then goes on to the end. */
async function interrupted(n: number | null) {
  const model = summarisingModel(steps.slice(0, 14), written, small);
  let atEvent: () => void = () => undefined;
  const bench = await startRuntime(
    [],
    fakeTarget(() => exited('x'.repeat(3000))),
    {
      policy: { kind: 'all' },
      profiles: [small],
      maxIterations: 60,
      openModel: () => Promise.resolve(model.provider),
    },
  );
  let count = 0;
  const listening = bench.runtime.onEvent(() => {
    count++;
    atEvent();
  });
  atEvent = () => (count === n ? bench.runtime.send({ type: 'task.cancel', task: '1' }) : undefined);
  bench.runtime.send({ type: 'prompt.submit', text: 'all of it' });
  const ended = await until('the prompt has ended', () => bench.find('task.ended').find(({ task }) => task === '1'));
  listening.dispose();
  const before = bench.find('task.ended').length;
  bench.runtime.send({ type: 'prompt.submit', text: 'go on' });
  const next = () => bench.find('task.started').findLast(({ kind }) => kind === 'prompt')?.task;
  await until('the second prompt has ended', () =>
    bench
      .find('task.ended')
      .slice(before)
      .find(({ task }) => task === next()),
  );
  return { ...model, count, outcome: ended.outcome, commands: bench.fake.commands };
}

test('at whatever event the person interrupts, what is sent from then on is valid, and nothing runs twice', async () => {
  const whole = await interrupted(null);
  expect(whole.outcome).toBe('completed');
  expect(whole.summaryRequests.length).toBeGreaterThan(1);
  for (let n = 1; n < whole.count; n++) {
    const { requests, commands, outcome } = await interrupted(n);
    // Once the last answer is there, the interruption comes too late.
    if (n < whole.count - 5) expect([n, outcome]).toEqual([n, 'cancelled']);
    for (const request of requests) {
      expect([n, unsound(request.messages)]).toEqual([n, null]);
      expect(tokens(request)).toBeLessThanOrEqual(WINDOW);
    }
    expect([n, commands]).toEqual([n, [...new Set(commands)]]);
    expect([n, JSON.stringify(requests.at(-1)?.messages).includes('all of it')]).toEqual([n, true]);
    expect([n, JSON.stringify(requests.at(-1)?.messages).includes('go on')]).toEqual([n, true]);
  }
});
