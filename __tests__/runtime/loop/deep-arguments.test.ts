/** A model writes arguments that are nested 100 000 levels deep: the call is answered, the conversation goes on, and everything is saved. */

import { readFileSync } from 'node:fs';
import { sessionPath } from '../../../lib/runtime/sessions/session-folder.js';
import { readSessionLines } from '../../../lib/runtime/sessions/session-lines.js';
import { freshPlace } from '../../support/session-place.js';
import { startStrictServer } from '../../support/strict/server.js';
import { oneOfEach, startSession, targetWithScreen } from '../../support/strict/session.js';

const place = freshPlace();
const deep = `{"command":${'['.repeat(100_000)}"\\ud800"${']'.repeat(100_000)},"risk":"low","mutation":false,"privesc":false,"why":"x"}`;

test.each(oneOfEach)('$name', async ({ name }) => {
  let asked = 0;
  const server = await startStrictServer({
    reply: () => (++asked === 1 ? { says: { calls: [{ id: 'call_1', name: 'run_shell', args: [deep] }] } } : { says: { text: ['Fine.'] } }),
  });
  const models = [...oneOfEach.filter((of) => of.name === name), ...oneOfEach.filter((of) => of.name !== name)];
  const session = await startSession(server, models, targetWithScreen(), { sessions: place, newSessionId: () => `deep-${name}` });
  expect((await session.prompt('go')).error).toBeNull();
  for (const other of models) {
    session.runtime.send({ type: 'model.switch', profile: other.name });
    expect((await session.prompt(`and with ${other.name}`)).error).toBeNull();
  }
  expect(server.faults).toEqual([]);
  await session.close();
  await server.close();
  const { records, damaged } = readSessionLines(readFileSync(sessionPath(place, `deep-${name}`)));
  expect([damaged, records.filter(({ type }) => type === 'end').length]).toEqual([0, 4]);
});
