/** One round: a place, a program, some work, a fault, and what must hold after it. */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bench/measure.mjs';
import {
  authSound,
  keyNowhere,
  noProcessLeft,
  onlyApprovedRan,
  paneAnswers,
  sessionsSound,
  staysQuick,
  terminalRestored,
} from './invariants.mjs';
import { openPlace } from './place.mjs';
import { openStage } from './program.mjs';
import { startProvider } from './provider.mjs';
import { createRandom } from './random.mjs';
import { apis } from './wire.mjs';
import { shell, someWork } from './work.mjs';

/** What is wrong afterwards, as far as it went. */
async function afterwards(stage) {
  const wrong = [];
  if (!stage.isAlive()) {
    wrong.push(
      ...(await terminalRestored(stage)),
      ...(await noProcessLeft(stage)),
      ...(await sessionsSound(stage)),
      ...onlyApprovedRan(stage),
    );
    const isBegun = stage.acknowledged.length > 0;
    await stage.start(isBegun ? { args: 'resume --last', waitFor: /it goes on here[\s\S]*\n> Ask, or/ } : {});
    await stage.sees(/pane shared · idle/);
    if (stage.question() !== null) wrong.push('a question has come over from the run before');
  }
  wrong.push(...authSound(stage), ...(await paneAnswers(stage)));
  const job = stage.plan([]);
  stage.provider.plans.set(job, [{ calls: [shell(`goodcmd ${job}.1`)] }]);
  await stage.ask(job);
  if (!(await stage.settle(job))) wrong.push(`after it, a job is not done; it shows:\n${stage.screen()}`);
  wrong.push(...keyNowhere(stage));
  const code = await stage.quit();
  if (code !== 0) wrong.push(`it was left with exit code ${code}`);
  wrong.push(...(await noProcessLeft(stage)), ...(await terminalRestored(stage)), ...(await sessionsSound(stage)), ...authSound(stage));
  wrong.push(...keyNowhere(stage), ...staysQuick(stage), ...onlyApprovedRan(stage));
  return [...new Set(wrong)];
}

/** Keeps what tells how it failed; answers where. */
function keep(folder, stage, wrong) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'wrong.txt'), `${wrong.join('\n\n')}\n`);
  writeFileSync(join(folder, 'screen.txt'), stage === null ? '' : `${stage.screen()}\n`);
  if (stage === null) return;
  writeFileSync(join(folder, 'story.txt'), `${stage.story.join('\n')}\n`);
  writeFileSync(join(folder, 'provider.jsonl'), stage.provider.log.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  for (const name of ['log', 'home', 'work']) {
    try {
      cpSync(stage.place.at(name), join(folder, name), { recursive: true, filter: (path) => !path.endsWith('auth.json') });
    } catch {
      // The fault may have taken it away.
    }
  }
}

/** A program that does nothing: how late its event loop is tells how busy the machine is. */
function startWitness({ at }) {
  const probe = `file://${root}/scripts/soak/loop-probe.mjs?into=${at('witness')}`;
  return spawn(process.execPath, ['--import', probe, '-e', 'setInterval(() => undefined, 10_000)'], { stdio: 'ignore', env: {} });
}

/** Plays it; resolves with what was wrong, in sentences. `artifacts` is where it is kept then. */
export async function playRound({ fault, seed, artifacts, keepAll }) {
  const random = createRandom(seed);
  const provider = await startProvider();
  const place = openPlace({ provider, model: random.pick(apis), more: fault.settings ?? [] });
  const wrong = [];
  let stage = null;
  const witness = startWitness(place);
  try {
    stage = await openStage({ place, provider, random });
    if (fault.isAlone === true) wrong.push(...(await fault.run(stage)));
    else {
      await fault.prepare?.(stage);
      await stage.start();
      await someWork(stage, random.integer(0, 2));
      stage.tell(`fault ${fault.name}`);
      wrong.push(...(await fault.run(stage)));
    }
    stage.tell('afterwards');
    wrong.push(...(await afterwards(stage)));
  } catch (thrown) {
    wrong.push(thrown.stack ?? String(thrown));
  }
  if (wrong.length > 0 || keepAll) keep(artifacts, stage, wrong);
  stage?.close();
  witness.kill('SIGKILL');
  await provider.close();
  await fault.close?.(place);
  place.dispose();
  return wrong;
}
