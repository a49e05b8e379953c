/** Commands of the person's own: no question, no denylist, told to the model with its next request or not at all. */

import type { RunOutcome } from '../../lib/targets/target.js';
import { settle } from '../support/fake-clock.js';
import { exited, fakeTarget, outputOf, sharedPane } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';

const userTexts = (messages: readonly { role: string; text: string }[] | undefined) =>
  messages?.filter((message) => message.role === 'user').map((message) => message.text) ?? [];

test('runs at once, is shown as a card, and is told with the next request', async () => {
  const fake = fakeTarget(() => exited('a.txt', 3), { screen: '$ ' });
  const bench = await startRuntime([{ text: 'I see.' }], fake);
  bench.runtime.send({ type: 'command.run', text: 'rm -rf /', tell: true });
  await bench.seen('task.ended');
  expect(fake.commands).toEqual(['rm -rf /']);
  expect(bench.types()).toEqual(['lifecycle.started', 'task.started', 'tool.requested', 'tool.started', 'tool.ended', 'task.ended']);
  expect(bench.find('task.started')[0]).toMatchObject({ kind: 'command', text: 'rm -rf /', pane: '%1' });
  expect(bench.find('tool.ended')[0]).toMatchObject({ text: 'a.txt', summary: 'exit 3', exitCode: 3, isError: false });
  bench.runtime.send({ type: 'prompt.submit', text: 'and now?' });
  await bench.seen('task.ended', 2);
  const told = userTexts(bench.requests[0]?.messages).find((text) => text.startsWith('[harness] The user ran this command'));
  expect(told).toContain('rm -rf /\nIt ended: exit 3. Output:\na.txt');
});

test('with "!!" the model hears nothing of it', async () => {
  const bench = await startRuntime(
    [{ text: 'ok' }],
    fakeTarget(() => exited('hunter2'), { screen: '$ ' }),
  );
  bench.runtime.send({ type: 'command.run', text: 'cat key', tell: false });
  await bench.seen('task.ended');
  bench.runtime.send({ type: 'prompt.submit', text: 'hello' });
  await bench.seen('task.ended', 2);
  expect(JSON.stringify(bench.requests)).not.toContain('hunter2');
  expect(JSON.stringify(bench.requests)).not.toContain('cat key');
});

test('is refused with the reason while the pane is busy, and nothing runs', async () => {
  const busy = { ...sharedPane, state: { kind: 'running', program: 'apt', sinceMs: 0 } } as const;
  const fake = fakeTarget(() => exited(''), { screen: '', panes: [busy] });
  const bench = await startRuntime([], fake);
  bench.runtime.send({ type: 'command.run', text: 'ls', tell: true });
  await bench.seen('command.refused');
  expect(bench.find('command.refused')[0]?.reason).toBe('the pane is running (apt); nothing ran');
  expect(fake.commands).toEqual([]);
});

test('runs where the shell has ended: the target brings it back', async () => {
  const dead = { ...sharedPane, state: { kind: 'dead', status: null } } as const;
  const fake = fakeTarget(() => exited('back'), { screen: '', panes: [dead] });
  const bench = await startRuntime([], fake);
  bench.runtime.send({ type: 'command.run', text: 'ls', tell: true });
  await bench.seen('task.ended');
  expect(fake.commands).toEqual(['ls']);
});

test('is refused by the target itself: said, and the model is not told of what did not run', async () => {
  const refused: RunOutcome = {
    kind: 'refused',
    state: { kind: 'password', program: 'sudo' },
    reason: 'a password is asked for',
    screen: '',
  };
  const bench = await startRuntime(
    [{ text: 'ok' }],
    fakeTarget(() => refused),
  );
  bench.runtime.send({ type: 'command.run', text: 'ls', tell: true });
  await bench.seen('task.ended');
  expect(bench.find('command.refused')[0]?.reason).toBe('a password is asked for');
  expect(bench.find('tool.ended')[0]).toMatchObject({ isError: true, summary: 'not run: pane is password' });
  bench.runtime.send({ type: 'prompt.submit', text: 'x' });
  await bench.seen('task.ended', 2);
  expect(JSON.stringify(bench.requests)).not.toContain('The user ran');
});

test('is refused while the person has the keyboard of the pane, and while another one of theirs runs', async () => {
  const fake = fakeTarget((_request, io) => new Promise((resolve) => io.signal.addEventListener('abort', () => resolve(cancelled))), {
    screen: '$ ',
  });
  const cancelled: RunOutcome = { kind: 'cancelled', stopped: true, output: outputOf('half'), elapsedMs: 1 };
  const bench = await startRuntime([], fake);
  bench.runtime.send({ type: 'pane.takeover', pane: '%1' });
  bench.runtime.send({ type: 'command.run', text: 'ls', tell: true });
  await bench.seen('command.refused');
  bench.runtime.send({ type: 'pane.handback', pane: '%1' });
  await settle();
  await bench.clock.advance(1000);
  await bench.seen('pane.returned');
  bench.runtime.send({ type: 'command.run', text: 'sleep 100', tell: true });
  bench.runtime.send({ type: 'command.run', text: 'ls', tell: true });
  await bench.seen('command.refused', 2);
  expect(bench.find('command.refused').map((event) => event.reason)).toEqual([
    'you have the keyboard of the pane: type it there',
    'a command of yours still runs; Esc stops it',
  ]);
  bench.runtime.send({ type: 'task.cancel', task: bench.find('task.started')[0]?.task ?? '' });
  await bench.seen('task.ended');
  expect(bench.find('task.ended')[0]).toMatchObject({ outcome: 'cancelled' });
  expect(bench.find('tool.ended')[0]).toMatchObject({ summary: 'interrupted', text: 'half' });
});

test('goes on while a prompt runs, and is told to that very prompt', async () => {
  const fake = fakeTarget(({ command }) => exited(`out of ${command}`), { screen: '$ ' });
  const call = {
    id: 'c1',
    name: 'run_shell',
    argsText: JSON.stringify({ command: 'df', risk: 'low', mutation: false, privesc: false, why: 'x' }),
  };
  const bench = await startRuntime([{ calls: [call] }, { text: 'done' }], fake);
  bench.runtime.send({ type: 'prompt.submit', text: 'disk?' });
  await bench.seen('approval.requested');
  bench.runtime.send({ type: 'command.run', text: 'uptime', tell: true });
  await bench.seen('task.ended');
  bench.answer('once');
  await bench.seen('task.ended', 2);
  expect(userTexts(bench.requests[1]?.messages).join('\n')).toContain('out of uptime');
});

test('the program ends also when one still runs', async () => {
  const cancelled: RunOutcome = { kind: 'cancelled', stopped: true, output: outputOf(''), elapsedMs: 1 };
  const fake = fakeTarget((_request, io) => new Promise((resolve) => io.signal.addEventListener('abort', () => resolve(cancelled))), {
    screen: '$ ',
  });
  const bench = await startRuntime([], fake);
  bench.runtime.send({ type: 'command.run', text: 'sleep 100', tell: false });
  await bench.seen('tool.started');
  bench.runtime.send({ type: 'runtime.shutdown' });
  await bench.runtime.closed;
  expect(bench.types().slice(-1)).toEqual(['lifecycle.stopped']);
});
