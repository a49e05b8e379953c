/** Esc at every single event of a prompt, while the model speaks, asks, runs and reads: the next prompt is one that real servers take. */

import { settle } from '../../support/fake-clock.js';
import { eventCount, type StrictRequest, startStrictServer } from '../../support/strict/server.js';
import { oneOfEach, type ServedModel, startSession } from '../../support/strict/session.js';
import { work, workshop } from '../../support/strict/work.js';
import { until } from '../../support/until.js';

/** What a session says and does when Esc comes with its n-th event after the prompt (never when null), and what is sent then. */
async function interrupted(model: ServedModel, at: number | null) {
  let first = true;
  let answers = 0;
  const server = await startStrictServer({
    reply: () => ({ says: first ? (work[answers++] ?? {}) : { text: ['I go on.'] } }),
  });
  const fake = workshop();
  const session = await startSession(server, [model], fake);
  const before = session.events.length;
  let shown = '';
  session.runtime.onEvent(({ event }) => {
    if (event.type === 'model.requested') shown = '';
    if (event.type === 'model.text') shown += event.text;
    if (first && at !== null && session.events.length - before === at) session.runtime.send({ type: 'task.cancel', task: '1' });
    if (event.type === 'approval.requested') session.answer('once');
  });
  const { outcome } = await session.prompt('work');
  const events = session.events.slice(before);
  const said = shown;
  first = false;
  const next = await session.prompt('go on');
  // The end of a body may still be on its way.
  await until('no timer is left', () => session.clock.pending === 0);
  await session.close();
  const result = {
    outcome,
    events,
    said,
    next: next.outcome,
    faults: server.faults,
    last: server.requests.at(-1) as StrictRequest,
    commands: fake.commands,
    timersLeft: session.clock.pending,
  };
  await server.close();
  return result;
}

describe.each(oneOfEach)('$name', (model) => {
  test('at the n-th event, for all n', async () => {
    const whole = await interrupted(model, null);
    expect(whole).toMatchObject({ outcome: 'completed', next: 'completed', faults: [], commands: ['df -h', 'uptime'] });
    const types = new Set(whole.events.map(({ type }) => type));
    for (const type of ['model.reasoning', 'model.text', 'approval.requested', 'tool.started', 'tool.ended'] as const)
      expect(types).toContain(type);
    const outcomes: string[] = [];
    for (let at = 1; at <= whole.events.length; at++) {
      const { outcome, said, next, faults, last, commands, timersLeft } = await interrupted(model, at);
      const where = `event ${at}, ${whole.events[at - 1]?.type}`;
      expect({ where, next, faults, timersLeft }).toEqual({ where, next: 'completed', faults: [], timersLeft: 0 });
      // Nothing ran twice, and nothing that the model wrote later.
      expect(['df -h', 'uptime'].slice(0, commands.length)).toEqual(commands);
      // What was shown is remembered.
      if (said !== '') expect(JSON.stringify(last.body)).toContain(said.trimEnd());
      outcomes.push(outcome);
    }
    // Only after the very end is it too late.
    expect(outcomes.slice(0, -3)).toEqual(outcomes.slice(0, -3).map(() => 'cancelled'));
  }, 60_000);

  test('when the server has sent n events and no more, for all n', async () => {
    const says = work[0] ?? {};
    const all = eventCount(model.api, says);
    for (let events = 0; events <= all; events++) {
      let first = true;
      const server = await startStrictServer({ reply: () => (first ? { says, events, end: 'hang' } : { says: { text: ['I go on.'] } }) });
      const fake = workshop();
      const session = await startSession(server, [model], fake);
      const ended = session.prompt('work');
      const { sent } = server;
      await until('the server has sent what it will', () => sent() > 0);
      await settle();
      session.runtime.send({ type: 'task.cancel', task: '1' });
      const { outcome } = await ended;
      first = false;
      const next = await session.prompt('go on');
      await session.close();
      expect({ events, outcome, next: next.outcome, faults: server.faults }).toEqual({
        events,
        outcome: 'cancelled',
        next: 'completed',
        faults: [],
      });
      expect(fake.commands).toEqual([]);
      await server.close();
    }
  }, 60_000);
});
