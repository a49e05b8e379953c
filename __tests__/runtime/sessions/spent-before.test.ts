/** The limits of a session count what earlier runs of it have used, in the header as well. */

import { readFileSync, writeFileSync } from 'node:fs';
import { sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { emptyUsage, usageAfter } from '../../../lib/view/usage.js';
import { exited, fakeTarget } from '../../support/fake-target.js';
import { startRuntime } from '../../support/runtime-bench.js';
import { type ScriptedAnswer, shellCall } from '../../support/scripted-model.js';
import { freshPlace } from '../../support/session-place.js';

const place = freshPlace();
const usage = { inputTokens: 1000, outputTokens: 100, cachedTokens: null, reasoningTokens: null };
let count = 0;

async function begin(answers: readonly ScriptedAnswer[]) {
  const target = fakeTarget(() => exited('done'));
  const bench = await startRuntime(answers, target, { policy: { kind: 'all' }, sessions: place, newSessionId: () => `b${++count}` });
  return {
    ...bench,
    session: () => bench.find('lifecycle.started')[0]?.session ?? '',
    async ask(ended: number) {
      bench.runtime.send({ type: 'prompt.submit', text: 'go' });
      await bench.seen('task.ended', ended);
    },
    async resume(session: string) {
      bench.runtime.send({ type: 'session.resume', session });
      await bench.seen('metrics.context');
    },
    async leave() {
      bench.runtime.send({ type: 'runtime.shutdown' });
      await bench.runtime.closed;
    },
    /** Tokens that count against the limit of the session. */
    async used() {
      const before = bench.find('limits.told').length;
      bench.runtime.send({ type: 'limits.tell' });
      await bench.seen('limits.told', before + 1);
      return bench
        .find('limits.told')
        .at(-1)
        ?.limits.find(({ limit }) => limit === 'tokens')?.used;
    },
  };
}

test('resumed, the tokens of earlier runs count, and the limit stops the next request', async () => {
  const first = await begin([
    { text: 'I look.', calls: [shellCall('c1', 'ls')], usage },
    { text: 'One.', usage },
  ]);
  await first.ask(1);
  expect(await first.used()).toBe(2200);
  await first.leave();

  const second = await begin([
    { text: 'Two.', usage },
    { text: 'Three.', usage },
  ]);
  await second.resume(first.session());
  expect(await second.used()).toBe(2200);
  const [resumed] = second.find('session.resumed');
  if (resumed === undefined) throw new Error('not resumed');
  expect(usageAfter(emptyUsage, null, [], resumed, 0).session).toMatchObject({ requests: 2, inputTokens: 2000, outputTokens: 200 });
  await second.ask(1);
  expect(await second.used()).toBe(3300);
  second.runtime.send({ type: 'limits.set', limit: 'tokens', value: 3300 });
  await second.ask(2);
  expect(second.find('task.ended').at(-1)?.error?.code).toBe('limit.tokens');
  // A copy goes on with what was used, a new session with nothing.
  second.runtime.send({ type: 'session.fork' });
  await second.seen('session.resumed', 2);
  expect(await second.used()).toBe(3300);
  second.runtime.send({ type: 'session.new' });
  await second.seen('session.started');
  expect(await second.used()).toBe(0);
  await second.leave();

  const third = await begin([]);
  await third.resume(first.session());
  expect(await third.used()).toBe(3300);
  await third.leave();
});

test('after a crash in the middle of a prompt the answers that came count', async () => {
  const dying = await begin([
    { text: 'I look.', calls: [shellCall('c1', 'ls')], usage },
    { text: 'It is', hangs: true },
  ]);
  dying.runtime.send({ type: 'prompt.submit', text: 'go' });
  await dying.seen('model.text', 2);
  const left = readFileSync(sessionPath(place, dying.session()), 'utf8');
  await dying.leave();
  writeFileSync(sessionPath(place, dying.session()), left);
  const next = await begin([]);
  await next.resume(dying.session());
  expect(await next.used()).toBe(1100);
  await next.leave();
});
