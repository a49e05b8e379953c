/** Imported sessions go on with models of all three protocols, before strict servers. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshPlace } from '../../support/session-place.js';
import { startStrictServer } from '../../support/strict/server.js';
import { oneOfEach, startSession, targetWithScreen } from '../../support/strict/session.js';
import { asLines, buddySession, compactedPiLines, piLines } from '../sessions/imports/fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'imports-'));
afterAll(() => rmSync(folder, { recursive: true }));
const place = freshPlace();
let count = 0;

test.each([
  ['buddy', JSON.stringify(buddySession)],
  ['pi', asLines(piLines)],
  ['pi, made smaller', asLines(compactedPiLines)],
])('of %s', async (_, content) => {
  const server = await startStrictServer({ reply: () => ({ says: { text: ['Fine.'] } }) });
  const path = join(folder, 'session');
  writeFileSync(path, content);
  const session = await startSession(server, oneOfEach, targetWithScreen(), { sessions: place, newSessionId: () => `i${++count}` });
  session.runtime.send({ type: 'session.import', path });
  await session.next('session.resumed');
  for (const { name } of oneOfEach) {
    session.runtime.send({ type: 'model.switch', profile: name });
    expect((await session.prompt(`go on with ${name}`)).outcome).toBe('completed');
  }
  expect(server.faults).toEqual([]);
  await session.close();
  await server.close();
});
