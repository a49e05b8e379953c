/** A conversation that was compacted comes back as the model was shown it last, and the person sees all of it. */

import { exited, fakeTarget } from '../../support/fake-target.js';
import { startRuntime } from '../../support/runtime-bench.js';
import { scriptedSummary, shellCall } from '../../support/scripted-model.js';
import { freshPlace } from '../../support/session-place.js';
import { summarisingModel } from '../../support/summarising-model.js';

const place = freshPlace();
const small = { ...scriptedSummary, contextTokens: 9000 };
const calls = Array.from({ length: 6 }, (_, n) => ({ calls: [shellCall(`c${n}`, `echo ${n}`)] }));

async function begin(answers: Parameters<typeof summarisingModel>[0], session: string) {
  const model = summarisingModel(answers, [{ text: '## Done\nSome echoes.' }], small);
  const made = await startRuntime(
    [],
    fakeTarget(() => exited('x'.repeat(6000))),
    {
      policy: { kind: 'all' },
      profiles: [small],
      openModel: () => Promise.resolve(model.provider),
      sessions: place,
      newSessionId: () => session,
    },
  );
  const leave = async () => {
    made.runtime.send({ type: 'runtime.shutdown' });
    await made.runtime.closed;
  };
  return { ...made, ...model, leave };
}

test('the recap and what follows it, not what it stands for; and not compacted once more', async () => {
  const first = await begin(calls, 'first');
  first.runtime.send({ type: 'prompt.submit', text: 'look around, but do not touch /srv' });
  await first.seen('task.ended', 2);
  const before = first.requests.at(-1)?.messages.slice(0, -1) ?? [];
  expect(before[0]).toMatchObject({ recap: { summary: '## Done\nSome echoes.' } });
  await first.leave();
  const second = await begin([{ text: 'Fine.' }], 'second');
  second.runtime.send({ type: 'session.resume', session: 'first' });
  await second.seen('session.resumed');
  const past = second.find('session.resumed')[0]?.past.map(({ event }) => event.type) ?? [];
  expect(past.filter((type) => type === 'tool.ended')).toHaveLength(6);
  expect(past.filter((type) => type === 'context.compacted')).toHaveLength(1);
  second.runtime.send({ type: 'prompt.submit', text: 'and now?' });
  await second.seen('task.ended');
  const now = second.requests[0]?.messages ?? [];
  expect(now.slice(0, before.length)).toEqual(before);
  expect(now.map(({ text }) => text)).toContain('and now?');
  expect(second.summaryRequests).toEqual([]);
  await second.leave();
});
