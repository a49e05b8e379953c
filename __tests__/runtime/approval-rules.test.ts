/** Rules at the gate: what they let through is told, what they do not is asked, and they end when they should. */

import type { Rule, RuleChoice } from '../../lib/protocol/rules.js';
import type { RuleStore } from '../../lib/runtime/rules.js';
import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { shellCall } from '../support/scripted-model.js';

const here = { target: 'this host', host: 'web-01', user: 'ann', folder: '/srv' };
const gitLog: Rule = { subject: { kind: 'command', words: ['git', 'log'], exact: false }, place: here, saved: true };

/** A store in memory; `trouble` is what it fails with. */
function store(known: readonly Rule[] = [], trouble: string | null = null) {
  const log: string[] = [];
  const act = (what: string) => (rule: Rule) => {
    log.push(`${what} ${JSON.stringify(rule.subject)}`);
    return trouble === null ? Promise.resolve() : Promise.reject(new Error(trouble));
  };
  const rules: RuleStore = { known, add: act('add'), remove: act('remove') };
  return { rules, log };
}

type Bench = Awaited<ReturnType<typeof startRuntime>>;

async function answerByRule(bench: Bench, rule: RuleChoice | undefined): Promise<void> {
  const approval = bench.find('approval.requested').at(-1)?.request.id ?? '';
  bench.runtime.send({ type: 'approval.answer', approval, decision: 'rule', ...(rule === undefined ? {} : { rule }) });
  await Promise.resolve();
}

test('a rule is made with the answer: the next command that it covers runs unasked and that is told', async () => {
  const { rules, log } = store();
  const calls = [shellCall('c1', 'git log -1'), shellCall('c2', 'git log --oneline'), shellCall('c3', 'git log; id')];
  const bench = await startRuntime([{ calls }, { text: 'ok' }], fakeTarget(), { rules });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  const offer = bench.find('approval.requested')[0]?.request.rule;
  expect(offer?.subjects[offer.proposed]).toEqual(gitLog.subject);
  await answerByRule(bench, { subject: 0, place: 0, saved: true });
  await bench.seen('approval.requested', 2);
  expect(bench.fake.commands).toEqual(['git log -1', 'git log --oneline']);
  expect(log).toEqual(['add {"kind":"command","words":["git","log"],"exact":false}']);
  bench.answer('deny');
  await bench.seen('task.ended');
  expect(bench.types()).toEqual([
    'lifecycle.started',
    'task.started',
    'model.requested',
    'model.answered',
    'tool.requested',
    'tool.requested',
    'tool.requested',
    'approval.requested',
    'approval.rules',
    'approval.resolved',
    'tool.started',
    'tool.ended',
    'approval.ruled',
    'tool.started',
    'tool.ended',
    'approval.requested',
    'approval.resolved',
    'tool.ended',
    'model.requested',
    'model.text',
    'model.answered',
    'task.ended',
  ]);
  expect(bench.find('approval.ruled')).toEqual([{ type: 'approval.ruled', task: '1', call: 'c2', rule: { ...gitLog, id: 'r1' } }]);
  expect(bench.find('approval.resolved')[0]).toMatchObject({ decision: 'rule', by: 'user' });
});

test('what is saved holds from the start, also where nobody can answer', async () => {
  const { rules } = store([gitLog]);
  const calls = [shellCall('c1', 'git log'), shellCall('c2', 'git show')];
  const bench = await startRuntime([{ calls }, { text: 'ok' }], fakeTarget(), { rules, interactive: false });
  expect(bench.find('approval.rules')).toEqual([{ type: 'approval.rules', rules: [{ ...gitLog, id: 'r1' }] }]);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('task.ended');
  expect(bench.fake.commands).toEqual(['git log']);
});

test('none and the denylist are stronger than a rule', async () => {
  const { rules } = store([gitLog, { ...gitLog, subject: { kind: 'command', words: ['mkfs', 'x'], exact: true } }]);
  const calls = [shellCall('c1', 'git log'), shellCall('c2', 'mkfs x')];
  const none = await startRuntime([{ calls }, { text: 'ok' }], fakeTarget(), { rules, policy: { kind: 'none' } });
  none.runtime.send({ type: 'prompt.submit', text: 'x' });
  await none.seen('task.ended');
  expect([none.fake.commands, none.find('approval.ruled')]).toEqual([[], []]);
  const ask = await startRuntime([{ calls }, { text: 'ok' }], fakeTarget(), { rules });
  ask.runtime.send({ type: 'prompt.submit', text: 'x' });
  await ask.seen('task.ended');
  expect(ask.fake.commands).toEqual(['git log']);
});

