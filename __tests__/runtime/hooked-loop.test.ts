/** Hooks in a whole prompt: what is asked about is what a guard made of the call, and what it blocks never reaches a person. */

import type { ExtensionHost, HookPoint } from '../../lib/runtime/hooks.js';
import type { Tool } from '../../lib/tools/tool.js';
import { exited, fakeTarget } from '../support/fake-target.js';
import { startRuntime } from '../support/runtime-bench.js';
import { shellCall } from '../support/scripted-model.js';
import { summarisingModel } from '../support/summarising-model.js';
import { until } from '../support/until.js';

type Hooks = { readonly [P in HookPoint]?: (told: never, signal: AbortSignal) => unknown };

/** One extension called `mine` with these hooks. */
function hostOf(hooks: Hooks, disabled: string[] = []): ExtensionHost {
  const never = () => ({ dispose: () => undefined });
  const mine = {
    name: 'mine',
    points: Object.keys(hooks) as HookPoint[],
    call: async (point: HookPoint, told: unknown, signal: AbortSignal) => hooks[point]?.(told as never, signal),
    disable: (why: string) => void disabled.push(why),
  };
  return {
    hooked: () => (disabled.length === 0 ? [mine] : []),
    isReady: true,
    ready: () => Promise.resolve(),
    onEvent: never,
    onPrompt: never,
    describe: () => ({ extensions: [], conflicts: [] }),
    reload: () => Promise.resolve('Loaded anew: nothing.'),
    close: () => Promise.resolve(),
  };
}

const calls = (command: string) => [{ text: 'I run it.', calls: [shellCall('c1', command)] }, { text: 'done.' }];
const ran = () => fakeTarget(() => exited('out\n'));

test('what a guard blocks is neither asked about nor run, and the model is told why', async () => {
  const told: unknown[] = [];
  const before_tool_call = (call: never) => {
    told.push(call);
    return { block: 'not today.' };
  };
  const bench = await startRuntime(calls('sudo git -C x push'), ran(), { extensions: hostOf({ before_tool_call }) });
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('task.ended');
  expect(bench.find('approval.requested')).toEqual([]);
  expect(bench.find('tool.started')).toEqual([]);
  expect(bench.find('tool.ended')[0]).toMatchObject({
    isError: true,
    summary: 'blocked',
    text: 'Blocked by extension mine: not today. Nothing ran.',
  });
  expect(told).toEqual([
    expect.objectContaining({
      tool: 'run_shell',
      args: expect.objectContaining({ command: 'sudo git -C x push', why: 'to look' }),
      commands: expect.arrayContaining([['git', '-C', 'x', 'push']]),
    }),
  ]);
});

test('a guard is told of an edit in the words of its schema, however the model spelled it', async () => {
  const told: unknown[] = [];
  const before_tool_call = ({ args }: { args: { path?: unknown; edits?: unknown } }) => {
    told.push([args.path, args.edits]);
    return { block: 'not there.' };
  };
  const argsText = JSON.stringify({ file_path: '/etc/hosts', old_string: 'a', new_string: 'b', why: 'to see' });
  const bench = await startRuntime([{ text: '', calls: [{ id: 'c1', name: 'edit', argsText }] }, { text: 'done.' }], ran(), {
    extensions: hostOf({ before_tool_call }),
  });
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('task.ended');
  expect(told).toEqual([['/etc/hosts', [expect.objectContaining({ oldText: 'a', newText: 'b' })]]]);
});

test('what is said into a running prompt goes by the hooks of prompts as well', async () => {
  const bench = await startRuntime(
    calls('ls'),
    fakeTarget(() => {
      bench.runtime.send({ type: 'prompt.steer', text: 'my pin is 1234' });
      return exited('out\n');
    }),
    {
      policy: { kind: 'all' },
      extensions: hostOf({ before_prompt: ({ text }: { text: string }) => ({ text: text.replace('1234', '****') }) }),
    },
  );
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('task.ended');
  expect(bench.find('task.steered')).toHaveLength(1);
  expect(bench.requests[1]?.messages.at(-1)?.text).toBe('my pin is ****');
});

