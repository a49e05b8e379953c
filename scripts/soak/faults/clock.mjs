/** F9: the wall clock jumps. It is the program's own that does: `clock-shift.mjs` stands between. */
import { writeFileSync } from 'node:fs';
import { root } from '../../bench/measure.mjs';
import { pause } from '../until.mjs';
import { shell, someJob } from '../work.mjs';

const HOUR_MS = 3_600_000;
const fileOf = ({ at }) => at('log', 'clock');

function prepare(stage) {
  writeFileSync(fileOf(stage.place), '0');
  stage.always = { ...stage.always, node: `--import 'file://${root}/scripts/soak/clock-shift.mjs?by=${fileOf(stage.place)}'` };
}

/** `/approve TIME`, then the jump: after `waitMs` a command must be asked about again. */
const jumps = {
  'two hours ahead': { approve: '1h', offMs: 2 * HOUR_MS, waitMs: 500 },
  'two hours back': { approve: '4s', offMs: -2 * HOUR_MS, waitMs: 5000 },
  'to 1970': { approve: '4s', offMs: -Date.now(), waitMs: 5000 },
};

async function jumped(stage) {
  const name = stage.random.pick(Object.keys(jumps));
  const { approve, offMs, waitMs } = jumps[name];
  stage.tell(name);
  stage.line(`/approve ${approve}`);
  await stage.sees(/approve all \d/);
  writeFileSync(fileOf(stage.place), String(offMs));
  await pause(waitMs);
  const job = stage.plan([]);
  stage.provider.plans.set(job, [{ calls: [shell(`evilcmd ${job}.1`)] }]);
  await stage.ask(job);
  await stage.settle(job);
  await stage.settle(await someJob(stage));
  return [];
}

export const faults = [{ name: 'F9', says: 'the clock jumps by hours, and to 1970', prepare, run: jumped }];
