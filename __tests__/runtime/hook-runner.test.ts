/** Hooks within their time: what fails is disabled, a guard that fails keeps its call from running, and Esc reaches all of them. */

import { abortError, BuddyError } from '../../lib/base/errors.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { HookRunner } from '../../lib/runtime/hook-runner.js';
import type { ExtensionHost, Hooked, HookPoint } from '../../lib/runtime/hooks.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';

interface Played {
  readonly name: string;
  readonly hooks: { readonly [P in HookPoint]?: (told: never, signal: AbortSignal) => unknown };
}

function play(...played: readonly Played[]) {
  const clock = new FakeClock();
  const disabled: string[] = [];
  const events: RuntimeEvent[] = [];
  const gone = new Set<string>();
  const hooked = played.map(
    ({ name, hooks }): Hooked => ({
      name,
      points: Object.keys(hooks) as HookPoint[],
      call: async (point, told, signal) => hooks[point]?.(told as never, signal),
      disable(why) {
        gone.add(name);
        disabled.push(`${name}: ${why}`);
      },
    }),
  );
  const host = { hooked: () => hooked.filter(({ name }) => !gone.has(name)), ready: () => Promise.resolve() } as Partial<ExtensionHost>;
  const runner = new HookRunner({
    ...{ clock, timeoutMs: 5000, host: host as ExtensionHost },
    emit: (event) => events.push(event),
    prompt: () => undefined,
  });
  return { clock, disabled, events, runner, signal: new AbortController().signal };
}

const call = { tool: 'run_shell', args: { command: 'ls' }, commands: [['ls']], doubts: [] };
const never = () => new Promise(() => undefined);

test('a guard blocks with its reason, and those behind it are not asked', async () => {
  const asked: string[] = [];
  const { runner, signal } = play(
    { name: 'one', hooks: { before_tool_call: () => ({ block: 'not today' }) } },
    { name: 'two', hooks: { before_tool_call: () => void asked.push('two') } },
  );
  expect(await runner.beforeCall(call, signal)).toEqual({ kind: 'blocked', by: 'one', reason: 'not today' });
  expect(asked).toEqual([]);
});

test('a change is answered at once; those that had theirs are asked for a no only', async () => {
  const { runner, signal } = play(
    { name: 'one', hooks: { before_tool_call: () => ({ args: { command: 'pwd' } }) } },
    { name: 'two', hooks: { before_tool_call: ({ args }: { args: unknown }) => ({ args: { was: args } }) } },
  );
  const first = await runner.beforeCall(call, signal);
  expect(first).toEqual({ kind: 'changed', by: 'one', args: { command: 'pwd' } });
  const changed = { ...call, args: { command: 'pwd' } };
  expect(await runner.beforeCall(changed, signal, new Set(['one']))).toEqual({
    kind: 'changed',
    by: 'two',
    args: { was: { command: 'pwd' } },
  });
  expect(await runner.beforeCall(changed, signal, new Set(['one', 'two']))).toEqual({ kind: 'same' });
});

test('a guard that hangs blocks its call and is disabled; the next call goes by without it', async () => {
  const { runner, signal, clock, disabled } = play({ name: 'slow', hooks: { before_tool_call: never } });
  const verdict = runner.beforeCall(call, signal);
  await clock.advance(5000);
  expect(await verdict).toEqual({
    kind: 'blocked',
    by: 'slow',
    reason: 'the guard of extension slow failed: its before_tool_call hook did not answer within 5 s',
  });
  expect(disabled).toEqual(['slow: its before_tool_call hook did not answer within 5 s']);
  expect(await runner.beforeCall(call, signal)).toEqual({ kind: 'same' });
});

test.each([
  ['throws', () => Promise.reject(new Error('no luck')), 'no luck'],
  ['answers nonsense', () => 'yes', 'its before_tool_call hook answered with something else than an object'],
  ['blocks with a number', () => ({ block: 1 }), 'its before_tool_call hook answered with "block" that is not a text'],
])('a guard that %s fails closed', async (_, hook, words) => {
  const { runner, signal, disabled } = play({ name: 'bad', hooks: { before_tool_call: hook } });
  expect(await runner.beforeCall(call, signal)).toMatchObject({ kind: 'blocked', by: 'bad' });
  expect(disabled).toEqual([`bad: ${words}`]);
});

test('a text that says nothing takes the place of none: prompt, message, summary', async () => {
  const { runner, signal, disabled } = play(
    { name: 'one', hooks: { before_prompt: () => ({ text: ' ' }) } },
    { name: 'two', hooks: { context: () => ({ replace: [{ index: 0, text: '' }] }) } },
    { name: 'three', hooks: { compaction: () => ({ summary: '\n' }) } },
  );
  expect(await runner.prompt('hello', signal)).toBe('hello');
  const request = { instructions: 'You help.', messages: [{ role: 'user', text: 'hi' } as const], tools: [], session: 's' };
  expect(await runner.request(request, signal)).toBe(request);
  expect(await runner.compaction(() => ({ messages: 1, text: 'hi' }), signal)).toBeNull();
  expect(disabled).toEqual([
    'one: its before_prompt hook answered with a text that says nothing',
    'two: its context hook answered with a text that says nothing',
    'three: its compaction hook answered with a text that says nothing',
  ]);
});