test('extensions that are loaded anew are told of the session that goes on', async () => {
  const told: string[] = [];
  const hooks: Hooks = {
    session_start: ({ reason }: { reason: string }) => void told.push(reason),
    session_end: () => void told.push('end'),
  };
  const bench = await startRuntime([], ran(), { extensions: hostOf(hooks) });
  await until('the session has begun', () => told.length > 0);
  bench.runtime.send({ type: 'extensions.reload' });
  await until('it has begun anew', () => told.length > 2);
  expect(told).toEqual(['start', 'end', 'reload']);
  expect(bench.find('notice')).toEqual([{ type: 'notice', message: 'Loaded anew: nothing.' }]);
});

test('changed arguments are reviewed anew: what is asked about and what runs are the changed ones, and the model is told', async () => {
  const before_tool_call = ({ args }: { args: object }) => ({ args: { ...args, command: 'git status' } });
  const bench = await startRuntime(calls('git push'), ran(), { extensions: hostOf({ before_tool_call }) });
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('approval.requested');
  expect(bench.find('approval.requested')[0]?.request.body).toBe('git status');
  expect(bench.find('tool.changed')[0]).toMatchObject({ preview: 'git status' });
  bench.answer('once');
  await bench.seen('task.ended');
  expect(bench.requests[1]?.messages.at(-1)?.text).toContain('The extension mine changed the call before it ran, to: git status');
});

test('a guard sees what another extension behind it made of the call', async () => {
  const guard = {
    before_tool_call: ({ commands }: { commands: string[][] }) =>
      commands.some((words) => words.includes('push')) ? { block: 'no push.' } : null,
  };
  const host = hostOf(guard);
  const [first] = host.hooked();
  const [changer] = hostOf({
    before_tool_call: ({ args }: { args: { command: string } }) => ({ args: { ...args, command: `git push && ${args.command}` } }),
  }).hooked();
  const both = first === undefined || changer === undefined ? [] : [first, { ...changer, name: 'changer' }];
  const bench = await startRuntime(calls('ls'), ran(), { policy: { kind: 'all' }, extensions: { ...host, hooked: () => both } });
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('task.ended');
  expect(bench.find('tool.started')).toEqual([]);
  expect(bench.find('tool.ended')[0]).toMatchObject({ text: 'Blocked by extension mine: no push. Nothing ran.' });
});

test('arguments that the tool refuses, or that are on the denylist, run nothing', async () => {
  for (const args of [{}, { command: 'rm -rf /', risk: 'low', mutation: false, privesc: false, why: 'x' }]) {
    const bench = await startRuntime(calls('ls'), ran(), {
      policy: { kind: 'all' },
      extensions: hostOf({ before_tool_call: () => ({ args }) }),
    });
    bench.runtime.send({ type: 'prompt.submit', text: 'go' });
    await bench.seen('task.ended');
    expect(bench.find('tool.started')).toEqual([]);
    expect(bench.find('tool.ended')[0]?.isError).toBe(true);
  }
});

test('what the person makes of a command in the question has to pass the guards as well', async () => {
  const before_tool_call = ({ commands, args }: { commands: string[][]; args: { command: string } }) =>
    commands.some((words) => words.includes('push')) && args.command.includes('push') ? { block: 'no.' } : null;
  const bench = await startRuntime(calls('git status'), ran(), { extensions: hostOf({ before_tool_call }) });
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('approval.requested');
  const approval = bench.find('approval.requested')[0]?.request.id ?? '';
  bench.runtime.send({ type: 'approval.answer', approval, decision: 'once', body: 'git push' });
  await bench.seen('task.ended');
  expect(bench.find('tool.started')).toEqual([]);
  expect(bench.find('tool.ended')[0]).toMatchObject({ summary: 'blocked' });
});

