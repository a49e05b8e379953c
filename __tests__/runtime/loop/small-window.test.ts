/** Forty calls, one after the other, whose results are many times a window of 8k: each request fits, is sound, and nothing runs twice. */

import { exited } from '../../support/fake-target.js';
import { asksForSummary, lastResults, startStrictServer, tokensOf } from '../../support/strict/server.js';
import { oneOfEach, startSession, targetWithScreen } from '../../support/strict/session.js';

const WINDOW = 8192;
const CALLS = 40;
const commands = Array.from({ length: CALLS }, (_, at) => `step-${at + 1}`);
/** About 500 tokens. */
const output = (command: string) => `${command} did this and that\n`.repeat(80);

function outputIn(envelope = '{}'): string {
  return (JSON.parse(envelope) as { readonly result?: { readonly output?: string } }).result?.output ?? '';
}

test.each(oneOfEach)('$name', async (model) => {
  let step = 0;
  const told: string[] = [];
  const server = await startStrictServer({
    windowTokens: WINDOW,
    reply(request) {
      if (asksForSummary(request)) return { says: { text: [`The goal is to make ${CALLS} steps; ${step} are done.`] } };
      if (step > 0 && step <= CALLS) told.push(outputIn(lastResults(request).at(-1)));
      const command = commands[step++];
      if (command === undefined) return { says: { text: ['All steps are done.'] } };
      const args = JSON.stringify({ command, risk: 'low', mutation: false, privesc: false, why: 'to go on' });
      return { says: { reasoning: `Step ${step}.`, text: [`Now ${command}.`], calls: [{ name: 'run_shell', args: [args] }] } };
    },
  });
  const fake = targetWithScreen(({ command }) => exited(output(command)));
  const session = await startSession(server, [{ ...model, contextTokens: WINDOW }], fake, {
    policy: { kind: 'all' },
    maxIterations: CALLS + 5,
  });
  const first = await session.prompt('make all steps');
  const second = await session.prompt('are they done?');
  await session.close();
  await server.close();
  expect(server.faults).toEqual([]);
  expect([first.error, second.error]).toEqual([null, null]);
  expect([first.outcome, second.outcome]).toEqual(['completed', 'completed']);
  expect(fake.commands).toEqual(commands);
  // Without leaving anything out it would never have fitted.
  expect(commands.map(output).join('').length / 4).toBeGreaterThan(2 * WINDOW);
  expect(Math.max(...server.requests.map(({ body }) => tokensOf(body)))).toBeLessThanOrEqual(WINDOW);
  // The newest result was always there as it was.
  expect(told).toEqual(commands.map(output));
});