test('a call that is too large for a guard is blocked each time, and the guard stays', async () => {
  const size = () => Promise.reject(new BuddyError('extension.size', 'there is too much in it for an extension'));
  const { runner, signal, disabled } = play({ name: 'guard', hooks: { before_tool_call: size } });
  for (const _ of [1, 2])
    expect(await runner.beforeCall(call, signal)).toEqual({
      ...{ kind: 'blocked', by: 'guard' },
      reason: 'the guard of extension guard failed: there is too much in it for an extension',
    });
  expect(disabled).toEqual([]);
});

test('any other hook that fails is disabled, and what it was asked about goes on', async () => {
  const { runner, signal, disabled, events } = play(
    { name: 'bad', hooks: { before_prompt: () => Promise.reject(new Error('no luck')) } },
    { name: 'good', hooks: { before_prompt: ({ text }: { text: string }) => ({ text: `${text}!`, context: 'it is Sunday' }) } },
  );
  expect(await runner.prompt('hello', signal)).toBe('hello!\n\n[extension good] it is Sunday');
  expect(disabled).toEqual(['bad: no luck']);
  expect(events).toEqual([{ type: 'notice', message: 'extension good changed the prompt to: hello!' }]);
});

test('Esc reaches a hook that hangs: it is cancelled, nobody is disabled, and it hears of it', async () => {
  let heard: AbortSignal | null = null;
  const { runner, disabled } = play({
    name: 'slow',
    hooks: {
      before_tool_call: (_told, signal) => {
        heard = signal;
        return never();
      },
    },
  });
  const abort = new AbortController();
  const verdict = runner.beforeCall(call, abort.signal);
  await until('it was asked', () => heard);
  abort.abort();
  await expect(verdict).rejects.toThrow(abortError().message);
  expect((heard as AbortSignal | null)?.aborted).toBe(true);
  expect(disabled).toEqual([]);
});

test('texts of a request can be replaced, what the model said cannot, and the system prompt can be added to', async () => {
  const { runner, signal } = play({
    name: 'one',
    hooks: {
      context: () => ({ replace: [0, 1, 7].map((index) => ({ index, text: 'other' })) }),
      before_request: () => ({ system: 'Be brief.' }),
    },
  });
  const said = { role: 'assistant', text: 'mine', reasoning: '', calls: [], extras: {}, incomplete: false } as const;
  const request = { instructions: 'You help.', messages: [{ role: 'user', text: 'hi' } as const, said], tools: [], session: 's' };
  expect(await runner.request(request, signal)).toEqual({
    ...request,
    instructions: 'You help.\n\nBe brief.',
    messages: [{ role: 'user', text: 'other' }, said],
  });
  expect(request.messages[0]).toEqual({ role: 'user', text: 'hi' });
});

test('a request that nobody changes is the very same', async () => {
  const { runner, signal } = play({ name: 'one', hooks: { context: () => null, before_request: () => null } });
  const request = { instructions: 'You help.', messages: [], tools: [], session: 's' };
  expect(await runner.request(request, signal)).toBe(request);
});

test('a result is replaced by the last one that has another', async () => {
  const { runner, signal } = play(
    { name: 'one', hooks: { after_tool_call: () => ({ result: 1 }) } },
    { name: 'two', hooks: { after_tool_call: ({ result }: { result: number }) => ({ result: result + 1, isError: true }) } },
    { name: 'three', hooks: { after_tool_call: () => null } },
  );
  expect(await runner.afterCall({ ...call, result: 0, isError: false }, signal)).toEqual({ by: 'two', result: 2, isError: true });
});

test('sessions begin and end for hooks, the end within its time', async () => {
  const heard: string[] = [];
  const { runner, clock } = play({
    name: 'one',
    hooks: {
      session_start: ({ session, reason }: { session: string; reason: string }) => void heard.push(`${reason} ${session}`),
      session_end: ({ session }: { session: string }) => {
        heard.push(`end ${session}`);
        return session === 'b' ? never() : null;
      },
    },
  });
  runner.hear({ type: 'session.started', session: 'a' });
  await until('the first began', () => heard.length === 1);
  runner.hear({ type: 'session.started', session: 'b' });
  await until('the second began', () => heard.length === 3);
  const ended = runner.end();
  await until('the end was told', () => heard.length === 4);
  await clock.advance(5000);
  await ended;
  expect(heard).toEqual(['new a', 'end a', 'new b', 'end b']);
});
