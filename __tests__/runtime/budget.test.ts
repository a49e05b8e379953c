/** What a prompt and a session may take ends in a sentence that says which limit, how much it is, and what to do. */

import { BuddyError } from '../../lib/base/errors.js';
import { Limits } from '../../lib/config/limits.js';
import { defaultSettings, type Settings } from '../../lib/config/settings.js';
import type { Usage } from '../../lib/protocol/messages.js';
import { Budget } from '../../lib/runtime/budget.js';
import { limitLines } from '../../lib/view/limit-words.js';
import { exited, fakeTarget, outputOf } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { type ScriptedAnswer, scriptedSummary, shellCall } from '../support/scripted-model.js';

const limits = (settings: Partial<Settings>) => new Limits({ ...defaultSettings(), ...settings });
const usage = (inputTokens: number, outputTokens: number): Usage => ({
  inputTokens,
  outputTokens,
  cachedTokens: null,
  reasoningTokens: null,
});
/** Ten dollars for a million tokens, whichever. */
const priced = { ...scriptedSummary, prices: { input: 10, output: 10, cacheRead: null, cacheWrite: null } };

/** A model that always calls a tool, another one each time. */
const busy = (count: number, of = usage(9000, 1000)): readonly ScriptedAnswer[] =>
  Array.from({ length: count }, (_, at) => ({ calls: [shellCall(`c${at}`, `step ${at}`)], usage: of }));

async function prompted(answers: readonly ScriptedAnswer[], settings: Partial<Settings>, fake = fakeTarget(() => exited('x'))) {
  const more = { policy: { kind: 'all' }, limits: limits(settings), profiles: [priced] } as const;
  const bench = await startRuntime(answers, fake, more);
  bench.runtime.send({ type: 'prompt.submit', text: 'do it' });
  return bench;
}
const goOn = (bench: Awaited<ReturnType<typeof prompted>>) => bench.runtime.send({ type: 'prompt.submit', text: 'go on' });

test('a model that always calls a tool stops after so many requests; "go on" lets it continue; more is allowed while it runs', async () => {
  const bench = await prompted(busy(100), { 'agent.max_iterations': 5 });
  await bench.seen('task.ended');
  expect(bench.fake.commands).toHaveLength(5);
  expect(bench.find('task.ended')[0]?.error).toEqual({
    code: 'turn.iterations',
    message: 'the model was stopped after 5 requests for one prompt',
    hint: 'Say "go on" to let it continue, or allow more with /limits requests 10 or agent.max_iterations.',
  });
  goOn(bench);
  bench.runtime.send({ type: 'limits.set', limit: 'requests', value: 8 });
  await bench.seen('task.ended', 2);
  expect(bench.fake.commands).toHaveLength(13);
});

describe('what a session may cost', () => {
  test('is told of once at 80 %, and nothing is sent beyond it until more is allowed', async () => {
    const bench = await prompted(busy(100), { 'limits.session_cost': 1 });
    await bench.seen('task.ended');
    expect(bench.requests).toHaveLength(10);
    const told = bench.find('warning').map(({ message }) => message);
    expect(told).toEqual(['80 % of what this session may take is used: $1 (limits.session_cost). /limits cost allows more.']);
    const error = {
      code: 'limit.cost',
      message: 'this session has used up what it may take: $1',
      hint: 'Allow more with /limits cost 2 and say "go on", begin another session with /session new, or raise limits.session_cost.',
    };
    expect(bench.find('task.ended')[0]?.error).toEqual(error);
    goOn(bench);
    await bench.seen('task.ended', 2);
    expect(bench.find('task.ended')[1]?.error).toEqual(error);
    expect(bench.requests).toHaveLength(10);
    bench.runtime.send({ type: 'limits.set', limit: 'cost', value: 1.25 });
    goOn(bench);
    await bench.seen('task.ended', 3);
    expect(bench.requests).toHaveLength(13);
    expect(bench.find('warning')).toHaveLength(2);
  });

  test('is that of the session: a new one begins at nothing, with the limits of the settings', async () => {
    const bench = await prompted(busy(4), { 'limits.session_cost': 0.2 });
    await bench.seen('task.ended');
    bench.runtime.send({ type: 'limits.set', limit: 'cost', value: 100 });
    bench.runtime.send({ type: 'session.new' });
    bench.runtime.send({ type: 'limits.tell' });
    await bench.seen('limits.told', 2);
    const cost = bench.find('limits.told')[1]?.limits.find(({ limit }) => limit === 'cost');
    expect(cost).toEqual({ limit: 'cost', value: 0.2, configured: 0.2, used: 0 });
  });

  test('holds where the server counts nothing: tokens are estimated then', async () => {
    const long = 'x'.repeat(8000);
    const said = Array.from({ length: 50 }, (_, at) => ({ text: long, calls: [shellCall(`c${at}`, `step ${at}`)] }));
    const bench = await prompted(said, { 'limits.session_tokens': 20_000 });
    await bench.seen('task.ended');
    expect(bench.find('task.ended')[0]?.error?.code).toBe('limit.tokens');
    expect(bench.requests.length).toBeLessThan(10);
  });
});

