/** The agent loop before aimock, another's idea of the three servers: three calls at once, then forty in a row in a window of 8k. */

import { LLMock } from '@copilotkit/aimock';
import { faultOf } from '../../models/strict-requests.js';
import { exited } from '../../support/fake-target.js';
import { oneOfEach, startSession, targetWithScreen } from '../../support/strict/session.js';

/** How full it is, aimock tells in its own way: what is sent is judged here, not how much. */
const WINDOW = 8192;
const commands = Array.from({ length: 43 }, (_, at) => `step-${at + 1}`);
const call = (command: string) => ({
  name: 'run_shell',
  arguments: JSON.stringify({ command, risk: 'low', mutation: false, privesc: false, why: 'to go on' }),
});

const mock = new LLMock({ port: 0 });
let given = 0;

beforeAll(async () => {
  mock.onMessage(/[\s\S]/, ({ tools = [] }) => {
    // A request without tools asks for a summary.
    if (tools.length === 0) return { content: `The goal is to make all steps; ${given} are done.` };
    const next = commands.slice(given, given === 0 ? 3 : given + 1);
    given += next.length;
    return next.length === 0 ? { content: 'All is done.' } : { content: 'I go on.', reasoning: 'Hm.', toolCalls: next.map(call) };
  });
  await mock.start();
});
afterAll(() => mock.stop());

test.each(oneOfEach)('$name', async (model) => {
  given = 0;
  const faults: string[] = [];
  let requests = 0;
  const fake = targetWithScreen(({ command }) => exited(`${command} did this and that\n`.repeat(60)));
  const session = await startSession(
    { baseUrl: () => `${mock.url}/v1` },
    [{ ...model, contextTokens: WINDOW }],
    fake,
    { policy: { kind: 'all' }, maxIterations: 60 },
    (body) => {
      requests++;
      const fault = faultOf(model.api, body, model.provider);
      if (fault !== null) faults.push(fault);
    },
  );
  const { outcome, error } = await session.prompt('make all steps');
  await session.close();
  expect({ outcome, error, faults }).toEqual({ outcome: 'completed', error: null, faults: [] });
  expect(fake.commands).toEqual(commands);
  expect(requests).toBeGreaterThan(40);
});
