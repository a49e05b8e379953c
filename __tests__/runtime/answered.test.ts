/** Whoever sends a command can be told what became of it: taken or refused, and the task that it began. */

import type { RuntimeCommand } from '../../lib/protocol/commands.js';
import type { CommandAnswer } from '../../lib/protocol/runtime-port.js';
import type { RunOutcome } from '../../lib/targets/target.js';
import { fakeTarget, sharedPane } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';

type Bench = Awaited<ReturnType<typeof startRuntime>>;

const sent = (bench: Bench, command: RuntimeCommand) => new Promise<CommandAnswer>((resolve) => bench.runtime.send(command, resolve));

test('each answer belongs to its command, also of those that are sent at once', async () => {
  const bench = await startRuntime([{ hangs: true }]);
  const answers = await Promise.all([
    sent(bench, { type: 'task.cancel', task: '1' }),
    sent(bench, { type: 'prompt.submit', text: 'look' }),
    sent(bench, { type: 'prompt.submit', text: 'and then' }),
    sent(bench, { type: 'prompt.submit', text: ' ' }),
    sent(bench, { type: 'model.switch', profile: 'nosuch' }),
    sent(bench, { type: 'task.cancel', task: '1' }),
  ]);
  expect(answers).toEqual([
    { refused: 'there is no running task 1', task: null },
    { refused: null, task: '1' },
    { refused: null, task: null },
    { refused: 'the prompt is empty', task: null },
    { refused: 'a prompt is running; interrupt it first', task: null },
    { refused: null, task: null },
  ]);
  await bench.seen('task.ended');
  expect(await sent(bench, { type: 'model.switch', profile: 'nosuch' })).toEqual({
    refused: 'there is no model profile "nosuch"',
    task: null,
  });
});

test('it comes after the events that the command made at once', async () => {
  const bench = await startRuntime([{ hangs: true }]);
  await sent(bench, { type: 'prompt.submit', text: 'look' });
  expect(bench.types()).toContain('task.started');
  await sent(bench, { type: 'task.cancel', task: '7' });
  expect(bench.find('command.refused')).toEqual([
    { type: 'command.refused', command: 'task.cancel', reason: 'there is no running task 7' },
  ]);
});

test('a command that the pane would not have after all is told of with the task that it began', async () => {
  const refused: RunOutcome = {
    kind: 'refused',
    screen: '',
    reason: 'a password is asked for',
    state: { kind: 'password', program: 'sudo' },
  };
  const bench = await startRuntime(
    [],
    fakeTarget(() => refused, { screen: '', panes: [sharedPane] }),
  );
  expect(await sent(bench, { type: 'command.run', text: 'ls', tell: true })).toEqual({ refused: null, task: '1' });
  await bench.seen('task.ended');
  expect(bench.find('command.refused')).toEqual([
    { type: 'command.refused', command: 'command.run', reason: 'a password is asked for', task: '1' },
  ]);
});
