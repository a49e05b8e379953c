/** A prompt is in the file as soon as it is on the screen, however long it takes until the model is told of it. */

import { readFileSync } from 'node:fs';
import type { ExtensionHost } from '../../../lib/runtime/hooks.js';
import { sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { fakeTarget } from '../../support/fake-target.js';
import { startRuntime } from '../../support/runtime-bench.js';
import { freshPlace } from '../../support/session-place.js';
import { until } from '../../support/until.js';

const place = freshPlace();
let count = 0;
const never = () => ({ dispose: () => undefined });

/** One extension whose hook before a prompt does that. */
function extensionsWith(hook: (signal: AbortSignal) => Promise<unknown>): ExtensionHost {
  const mine = {
    name: 'mine',
    points: ['before_prompt'] as const,
    call: (_point: unknown, _told: unknown, signal: AbortSignal) => hook(signal),
    disable: () => undefined,
  };
  return {
    ...{ hooked: () => [mine], isReady: true, ready: () => Promise.resolve(), onEvent: never, onPrompt: never },
    ...{ describe: () => ({ extensions: [], conflicts: [] }), reload: () => Promise.resolve(''), close: () => Promise.resolve() },
  };
}

const begin = (more: Parameters<typeof startRuntime>[2]) =>
  startRuntime([{ text: 'Yes.' }, { text: 'Yes.' }], fakeTarget(), { sessions: place, newSessionId: () => `s${++count}`, ...more });
const recordsOf = (session: string) =>
  readFileSync(sessionPath(place, session), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly type: string; readonly text?: string; readonly as?: string });

test('killed while a hook thinks about it: the prompt is there when the session goes on, once', async () => {
  const first = await begin({ extensions: extensionsWith(() => new Promise(() => undefined)) });
  first.runtime.send({ type: 'prompt.submit', text: 'how full is the disk?' });
  await first.seen('task.started');
  expect(recordsOf('s1').at(-1)).toMatchObject({ type: 'said', text: 'how full is the disk?' });

  // The first one was never told to end: as a program that is killed. What it holds goes on as a copy.
  const second = await begin({});
  second.runtime.send({ type: 'session.resume', session: 's1' });
  await second.seen('session.resumed');
  const past = second.find('session.resumed')[0]?.past.map(({ event }) => event);
  expect(past).toEqual([
    expect.objectContaining({ type: 'task.started', kind: 'prompt', text: 'how full is the disk?' }),
    expect.objectContaining({ type: 'warning', message: expect.stringContaining('before this was answered to the end') }),
  ]);
  second.runtime.send({ type: 'prompt.submit', text: 'and now?' });
  await second.seen('task.ended');
  const told = second.requests.at(-1)?.messages.map(({ role, text }) => `${role} ${text}`);
  expect(told).toEqual(['user how full is the disk?', 'user and now?']);

  const third = await begin({});
  third.runtime.send({ type: 'session.resume', session: second.find('session.resumed')[0]?.session ?? '' });
  await third.seen('session.resumed');
  const prompts = third.find('session.resumed')[0]?.past.flatMap(({ event }) => (event.type === 'task.started' ? event.text : []));
  expect(prompts).toEqual(['how full is the disk?', 'and now?']);
});

test('a hook that makes another text of it: that is what is kept, and it is one prompt', async () => {
  const bench = await begin({ extensions: extensionsWith(() => Promise.resolve({ text: 'how full are the disks?' })) });
  bench.runtime.send({ type: 'prompt.submit', text: 'how full is the disk?' });
  await bench.seen('task.ended');
  const later = await begin({});
  later.runtime.send({ type: 'session.resume', session: bench.find('lifecycle.started')[0]?.session ?? '' });
  await later.seen('session.resumed');
  const past = later.find('session.resumed')[0]?.past.flatMap(({ event }) => (event.type === 'task.started' ? event.text : []));
  expect(past).toEqual(['how full are the disks?']);
});

test('interrupted while a hook thinks about it, it stays in the conversation as it was written', async () => {
  const waits = (signal: AbortSignal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  const bench = await begin({ extensions: extensionsWith(waits) });
  bench.runtime.send({ type: 'prompt.submit', text: 'how full is the disk?' });
  await bench.seen('task.started');
  bench.runtime.send({ type: 'task.cancel', task: '1' });
  await bench.seen('task.ended');
  expect(bench.find('task.ended')[0]?.outcome).toBe('cancelled');
  const session = bench.find('lifecycle.started')[0]?.session ?? '';
  await until('it is written', () => recordsOf(session).some(({ type }) => type === 'message'));
  expect(recordsOf(session).find(({ type }) => type === 'message')).toMatchObject({
    as: 'prompt',
    message: { text: 'how full is the disk?' },
  });
});