describe('the minutes of a prompt', () => {
  test('end it with a sentence, and a question that nobody answered with it', async () => {
    const bench = await prompted([{ calls: [shellCall('c', 'cat /etc/shadow')] }], { 'limits.prompt_minutes': 30 });
    await bench.seen('approval.requested');
    await bench.clock.advance(30 * 60_000);
    await bench.seen('task.ended');
    expect(bench.find('warning')[0]?.message).toBe(
      'the prompt was stopped after 30 minutes (limits.prompt_minutes). Say "go on" to let it continue, or allow more with /limits minutes.',
    );
    expect(bench.find('task.ended')[0]?.outcome).toBe('timed-out');
    const { id } = bench.find('approval.requested')[0]?.request ?? { id: '' };
    bench.runtime.send({ type: 'approval.answer', approval: id, decision: 'once' });
    await bench.seen('command.refused');
    expect(bench.fake.commands).toEqual([]);
    expect(bench.clock.pending).toBe(0);
  });

  test('can be changed while it runs, and are counted from its beginning', async () => {
    const bench = await prompted([{ hangs: true }], { 'limits.prompt_minutes': 30 });
    await bench.seen('model.requested');
    await bench.clock.advance(20 * 60_000);
    bench.runtime.send({ type: 'limits.set', limit: 'minutes', value: 60 });
    await bench.seen('limits.told');
    await bench.clock.advance(20 * 60_000);
    expect(bench.find('task.ended')).toEqual([]);
    bench.runtime.send({ type: 'limits.set', limit: 'minutes', value: 0 });
    await bench.seen('limits.told', 2);
    await bench.clock.advance(600 * 60_000);
    expect(bench.find('task.ended')).toEqual([]);
  });
});

test('so many commands in the background, and no more', async () => {
  const going = (command: string) => ({
    kind: 'running' as const,
    reason: 'detached' as const,
    output: outputOf(''),
    elapsedMs: 1,
    background: {
      pane: '%1',
      command,
      ended: new Promise<never>(() => undefined),
      lastLine: () => '',
      tail: () => ({ text: '', totalBytes: 0, id: null }),
      stop: () => Promise.resolve(true),
    },
  });
  const calls = [1, 2, 3].map((at) => shellCall(`c${at}`, `serve ${at}`, { wait: false }));
  const bench = await prompted(
    [{ calls }, { text: 'ok' }],
    { 'limits.jobs': 2 },
    fakeTarget(({ command }) => going(command)),
  );
  await bench.seen('task.ended');
  expect(bench.fake.commands).toEqual(['serve 1', 'serve 2']);
  expect(bench.find('tool.ended')[2]?.text).toContain('2 commands run in the background already, which is the limit (limits.jobs)');
});

test('a result is cut for the model, with its beginning and its end, and that is said', async () => {
  const fake = fakeTarget(() => exited(`first ${'ä'.repeat(200_000)} last`));
  const bench = await prompted([{ calls: [shellCall('c', 'cat big')] }, { text: 'ok' }], { 'limits.result_kib': 16 }, fake);
  await bench.seen('task.ended');
  expect(bench.find('tool.ended')[0]?.summary).toContain('cut at 16 KiB for the model (limits.result_kib)');
  const message = bench.requests.at(-1)?.messages.find(({ role }) => role === 'tool');
  expect(Buffer.byteLength(message?.text ?? '')).toBeLessThan(18 * 1024);
  const { result } = JSON.parse(message?.text ?? '');
  expect(result).toMatchObject({
    truncated_by_harness: true,
    beginning: expect.stringContaining('first ä'),
    end: expect.stringContaining('ä last'),
  });
  expect(JSON.stringify(result)).not.toContain('\ufffd');
});

