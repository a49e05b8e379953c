/** What the judge of commands wants a person to see is asked about, whatever the policy, the settings and the rules say. */

import type { Rule } from '../../lib/protocol/rules.js';
import type { RuntimeOptions } from '../../lib/runtime/runtime-options.js';
import type { PaneInfo } from '../../lib/targets/target.js';
import { fakeTarget, sharedPane } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { shellCall } from '../support/scripted-model.js';

const review = { denylist: ['mkfs'], allowedPaths: [], homeDir: '/home/ann' };
const place = { target: 'this host', host: 'web-01', user: 'ann', folder: null };
const rule = (...words: string[]): Rule => ({ subject: { kind: 'command', words, exact: false }, place, saved: true });
const store = (...known: readonly Rule[]) => ({ known, add: () => Promise.resolve(), remove: () => Promise.resolve() });
const free: Readonly<Record<string, Partial<RuntimeOptions>>> = {
  'the policy all': { policy: { kind: 'all' } },
  'an hour of it': { policy: { kind: 'until', untilMs: Number.MAX_SAFE_INTEGER } },
  'shell_confirm = false': { review: { ...review, confirmShell: false } },
  'a rule that covers it': { rules: store(rule('cat'), rule('echo'), rule('uptime')) },
};

async function asking(commands: readonly string[], more: Partial<RuntimeOptions>, fake = fakeTarget()) {
  const calls = commands.map((command, at) => shellCall(`c${at}`, command));
  const bench = await startRuntime([{ calls }, { text: 'ok' }], fake, { review: { ...review, confirmShell: true }, ...more });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  return bench;
}

test.each(Object.entries(free))('%s lets the harmless run and asks about the rest', async (_name, more) => {
  const bench = await asking(['uptime', 'cat /etc/shadow', 'echo mkfs'], more);
  await bench.seen('approval.requested');
  expect(bench.fake.commands).toEqual(['uptime']);
  expect(bench.find('approval.requested')[0]?.request).toMatchObject({
    body: 'cat /etc/shadow',
    computed: { risk: 'high', mutation: false, privesc: false, network: false, reasons: ['it opens a file that holds secrets'] },
  });
  bench.answer('once');
  await bench.seen('approval.requested', 2);
  bench.answer('deny');
  await bench.seen('task.ended');
  expect(bench.fake.commands).toEqual(['uptime', 'cat /etc/shadow']);
});

test('no rule is offered for it, and none is made by an answer', async () => {
  const bench = await asking(['cat /etc/shadow'], {});
  await bench.seen('approval.requested');
  const { id, rule: offer } = bench.find('approval.requested')[0]?.request ?? { id: '' };
  expect(offer).toBeUndefined();
  bench.runtime.send({ type: 'approval.answer', approval: id, decision: 'rule', rule: { subject: 0, place: 0, saved: false } });
  await bench.seen('command.refused');
  expect(bench.fake.commands).toEqual([]);
});

test('yes for the session is for the very same command, and stays', async () => {
  const bench = await asking(['cat /etc/shadow', 'cat /etc/shadow', 'cat /etc/gshadow'], { policy: { kind: 'all' } });
  await bench.seen('approval.requested');
  bench.answer('session');
  await bench.seen('approval.requested', 2);
  expect(bench.fake.commands).toEqual(['cat /etc/shadow', 'cat /etc/shadow']);
});

test('where nobody can answer, it runs when all was allowed outright, and not otherwise; the denylist holds in both', async () => {
  const open = await asking(['cat /etc/shadow', 'sudo mkfs x'], { policy: { kind: 'all' }, interactive: false });
  await open.seen('task.ended');
  expect(open.fake.commands).toEqual(['cat /etc/shadow']);
  const closed = await asking(['cat /etc/shadow'], { review: { ...review, confirmShell: false }, interactive: false });
  await closed.seen('task.ended');
  expect(closed.fake.commands).toEqual([]);
});

test('in fish nothing runs without a question, but a rule of the user counts', async () => {
  const fake = fakeTarget();
  const target = { ...fake.target, summary: { ...fake.target.summary, shell: 'fish' } };
  const bench = await asking(['uptime', 'df -h'], { policy: { kind: 'all' }, rules: store(rule('uptime')) }, { ...fake, target });
  await bench.seen('approval.requested');
  expect(fake.commands).toEqual(['uptime']);
  expect(bench.find('approval.requested')[0]?.request).toMatchObject({
    body: 'df -h',
    rule: expect.anything(),
    computed: { risk: 'low', reasons: ['fish may read it in another way than it was judged'] },
  });
});

describe('what is typed at a prompt', () => {
  const typing = (args: object) => ({
    id: 'c1',
    name: 'send-keys',
    argsText: JSON.stringify({ risk: 'low', mutation: false, privesc: false, why: 'w', ...args }),
  });
  const typed = async (args: object, panes = [sharedPane]) => {
    const fake = fakeTarget(undefined, { screen: '$ ', panes });
    const bench = await startRuntime([{ calls: [typing(args)] }, { text: 'ok' }], fake, { policy: { kind: 'all' } });
    bench.runtime.send({ type: 'prompt.submit', text: 'x' });
    return { fake, bench };
  };

  test('is judged like a command, together with what stands there', async () => {
    const { bench, fake } = await typed({ literal_text: '~/.ssh/id_rsa', enter: true }, [{ ...sharedPane, halfTyped: 'cat ' }]);
    await bench.seen('approval.requested');
    expect(bench.find('approval.requested')[0]?.request.computed?.reasons).toEqual(['it opens a file that holds secrets']);
    expect(fake.typed).toEqual([]);
    const harmless = await typed({ literal_text: 'uptime', enter: true });
    await harmless.bench.seen('task.ended');
    expect(harmless.fake.typed).toEqual(['uptime\r']);
  });

  test('is not what the yes was for, when it was to be an answer to a program that has ended since', async () => {
    const panes: PaneInfo[] = [{ ...sharedPane, state: { kind: 'running', program: 'installer', sinceMs: 0 } }];
    const { bench, fake } = await typed({ literal_text: 'cat /etc/shadow', enter: true, delay: 5 }, panes);
    await bench.seen('tool.started');
    panes.splice(0, 1, sharedPane);
    await bench.clock.advance(5000);
    await bench.seen('task.ended');
    expect(fake.typed).toEqual([]);
    expect(bench.find('tool.ended')[0]?.text).toContain('has to be asked about: it opens a file that holds secrets. Nothing was typed');
  });

  test('a tab would complete the line', async () => {
    const { bench } = await typed({ literal_text: 'ca\t', enter: true });
    await bench.seen('task.ended');
    expect(bench.find('tool.ended')[0]?.text).toContain('at a shell prompt "Tab" with Enter would run a line that nobody has seen');
  });
});
