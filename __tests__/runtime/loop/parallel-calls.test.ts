/** Three calls in one answer, run together, and their results sent back as each protocol wants them. */

import { lastResults, type StrictServer, startStrictServer } from '../../support/strict/server.js';
import { oneOfEach, startSession, targetWithScreen } from '../../support/strict/session.js';

let server: StrictServer;
afterEach(() => server.close());

const paths = ['/a', '/b', '/c'];

test.each(oneOfEach)('$name', async (model) => {
  server = await startStrictServer({
    reply: ({ number }) =>
      number === 0
        ? {
            says: {
              reasoning: 'Three files.',
              text: ['I read ', 'all three.'],
              calls: paths.map((path) => ({ name: 'read_file', args: [`{"path":"${path}",`, '"why":"to compare"}'] })),
            },
          }
        : { says: { reasoning: 'Well.', text: ['They differ.'] } },
  });
  const fake = targetWithScreen();
  for (const path of paths) fake.files.set(path, Buffer.from(`this is ${path}`));
  const session = await startSession(server, [model], fake);
  const { outcome } = await session.prompt('compare them');
  await session.close();
  expect(server.faults).toEqual([]);
  expect(outcome).toBe('completed');
  const types = session.types();
  // All are begun before the first has ended.
  expect(types.slice(types.indexOf('tool.requested'), types.lastIndexOf('tool.ended') + 1)).toEqual([
    ...paths.map(() => 'tool.requested'),
    ...paths.map(() => 'tool.started'),
    ...paths.map(() => 'tool.ended'),
  ]);
  const told = server.requests[1] === undefined ? [] : lastResults(server.requests[1]);
  expect(told.map((text) => (JSON.parse(text) as { result: { content: string } }).result.content)).toEqual([
    'this is /a',
    'this is /b',
    'this is /c',
  ]);
  expect(session.find('model.answered').at(-1)?.message).toMatchObject({ text: 'They differ.', incomplete: false });
});
