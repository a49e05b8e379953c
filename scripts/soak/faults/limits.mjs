/** F19, F20 and F22: little to live on, many questions at once, many turns. */
import { readdirSync, readFileSync } from 'node:fs';
import { pause } from '../until.mjs';
import { shell, someJob } from '../work.mjs';

/** Descriptors and memory; the program starts or says why not, and gives the terminal back. */
async function squeezed(stage) {
  const limit = stage.random.pick(['-n 16', '-n 24', '-n 32', '-n 48', '-n 64', '-v 1500000', '-u 20', '-f 64']);
  stage.tell(`ulimit ${limit}`);
  await stage.start({ before: `ulimit ${limit};`, waitFor: /\n> Ask, or|^ended=\d+$/m, withinMs: 40_000, tellsEnd: true });
  await pause(1500);
  if (!stage.isAlive()) return stage.screen().trim().split('\n').length > 2 ? [] : ['it ends without a word'];
  const job = await someJob(stage);
  await stage.settle(job, 60_000);
  // What is kept may be less under such limits; that it ends in order is what counts.
  stage.send('\x15');
  stage.line('/quit end');
  await stage.exitCode();
  return [];
}

const storms = {
  'answered one by one': async (stage, job) => stage.settle(job, 120_000),
  async interrupted(stage, job) {
    await stage.answer();
    await pause(stage.random.integer(0, 800));
    stage.send('\x1b');
    await stage.settle(job, 120_000);
  },
  async 'killed while it asks'(stage, job) {
    await stage.answer();
    const id = /#(\d+) prompt do job/.exec(stage.screen())?.[1];
    stage.line(`/kill ${id}`);
    await stage.settle(job, 120_000);
  },
  async 'another model while it asks'(stage, job) {
    stage.line('/model chat');
    await stage.settle(job, 120_000);
  },
};

async function stormed(stage) {
  const job = stage.plan([]);
  const calls = Array.from({ length: stage.random.integer(5, 12) }, (_, at) => shell(`goodcmd ${job}.${at}`));
  stage.provider.plans.set(job, [{ calls }]);
  const how = stage.random.pick(Object.keys(storms));
  stage.tell(how);
  await stage.ask(job);
  await stage.asked('goodcmd');
  await storms[how](stage, job);
  return [];
}

const TURNS = 40;
/** Memory that is not given back yet, over so few turns. */
const MOST_GROWTH_MB = 60;

function figures(stage) {
  const status = readFileSync(`/proc/${stage.pid()}/status`, 'utf8');
  return {
    rssMB: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1000),
    descriptors: readdirSync(`/proc/${stage.pid()}/fd`).length,
    panes: stage.place.tmux('list-panes', '-a').trim().split('\n').length,
    processes: stage.place.processes(stage.shells()).length,
  };
}

async function manyTurns(stage) {
  const turn = async () => {
    const job = stage.plan([]);
    stage.provider.plans.set(job, [{ calls: [{ name: 'read_file', args: { path: '/etc/hostname', why: 'to see it' } }] }]);
    await stage.ask(job);
    await stage.settle(job);
  };
  for (let at = 0; at < TURNS / 4; at++) await turn();
  const before = figures(stage);
  for (let at = 0; at < TURNS; at++) await turn();
  const after = figures(stage);
  stage.tell(`${JSON.stringify(before)} then ${JSON.stringify(after)}`);
  return [
    ...(after.rssMB - before.rssMB > MOST_GROWTH_MB ? [`memory grew from ${before.rssMB} to ${after.rssMB} MB in ${TURNS} turns`] : []),
    ...(after.descriptors > before.descriptors + 3 ? [`open files grew from ${before.descriptors} to ${after.descriptors}`] : []),
    ...(after.panes === before.panes ? [] : [`panes: ${before.panes}, then ${after.panes}`]),
    ...(after.processes > before.processes ? [`processes: ${before.processes}, then ${after.processes}`] : []),
  ];
}

export const faults = [
  { name: 'F19', says: 'few descriptors, little memory', isAlone: true, run: squeezed },
  { name: 'F20', says: 'many questions at once', run: stormed },
  { name: 'F22', says: `${TURNS} turns: nothing grows`, run: manyTurns },
];
