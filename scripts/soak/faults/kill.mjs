/** F1: killed at any moment. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pause, until } from '../until.mjs';
import { someJob } from '../work.mjs';

const sessionBytes = ({ place }) => place.sessionFiles().reduce((sum, name) => sum + statSync(join(place.sessions, name)).size, 0);

/** Moments that are worth more than others. */
const moments = {
  anywhere: (stage) => pause(stage.random.integer(0, 3000)),
  asked: (stage) => until('it asks', () => stage.question() !== null, 5000).catch(() => undefined),
  async saving(stage) {
    const before = sessionBytes(stage);
    await until('it saves', () => sessionBytes(stage) !== before, 5000).catch(() => undefined);
    await pause(stage.random.integer(0, 20));
  },
};

async function killed(stage) {
  const job = await someJob(stage);
  const answering = stage.settle(job).catch(() => null);
  const moment = stage.random.pick(Object.keys(moments));
  await moments[moment](stage);
  const text = stage.question()?.split('\n')[1]?.trim();
  stage.tell(`kill -9 (${moment})${text === undefined ? '' : ` while it asks: ${text}`}`);
  process.kill(stage.pid(), 'SIGKILL');
  await until('it is gone', () => !stage.isAlive());
  await answering;
  return [];
}

export const faults = [{ name: 'F1', says: 'kill -9 at any moment', run: killed }];