test('a guard that hangs: the call is blocked in its time, and Esc ends one before that', async () => {
  const disabled: string[] = [];
  let asked = 0;
  const before_tool_call = () => {
    asked++;
    return new Promise(() => undefined);
  };
  const bench = await startRuntime(calls('ls'), ran(), { policy: { kind: 'all' }, extensions: hostOf({ before_tool_call }, disabled) });
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await until('it was asked', () => asked);
  await bench.clock.advance(5000);
  await bench.seen('tool.ended');
  expect(bench.find('tool.ended')[0]?.text).toContain('its before_tool_call hook did not answer within 5 s');
  expect(bench.find('tool.started')).toEqual([]);
  expect(disabled).toEqual(['its before_tool_call hook did not answer within 5 s']);

  const other = await startRuntime(calls('ls'), ran(), { policy: { kind: 'all' }, extensions: hostOf({ before_tool_call }) });
  other.runtime.send({ type: 'prompt.submit', text: 'go' });
  await until('it was asked again', () => asked === 2);
  other.runtime.send({ type: 'task.cancel', task: '1' });
  await other.seen('task.ended');
  expect(other.find('task.ended')[0]?.outcome).toBe('cancelled');
  expect(other.find('tool.started')).toEqual([]);
});

test('the prompt, the request and the result as hooks make them', async () => {
  const bench = await startRuntime(calls('ls'), ran(), {
    policy: { kind: 'all' },
    extensions: hostOf({
      before_prompt: ({ text }: { text: string }) => ({ text: text.toUpperCase(), context: 'it is Sunday' }),
      before_request: () => ({ system: 'Be brief.' }),
      after_tool_call: () => ({ result: { kept: 'back' } }),
    }),
  });
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('task.ended');
  expect(bench.requests[0]?.messages[0]?.text).toBe('GO\n\n[extension mine] it is Sunday');
  expect(bench.requests[0]?.instructions).toMatch(/\n\nBe brief\.$/);
  expect(bench.requests[1]?.messages.at(-1)?.text).toContain('"kept":"back"');
  expect(bench.find('tool.ended')[0]).toMatchObject({ summary: expect.stringContaining('replaced by extension mine') });
});

test('a summary by an extension takes the place of one by the model, and one that wants none is heard', async () => {
  const steps = [0, 1, 2, 3].map((n) => ({ text: `step ${n}`, calls: [shellCall(`c${n}`, `echo ${n}`)] }));
  for (const [answer, outcome, words] of [
    [{ summary: 'Four echoes, says mine.' }, 'completed', 'the summary is by extension mine'],
    [{ cancel: 'keep all of it' }, 'failed', 'extension mine wants no summary: keep all of it'],
  ] as const) {
    const model = summarisingModel([...steps, { text: 'All seen.' }, { text: 'Next.' }], []);
    const bench = await startRuntime(
      [],
      fakeTarget(() => exited('x'.repeat(3000))),
      { policy: { kind: 'all' }, openModel: () => Promise.resolve(model.provider), extensions: hostOf({ compaction: () => answer }) },
    );
    bench.runtime.send({ type: 'prompt.submit', text: 'look around' });
    await bench.seen('task.ended');
    bench.runtime.send({ type: 'session.compact', wishes: '' });
    await bench.seen('task.ended', 2);
    expect(model.summaryRequests).toEqual([]);
    expect(bench.find('task.ended')[1]?.outcome).toBe(outcome);
    expect(JSON.stringify(bench.events)).toContain(words);
    bench.runtime.send({ type: 'prompt.submit', text: 'and now?' });
    await bench.seen('task.ended', 3);
    expect(model.requests.at(-1)?.messages[0]?.text.includes('says mine')).toBe(outcome === 'completed');
  }
});

test('a result that is nested too deep to be written down is told as such, and the prompt goes on', async () => {
  const deep = Array.from({ length: 9000 }).reduce((inside: unknown) => [inside], 1);
  const tool: Tool = {
    ...{ name: 'deep', aliases: [], description: 'x', parameters: { type: 'object' }, needsTmux: false, parallel: true },
    parse: () => ({}),
    preview: () => '',
    review: () => ({ kind: 'allow' }),
    run: () => Promise.resolve({ result: deep, isError: false, text: 'deep', summary: '', exitCode: null }),
  };
  const bench = await startRuntime([{ text: '', calls: [{ id: 'c1', name: 'deep', argsText: '{}' }] }, { text: 'done.' }], ran(), {
    tools: [tool],
  });
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('task.ended');
  expect(bench.find('task.ended')).toMatchObject([{ outcome: 'completed' }]);
  expect(bench.find('tool.ended')).toMatchObject([{ isError: true, text: expect.stringContaining('cannot be written down') }]);
});