test('the same call so often as the limit says', async () => {
  const same = Array.from({ length: 9 }, (_, at) => ({ calls: [shellCall(`c${at}`, 'ls')] }));
  const bench = await prompted(same, { 'limits.repeats': 5 });
  await bench.seen('task.ended');
  expect(bench.fake.commands).toHaveLength(5);
  expect(bench.find('task.ended')[0]?.error?.hint).toContain('The limit is limits.repeats (/limits repeats).');
});

test('all of them are told with what is used, and which hold for the session only', async () => {
  const bench = await prompted(busy(3), { 'agent.max_iterations': 3 });
  await bench.seen('task.ended');
  bench.runtime.send({ type: 'limits.set', limit: 'cost', value: 2 });
  bench.runtime.send({ type: 'limits.tell' });
  await bench.seen('limits.told', 2);
  const [one, all] = bench.find('limits.told');
  expect(one?.limits.map(({ limit }) => limit)).toEqual(['cost']);
  const lines = all === undefined ? [] : limitLines(all);
  expect(lines).toHaveLength(13);
  expect(lines[2]).toMatch(/^tokens {4}no limit .*in and out in one session; used: 30000 {2}limits\.session_tokens$/);
  expect(lines[3]).toMatch(/^cost {6}\$2 .*; used: \$0\.30 {2}limits\.session_cost = off; this session only$/);
});

test.each([
  ['requests', 0, 'requests is a number of requests from 1 to 1000'],
  ['cost', -1, 'cost is a number of dollars from 0.01 to 1000000, or off'],
  ['repeats', 2.5, 'repeats is a number of times from 2 to 100'],
] as const)('%s %d is refused', async (limit, value, reason) => {
  const bench = await startRuntime([]);
  bench.runtime.send({ type: 'limits.set', limit, value });
  await bench.seen('command.refused');
  expect(bench.find('command.refused')[0]?.reason).toBe(reason);
});

test('a server that wants to be left alone for three years is waited for a minute, so often as the limit says', async () => {
  const busyServer = () => new BuddyError('model.rate', 'it is busy', { retryable: true, retryAfterMs: 99_999_999_000 });
  const failures = Array.from({ length: 9 }, () => ({ error: busyServer() }));
  const bench = await prompted(failures, { 'limits.retries': 2 });
  for (const count of [1, 2]) {
    await bench.seen('model.retrying', count);
    expect(bench.find('model.retrying').at(-1)).toMatchObject({ attempts: 3, atMs: bench.clock.now() + 60_000 });
    await bench.clock.advance(60_000);
  }
  await bench.seen('task.ended');
  expect(bench.requests).toHaveLength(3);
  expect(bench.find('task.ended')[0]?.error?.code).toBe('model.rate');
});

test('going back in the same session, or on in a copy of it, gives nothing back; another one begins anew', async () => {
  const bench = await prompted(busy(1), { 'limits.session_cost': 5 });
  await bench.seen('task.ended');
  const budget = new Budget({
    clock: bench.clock,
    limits: limits({}),
    profiles: [priced],
    model: () => priced,
    jobs: () => 0,
    stop: () => undefined,
    emit: () => undefined,
  });
  for (const event of bench.events) budget.hear(event);
  const resumed = { type: 'session.resumed', name: null, copyOf: null } as const;
  const past = [{ tsMs: 0, event: { type: 'task.started', task: 'p', kind: 'prompt', text: 'x', pane: null } as const }];
  budget.limits.set('tokens', 1000);
  budget.hear({ ...resumed, session: 's1', past });
  expect(() => budget.check()).toThrow('used up what it may take: 1000 tokens');
  budget.hear({ ...resumed, session: 's2', past: [] });
  expect(() => budget.check()).toThrow('used up what it may take: 1000 tokens');
  budget.hear({ ...resumed, session: 's3', past });
  expect(() => budget.check()).not.toThrow();
});
