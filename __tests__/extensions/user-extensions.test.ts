/** Extensions of the person's own as a whole, in real threads: which one has a name, and what beginning anew leaves behind. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/base/clock.js';
import { Registry } from '../../lib/extensions/registry.js';
import type { FoundExtension } from '../../lib/extensions/user/user-extension.js';
import { UserExtensions } from '../../lib/extensions/user/user-extensions.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'buddy-extensions-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { signal } = new AbortController();

/** Modules by the name of their file, in that order. */
function extensionsOf(
  modules: Readonly<Record<string, string>>,
  find?: (all: readonly FoundExtension[]) => Promise<readonly FoundExtension[]>,
) {
  const all = Object.entries(modules).map(([name, source]): FoundExtension => {
    const path = join(folder, name);
    writeFileSync(path, source);
    return { label: name.replace(/\.mjs$/, ''), from: name, path };
  });
  const registry = new Registry([]);
  const events: RuntimeEvent[] = [];
  const extensions = new UserExtensions({
    ...{ clock: systemClock, registry, cwd: folder, env: () => ({}), log: () => undefined, profiles: [], doubts: () => [] },
    script: join(process.cwd(), 'dist', 'bundle', 'extensions', 'user', 'thread.js'),
    api: join(process.cwd(), 'dist', 'bundle', 'extension.js'),
    openServer: () => Promise.reject(new Error('there is no server here')),
    find: () => (find === undefined ? Promise.resolve(all) : find(all)),
  });
  extensions.onEvent((event) => events.push(event));
  const warnings = () => events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  return { registry, extensions, warnings, events };
}

const slow = 'await new Promise((resolve) => setTimeout(resolve, 400));';

test('of two with a name the first counts, however long it takes to load', async () => {
  const { extensions, registry, warnings } = extensionsOf({
    'a.mjs': `${slow} export default { name: "guard", commands: [{ name: "mine", says: "it", run: () => "mine" }] };`,
    'b.mjs': 'export default { name: "guard", commands: [{ name: "theirs", says: "it", run: () => "theirs" }] };',
    // What one is called until it has said so is nobody's name.
    'c.mjs': 'export default { name: "d" };',
    'd.mjs': 'export default { name: "e" };',
  });
  await extensions.ready(signal);
  expect(warnings()).toEqual(['Extension b (b.mjs) is disabled: there is an extension guard already: a.mjs']);
  expect(registry.offered.list().map(({ name }) => name)).toEqual(['mine']);
  await extensions.close();
});

test('two that begin anew at once leave one of each, and whoever asks meanwhile waits for it', async () => {
  const { extensions, registry, warnings } = extensionsOf({
    'a.mjs': 'export default { name: "guard", hooks: { before_tool_call: () => ({ block: "no" }) } };',
  });
  await extensions.ready(signal);
  const both = Promise.all([extensions.reload(signal), extensions.reload(signal)]);
  expect(extensions.isReady).toBe(false);
  await extensions.ready(signal);
  expect(extensions.hooked().map(({ points }) => points)).toEqual([['before_tool_call']]);
  await both;
  expect(extensions.isReady).toBe(true);
  expect(registry.extensions).toHaveLength(1);
  expect(warnings()).toEqual([]);
  await extensions.close();
  expect(registry.extensions).toEqual([]);
});

test('nothing is started once it is closed', async () => {
  let go: () => void = () => undefined;
  const waits = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { extensions, registry } = extensionsOf({ 'a.mjs': 'export default { name: "late" };' }, (all) => waits.then(() => all));
  const ready = extensions.ready(signal);
  await extensions.close();
  go();
  await ready;
  expect(registry.extensions).toEqual([]);
});

test('functions of an extension have their object as this', async () => {
  const { extensions, registry } = extensionsOf({
    'a.mjs': `export default { name: "a",
      tools: [{ name: "t", description: "d", parameters: { type: "object" }, says: "tool", run() { return this.says; } }],
      commands: [{ name: "c", says: "command", run() { return this.says; } }],
      hooks: { why: undefined, count: undefined, before_prompt() { return { context: typeof this.before_prompt }; } } };`,
  });
  await extensions.ready(signal);
  expect(await registry.offered.invoke('c', '', signal)).toEqual({ kind: 'done', says: 'command' });
  expect(await extensions.hooked()[0]?.call('before_prompt', { text: '' }, signal)).toEqual({ context: 'function' });
  const [tool] = registry.tools.list();
  const context = { signal, report: () => undefined } as unknown as Parameters<NonNullable<typeof tool>['run']>[1];
  expect(await tool?.run({}, context)).toMatchObject({ result: 'tool' });
  await extensions.close();
});

test('that a guard is gone is told', async () => {
  const { extensions, warnings } = extensionsOf({ 'a.mjs': 'export default { name: "a", hooks: { before_tool_call: () => null } };' });
  await extensions.ready(signal);
  extensions.hooked()[0]?.disable('no luck');
  expect(warnings()).toEqual(['Extension a (a.mjs) is disabled: no luck. It guards tool calls no longer; /reload starts it anew']);
  await extensions.close();
});

test('an answer that is nested too deep is a fault of that call', async () => {
  const { extensions, registry, warnings } = extensionsOf({
    'a.mjs': `export default { name: "a", tools: [{ name: "t", description: "d", parameters: { type: "object" }, run() {
      let result = 1;
      for (let at = 0; at < 6000; at++) result = [result];
      return { result, text: "deep" };
    } }] };`,
  });
  await extensions.ready(signal);
  const [tool] = registry.tools.list();
  const context = { signal, report: () => undefined } as unknown as Parameters<NonNullable<typeof tool>['run']>[1];
  await expect(tool?.run({}, context)).rejects.toThrow('it answered with something that is nested too deep');
  expect(warnings()).toEqual([]);
  await extensions.close();
});

test.each([
  ['hooks: { before_tool_call: "git push" }', 'hook before_tool_call must be a function'],
  ['hooks: new (class { before_tool_call() {} })()', '"hooks" must be a plain object of functions'],
  ['hooks: [() => null]', '"hooks" must be a plain object of functions'],
  ['tools: [null]', 'each entry of "tools" must be an object'],
  [
    'hooks: { session_start: (_, { notify }) => { for (let i = 0; i < 500; i++) notify("again"); } }',
    'it told more than 100 notices in a second',
  ],
  [
    'hooks: { session_start: (_, { setWidget }) => { for (let i = 0; i < 500; i++) setWidget("w" + i, { title: "t", lines: [] }); } }',
    'it shows more than 64 widgets at a time',
  ],
])('%s is told, and it is disabled', async (part, why) => {
  const { extensions, warnings } = extensionsOf({ 'a.mjs': `export default { name: "a", ${part} };` });
  await extensions.ready(signal);
  await extensions
    .hooked()[0]
    ?.call('session_start', { session: 's', reason: 'start' }, signal)
    .catch(() => undefined);
  expect(warnings()).toEqual([expect.stringMatching(/^Extension a \(a\.mjs\) is disabled: /)]);
  expect(warnings()[0]).toContain(why);
  await extensions.close();
});