test.each([
  ['nothing chosen', undefined],
  ['no such subject', { subject: 9, place: 0, saved: false }],
  ['no such place', { subject: 0, place: 9, saved: false }],
  ['a number that is none', { subject: Number.NaN, place: 0, saved: false }],
] as const)('an answer by a rule that was not offered is refused, and the question waits on: %s', async (_what, choice) => {
  const bench = await startRuntime([{ calls: [shellCall('c1', 'git log')] }, { text: 'ok' }]);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  await answerByRule(bench, choice);
  await bench.seen('command.refused');
  expect(bench.find('approval.resolved')).toEqual([]);
  expect(bench.find('approval.rules')).toEqual([]);
  bench.answer('once');
  await bench.seen('task.ended');
  expect(bench.fake.commands).toEqual(['git log']);
});

test('for a chain there is no rule to choose', async () => {
  const bench = await startRuntime([{ calls: [shellCall('c1', 'git log | head')] }, { text: 'ok' }]);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  expect(bench.find('approval.requested')[0]?.request).not.toHaveProperty('rule');
  await answerByRule(bench, { subject: 0, place: 0, saved: false });
  await bench.seen('command.refused');
  expect(bench.fake.commands).toEqual([]);
});

test('a rule of the session ends with it, a saved one does not', async () => {
  const { rules } = store([gitLog]);
  const bench = await startRuntime([{ calls: [shellCall('c1', 'ls -l')] }, { text: 'ok' }], fakeTarget(), { rules });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  await answerByRule(bench, { subject: 0, place: 0, saved: false });
  await bench.seen('task.ended');
  bench.runtime.send({ type: 'session.new' });
  await bench.seen('approval.rules', 3);
  expect(bench.find('approval.rules').map((event) => event.rules.map((rule) => rule.id))).toEqual([['r1'], ['r1', 'r2'], ['r1']]);
});

test('what cannot be kept holds for the session, and that is said', async () => {
  const { rules } = store([], 'the disk is full');
  const bench = await startRuntime([{ calls: [shellCall('c1', 'git log')] }, { text: 'ok' }], fakeTarget(), { rules });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
  await answerByRule(bench, { subject: 0, place: 0, saved: true });
  await bench.seen('warning');
  expect(bench.find('warning')[0]?.message).toBe('The rule holds for this session only: the disk is full');
  await bench.seen('approval.rules', 2);
  expect(
    bench
      .find('approval.rules')
      .at(-1)
      ?.rules.map((rule) => rule.saved),
  ).toEqual([false]);
});

test('a rule can be taken back, once', async () => {
  const { rules, log } = store([gitLog]);
  const bench = await startRuntime([{ calls: [shellCall('c1', 'git log')] }, { text: 'ok' }], fakeTarget(), { rules });
  bench.runtime.send({ type: 'approval.forget', rule: 'r1' });
  bench.runtime.send({ type: 'approval.forget', rule: 'r1' });
  await bench.seen('command.refused');
  expect(bench.find('command.refused')[0]?.reason).toBe('there is no rule r1');
  expect(log).toEqual(['remove {"kind":"command","words":["git","log"],"exact":false}']);
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('approval.requested');
});

describe('writing', () => {
  const write = (id: string, path: string) => ({
    id,
    name: 'write_file',
    argsText: JSON.stringify({ path, content: 'new\n', why: 'w' }),
  });

  test('a rule for a folder is judged by where a link really leads', async () => {
    const fake = fakeTarget();
    fake.links.set('/srv/app/out/b.txt', '/home/ann/b.txt');
    const inApp: Rule = { subject: { kind: 'folder', path: '/srv/app' }, place: { ...here, folder: null }, saved: true };
    const calls = [write('c1', '/srv/app/a.txt'), write('c2', '/srv/app/out/b.txt')];
    const bench = await startRuntime([{ calls }, { text: 'ok' }], fake, { rules: store([inApp]).rules });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    await bench.seen('approval.requested');
    expect(bench.find('approval.ruled').map((event) => event.call)).toEqual(['c1']);
    expect(bench.find('approval.requested')[0]?.request).toMatchObject({ call: 'c2' });
    expect([...fake.files.keys()]).toEqual(['/srv/app/a.txt']);
  });
});
