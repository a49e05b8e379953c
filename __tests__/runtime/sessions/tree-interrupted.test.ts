/** A call that was interrupted, by a person or with the whole program, is in the tree, and one can go on behind it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import type { RunOutcome } from '../../../lib/targets/target.js';
import { exited, fakeTarget, outputOf } from '../../support/fake-target.js';
import { unsound } from '../../support/messages.js';
import { startRuntime } from '../../support/runtime-bench.js';
import { type ScriptedAnswer, shellCall } from '../../support/scripted-model.js';
import { freshPlace } from '../../support/session-place.js';

const place = freshPlace();
let count = 0;

/** Commands that begin with `sleep` run until they are cancelled. */
async function begin(answers: readonly ScriptedAnswer[]) {
  const target = fakeTarget(({ command }, { signal }) =>
    command.startsWith('sleep')
      ? new Promise<RunOutcome>((resolve) =>
          signal.addEventListener('abort', () => resolve({ kind: 'cancelled', output: outputOf(''), elapsedMs: 5, stopped: true }), {
            once: true,
          }),
        )
      : exited('ok'),
  );
  const bench = await startRuntime(answers, target, { policy: { kind: 'all' }, sessions: place, newSessionId: () => `i${++count}` });
  return {
    ...bench,
    session: bench.find('lifecycle.started')[0]?.session ?? '',
    async tree() {
      const known = bench.find('tree.told').length;
      bench.runtime.send({ type: 'tree.tell' });
      await bench.seen('tree.told', known + 1);
      return bench.find('tree.told').at(-1)?.entries ?? [];
    },
    async leave() {
      bench.runtime.send({ type: 'runtime.shutdown' });
      await bench.runtime.closed;
    },
  };
}

/** What a program leaves that is killed while the last call runs, taken up again by another one. */
async function afterKill(answer: ScriptedAnswer, started: number) {
  const dying = await begin([answer]);
  dying.runtime.send({ type: 'prompt.submit', text: 'go' });
  await dying.seen('tool.started', started);
  const left = readFileSync(sessionPath(place, dying.session), 'utf8');
  await dying.leave();
  writeFileSync(sessionPath(place, dying.session), left);
  const next = await begin([{ text: 'Fine.' }, { text: 'Again.' }]);
  next.runtime.send({ type: 'session.resume', session: dying.session });
  await next.seen('session.resumed');
  return next;
}

const shown = (entries: Awaited<ReturnType<Awaited<ReturnType<typeof begin>>['tree']>>) =>
  entries.map(({ kind, text, calls }) => [kind, text, ...calls]);

test('killed during a call without a word before it', async () => {
  const next = await afterKill({ text: '', calls: [shellCall('c1', 'sleep 100')] }, 1);
  const call = 'run_shell sleep 100 · not ended';
  expect(shown(await next.tree())).toEqual([
    ['prompt', 'go'],
    ['calls', call, call],
  ]);
  next.runtime.send({ type: 'prompt.submit', text: 'go on' });
  await next.seen('task.ended');
  expect(shown(await next.tree()).map(([kind]) => kind)).toEqual(['prompt', 'calls', 'prompt', 'answer']);
  // Back to behind it: the model is told that it was interrupted.
  const id = (await next.tree())[1]?.id ?? '';
  next.runtime.send({ type: 'tree.go', entry: id });
  await next.seen('session.branched');
  next.runtime.send({ type: 'prompt.submit', text: 'another way' });
  await next.seen('task.ended', 2);
  const messages = next.requests.at(-1)?.messages ?? [];
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(unsound(messages)).toBeNull();
  await next.leave();
});

test('killed during the second of two calls, and behind words', async () => {
  const two = await afterKill({ text: '', calls: [shellCall('c1', 'df'), shellCall('c2', 'sleep 100')] }, 2);
  expect(shown(await two.tree()).at(-1)).toEqual([
    'calls',
    'run_shell df · exit 0 · 0.0 s · 1 line',
    'run_shell df · exit 0 · 0.0 s · 1 line',
    'run_shell sleep 100 · not ended',
  ]);
  await two.leave();
  const said = await afterKill({ text: 'I wait.', calls: [shellCall('c1', 'sleep 100')] }, 1);
  expect(shown(await said.tree()).at(-1)).toEqual(['answer', 'I wait. ▶ run_shell sleep 100 · not ended']);
  await said.leave();
});

test('cancelled by a person', async () => {
  const bench = await begin([{ text: '', calls: [shellCall('c1', 'sleep 100')] }]);
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('tool.started');
  bench.runtime.send({ type: 'task.cancel', task: bench.find('task.started')[0]?.task ?? '' });
  await bench.seen('task.ended');
  expect(shown(await bench.tree()).at(-1)?.[1]).toMatch(/^run_shell sleep 100 · /);
  await bench.leave();
});

test('one that still runs is there as well', async () => {
  const bench = await begin([{ text: '', calls: [shellCall('c1', 'sleep 100')] }]);
  bench.runtime.send({ type: 'prompt.submit', text: 'go' });
  await bench.seen('tool.started');
  expect(shown(await bench.tree()).at(-1)?.[0]).toBe('calls');
  await bench.leave();
});
