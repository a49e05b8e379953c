/** Commands that are not built in, as a front end sees them. */

import { Emitter } from '../../lib/base/emitter.js';
import { BuddyError } from '../../lib/base/errors.js';
import type { OfferedCommand } from '../../lib/protocol/offered.js';
import type { Invoked, OfferedCommands } from '../../lib/runtime/offered-commands.js';
import { fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';

const hello: OfferedCommand = { name: 'hello', kind: 'template', args: 'NAME', says: 'greets', from: '/x/hello.md' };

function offering(invoke: (args: string) => Promise<Invoked>) {
  const list: OfferedCommand[] = [hello];
  const changed = new Emitter<void>();
  const offered: OfferedCommands = { list: () => list, onChange: changed.event, invoke: (_, args) => invoke(args) };
  return { list, changed, offered };
}

test('they are told at the start and whenever they change', async () => {
  const { list, changed, offered } = offering(() => Promise.resolve({ kind: 'done', says: '' }));
  const bench = await startRuntime([], fakeTarget(), { offered });
  expect(bench.find('commands.offered')).toEqual([{ type: 'commands.offered', commands: [hello] }]);
  list.pop();
  changed.fire();
  expect(bench.find('commands.offered')).toHaveLength(2);
});

test('one that gives a prompt is answered as if it had been typed', async () => {
  const { offered } = offering((args) => Promise.resolve({ kind: 'prompt', text: `say hello to ${args}` }));
  const bench = await startRuntime([{ text: 'Hello.' }], fakeTarget(), { offered });
  bench.runtime.send({ type: 'command.invoke', name: 'hello', args: 'Ada' });
  await bench.seen('task.ended');
  expect(bench.find('task.started')[0]?.text).toBe('say hello to Ada');
  expect(bench.requests[0]?.messages[0]).toEqual({ role: 'user', text: 'say hello to Ada' });
});

test('one that does something tells what; one that fails tells why; one that is not there is refused', async () => {
  const { offered } = offering((args) =>
    args === 'no'
      ? Promise.reject(new BuddyError('tool.failed', 'nobody is there', { hint: 'Try later.' }))
      : Promise.resolve({ kind: 'done', says: 'done it' }),
  );
  const bench = await startRuntime([], fakeTarget(), { offered });
  bench.runtime.send({ type: 'command.invoke', name: 'hello', args: '' });
  await bench.seen('notice');
  bench.runtime.send({ type: 'command.invoke', name: 'hello', args: 'no' });
  await bench.seen('warning');
  bench.runtime.send({ type: 'command.invoke', name: 'hullo', args: '' });
  await bench.seen('command.refused');
  expect(bench.find('notice')[0]?.message).toBe('done it');
  expect(bench.find('warning')[0]?.message).toBe('/hello: nobody is there. Try later.');
  expect(bench.find('command.refused')[0]?.reason).toBe('there is no command /hullo');
});
