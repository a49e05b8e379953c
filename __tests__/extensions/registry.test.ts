/** Extensions as one: who has a name first has it. */

import { Emitter } from '../../lib/base/emitter.js';
import type { Extension } from '../../lib/extensions/extension.js';
import { Registry } from '../../lib/extensions/registry.js';
import type { OfferedCommand } from '../../lib/protocol/offered.js';
import { time } from '../../lib/tools/time.js';
import type { Tool } from '../../lib/tools/tool.js';

const signal = new AbortController().signal;
const toolNamed = (name: string, aliases: readonly string[] = []): Tool => ({ ...time, name, aliases });
const bringing = (name: string, ...tools: readonly Tool[]): Extension => ({ name, from: `/x/${name}`, tools: { list: () => tools } });

function offering(name: string, ...names: readonly string[]) {
  const changed = new Emitter<void>();
  const commands: OfferedCommand[] = names.map((of) => ({ name: of, kind: 'extension', args: '', says: '', from: name }));
  const extension: Extension = {
    name,
    from: `/x/${name}`,
    commands: {
      list: () => commands,
      onChange: changed.event,
      invoke: (of, args) => Promise.resolve({ kind: 'prompt', text: `${name}:${of}:${args}` }),
    },
  };
  return { extension, commands, changed };
}

test('tools are listed in the order of their extensions; a name or another spelling that is taken is left out and told', () => {
  const registry = new Registry([
    bringing('a', toolNamed('one', ['uno'])),
    bringing('b', toolNamed('two'), toolNamed('uno'), toolNamed('one')),
  ]);
  expect(registry.tools.list().map(({ name }) => name)).toEqual(['one', 'two']);
  expect(registry.conflicts()).toEqual([
    { kind: 'tool', name: 'uno', from: '/x/b', first: '/x/a' },
    { kind: 'tool', name: 'one', from: '/x/b', first: '/x/a' },
  ]);
});

test('a command goes to whoever had its name first', async () => {
  const [first, second] = [offering('a', 'same'), offering('b', 'same', 'own')];
  const registry = new Registry([first.extension, second.extension]);
  expect(registry.offered.list().map(({ name, from }) => `${name} ${from}`)).toEqual(['same a', 'own b']);
  await expect(registry.offered.invoke('same', 'x', signal)).resolves.toEqual({ kind: 'prompt', text: 'a:same:x' });
  await expect(registry.offered.invoke('own', '', signal)).resolves.toEqual({ kind: 'prompt', text: 'b:own:' });
  await expect(registry.offered.invoke('none', '', signal)).rejects.toThrow('it is not there any more');
});

test('what changes in one extension is told by all of them, also of one that came later', () => {
  const registry = new Registry([]);
  let told = 0;
  registry.offered.onChange(() => void told++);
  const late = offering('late', 'one');
  registry.add(late.extension);
  late.commands.pop();
  late.changed.fire();
  expect(told).toBe(2);
  expect(registry.offered.list()).toEqual([]);
});

test('the start of a prompt waits for all of them', async () => {
  const ready: string[] = [];
  const slow = (name: string): Extension => ({
    name,
    from: name,
    tools: { list: () => [], ready: () => Promise.resolve().then(() => void ready.push(name)) },
  });
  await new Registry([slow('a'), slow('b')]).tools.ready?.(signal);
  expect(ready).toEqual(['a', 'b']);
});
