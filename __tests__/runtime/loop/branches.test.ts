/** A session that goes back to any place in it, again and again, on models of all protocols: no strict server refuses what follows. */

import { createRandom } from '../../screen/fuzz/random.js';
import { settle } from '../../support/fake-clock.js';
import { exited, fakeTarget } from '../../support/fake-target.js';
import { freshPlace } from '../../support/session-place.js';
import { type StrictReply, startStrictServer } from '../../support/strict/server.js';
import { oneOfEach, startSession } from '../../support/strict/session.js';
import { withCalls, withoutCalls } from './sorts.js';

const place = freshPlace();
const ROUNDS = 60;

test.each([1, 2])(
  'seed %d',
  async (seed) => {
    const random = createRandom(seed);
    let depth = 0;
    const reply = (): StrictReply => {
      depth++;
      return { says: random.one(depth <= 3 && !random.rarely(3) ? withCalls : withoutCalls) };
    };
    const server = await startStrictServer({ reply });
    const fake = fakeTarget(({ command }) => exited(`output of ${command}\n`, command === 'true' ? 0 : 1), { screen: '$ ' });
    fake.files.set('/a', Buffer.from('a'));
    fake.files.set('/b', Buffer.from('b'));
    const session = await startSession(server, oneOfEach, fake, { sessions: place, newSessionId: () => `b${seed}` });
    let countdown = 0;
    let running = 0;
    session.runtime.onEvent(({ event }) => {
      if (event.type === 'task.started') running++;
      if (event.type === 'task.ended') running--;
      if (event.type === 'approval.requested') session.answer(random.one(['once', 'once', 'deny'] as const));
      if (countdown-- === 0) {
        const task = session.find('task.started').at(-1)?.task ?? '';
        session.runtime.send(random.rarely(2) ? { type: 'task.cancel', task } : { type: 'prompt.steer', text: 'and be quick' });
      }
    });
    let branches = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const model = random.one(oneOfEach).name;
      session.runtime.send({ type: 'model.switch', profile: model });
      depth = 0;
      countdown = 1 + random.number(40);
      await session.prompt(`prompt ${round}`);
      countdown = -1;
      await settle();
      while (running > 0) await session.next('task.ended');
      expect({ seed, round, model, faults: server.faults }).toEqual({ seed, round, model, faults: [] });
      if (random.rarely(3)) continue;
      const told = session.next('tree.told');
      session.runtime.send({ type: 'tree.tell' });
      const { entries } = await told;
      const branched = session.next('session.branched');
      session.runtime.send({ type: 'tree.go', entry: random.one(entries).id });
      await branched;
      branches++;
    }
    expect(branches).toBeGreaterThan(ROUNDS / 3);
    await session.close();
    await server.close();
  },
  120_000,
);
