/** A line that breaks, and a failure that is told, after each event of each answer of a prompt: nothing runs on half a word, nothing twice. */

import type { Api } from '../../models/spoken.js';
import { eventCount, startStrictServer } from '../../support/strict/server.js';
import { oneOfEach, type ServedModel, startSession } from '../../support/strict/session.js';
import { work, workshop } from '../../support/strict/work.js';
import { until } from '../../support/until.js';

/** Whether so many events are an answer all the same: chat completions are whole with their finish_reason, the figures and [DONE] may be lost. */
function isWhole(api: Api, which: number, events: number): boolean {
  const missing = eventCount(api, work[which] ?? {}) - events;
  return missing === 0 || (api === 'chat' && missing <= 2);
}

/** Plays the prompt with answer `which` broken after `events` events, then another prompt. */
async function broken(model: ServedModel, which: number, events: number, end: 'cut' | 'failure') {
  let answers = 0;
  let isBroken = false;
  let isNext = false;
  const server = await startStrictServer({
    reply() {
      if (isNext) return { says: { text: ['I go on.'] } };
      const says = work[answers] ?? {};
      if (answers === which && !isBroken) {
        isBroken = true;
        if (isWhole(model.api, which, events)) answers++;
        return { says, events, end };
      }
      answers++;
      return { says };
    },
  });
  const fake = workshop();
  const session = await startSession(server, [model], fake);
  session.runtime.onEvent(({ event }) => {
    if (event.type === 'approval.requested') session.answer('once');
  });
  const { outcome, error } = await session.prompt('work');
  const before = [...fake.commands];
  const shown = session
    .find('model.text')
    .map(({ text }) => text)
    .join('');
  isNext = true;
  const next = await session.prompt('go on');
  // The end of a body may still be on its way.
  await until('no timer is left', () => session.clock.pending === 0);
  await session.close();
  await server.close();
  return {
    outcome,
    code: error?.code ?? null,
    retries: session.find('model.retrying').length,
    shown,
    next: next.outcome,
    faults: server.faults,
    last: JSON.stringify(server.requests.at(-1)?.body),
    before,
    after: fake.commands,
    timersLeft: session.clock.pending,
  };
}

/** What runs when the prompt gets as far as its n-th answer. */
const commandsBefore = [[], ['df -h'], ['df -h', 'uptime']] as const;

describe.each(oneOfEach)('$name', (model) => {
  describe.each(['cut', 'failure'] as const)('%s', (end) => {
    test.each([0, 1, 2])(
      'after each event of answer %d',
      async (which) => {
        const events = eventCount(model.api, work[which] ?? {});
        const outcomes = new Set<string>();
        for (let upTo = 0; upTo <= events; upTo++) {
          const got = await broken(model, which, upTo, end);
          const where = `${upTo} of ${events} events`;
          expect({ where, next: got.next, faults: got.faults, timersLeft: got.timersLeft }).toEqual({
            where,
            next: 'completed',
            faults: [],
            timersLeft: 0,
          });
          // The next prompt runs nothing of the broken one.
          expect({ where, commands: got.after }).toEqual({ where, commands: got.before });
          if (got.outcome === 'completed') {
            expect({ where, commands: got.before }).toEqual({ where, commands: ['df -h', 'uptime'] });
            outcomes.add(got.retries === 0 ? 'whole all the same' : 'asked again');
          } else {
            expect({ where, commands: got.before, retries: got.retries }).toEqual({ where, commands: commandsBefore[which], retries: 0 });
            expect(got.code).toBe(end === 'cut' ? 'model.stream' : 'model.server');
            // What was shown of it is remembered.
            if (got.shown !== '') expect(got.last).toContain(got.shown.slice(-4).trimEnd());
            outcomes.add('failed');
          }
        }
        expect(outcomes).toContain('asked again');
        expect(outcomes).toContain('failed');
        expect(outcomes).toContain('whole all the same');
      },
      60_000,
    );
  });
});
