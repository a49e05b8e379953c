/** A window that turns out to be full in the middle of an answer: what came of it is kept, room is made, and the model goes on. */

import { exited } from '../../support/fake-target.js';
import { asksForSummary, eventCount, startStrictServer } from '../../support/strict/server.js';
import { oneOfEach, type ServedModel, startSession, targetWithScreen } from '../../support/strict/session.js';

const CALLS = 6;
const output = (command: string) => `${command} did this and that\n`.repeat(80);
const args = (command: string) => JSON.stringify({ command, risk: 'low', mutation: false, privesc: false, why: 'to go on' });
const long = { reasoning: 'All is known.', text: ['The disk is fine. ', 'The memory is ', 'tight.'] };

/** Six steps, then an answer that breaks after `events` events; `again`: the next one too. */
async function overflowing(model: ServedModel, events: number, again = false) {
  let step = 0;
  let breaks = 0;
  const server = await startStrictServer({
    reply(request) {
      if (asksForSummary(request)) return { says: { text: [`${CALLS} steps are done; the report is being written.`] } };
      step++;
      if (step <= CALLS) return { says: { calls: [{ name: 'run_shell', args: [args(`step-${step}`)] }] } };
      if (breaks++ < (again ? 2 : 1)) return { says: long, events, end: 'overflow' };
      return { says: { text: ['That is the whole report.'] } };
    },
  });
  const fake = targetWithScreen(({ command }) => exited(output(command)));
  const session = await startSession(server, [model], fake, { policy: { kind: 'all' } });
  const first = await session.prompt('make all steps and report');
  const shown = session
    .find('model.text')
    .map(({ text }) => text)
    .join('');
  const next = await session.prompt('and now?');
  await session.close();
  await server.close();
  return {
    first,
    next,
    shown,
    faults: server.faults,
    fake,
    session,
    requests: server.requests.filter((request) => !asksForSummary(request)),
  };
}

describe.each(oneOfEach)('$name', (model) => {
  test('after each event of the answer', async () => {
    const kept = new Set<string>();
    const whole = eventCount(model.api, long);
    for (let events = 0; events < whole - 2; events++) {
      const { first, next, shown, faults, fake, session, requests } = await overflowing(model, events);
      const outcome = { events, first: first.outcome, error: first.error, next: next.outcome, faults };
      expect(outcome).toEqual({ events, first: 'completed', error: null, next: 'completed', faults: [] });
      expect(fake.commands).toEqual(Array.from({ length: CALLS }, (_, at) => `step-${at + 1}`));
      expect(session.find('context.compacted').length).toBe(1);
      expect(shown.endsWith('That is the whole report.')).toBe(true);
      const said = shown.slice(0, -'That is the whole report.'.length);
      kept.add(said);
      // The model is shown what it had said, and that it broke off.
      const after = JSON.stringify(requests[CALLS + 1]?.body);
      expect(after).toContain(said.trim());
      expect(after.includes('broke off')).toBe(session.find('model.answered').some(({ message }) => message.incomplete === true));
    }
    expect([...kept]).toEqual(expect.arrayContaining(['', 'The disk is fine. ', 'The disk is fine. The memory is tight.']));
  }, 60_000);

  test('twice in a row it is given up, and everything that was said is kept', async () => {
    const { first, next, faults, requests } = await overflowing(model, eventCount(model.api, long) - 3, true);
    expect([first.outcome, first.error?.code, next.outcome]).toEqual(['failed', 'model.context', 'completed']);
    expect(faults).toEqual([]);
    expect(JSON.stringify(requests.at(-1)?.body).split('The disk is fine.').length - 1).toBe(2);
  });
});
