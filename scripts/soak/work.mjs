/** Ordinary work, a row each: what a person and a model do when nothing goes wrong. Chance decides the particulars. */
import { join } from 'node:path';
import { until } from './until.mjs';
import { apis } from './wire.mjs';

const claim = { risk: 'low', mutation: true, privesc: false, why: 'the plan says so' };
export const shell = (command, more = {}) => ({ name: 'run_shell', args: { command, ...claim, ...more } });

/** One call of job `job`, number `at`: each command is unlike every other. */
function someCall(stage, job, at) {
  const { random, place, provider } = stage;
  const rows = [
    () => shell(`goodcmd ${job}.${at}`),
    () => shell(`goodcmd ${job}.${at}`),
    () => shell(`printf 'line %s of ${job}.${at}\\n' $(seq ${random.integer(1, 60)})`),
    () => shell(`evilcmd ${job}.${at}`),
    () => shell(`sleep 0.${random.integer(1, 9)}; goodcmd ${job}.${at}`, { wait: false }),
    () => shell(`(exit ${random.integer(1, 200)}) # ${job}.${at}`),
    () => ({
      name: 'write_file',
      args: { path: join(place.work, `file-${random.integer(1, 3)}`), content: `${job}.${at}\n`, why: 'to keep it' },
    }),
    () => ({ name: 'read_file', args: { path: join(place.work, `file-${random.integer(1, 3)}`), why: 'to see it' } }),
    () => ({ name: 'fetch_url', args: { url: provider.pageUrl, why: 'to read it' } }),
    () => ({ name: 'capture_pane', args: { why: 'to look' } }),
  ];
  return random.pick(rows)();
}

/** Steps of a job, before it is known by number. */
export function someSteps(stage, job) {
  const { random } = stage;
  let calls = 0;
  return Array.from({ length: random.integer(1, 3) }, () => ({
    reasoning: random.chance(0.5) ? 'First I look.' : '',
    text: random.chance(0.5) ? 'I look at it, and then I go on.' : '',
    pauseMs: random.pick([0, 0, 5, 30]),
    calls: Array.from({ length: random.integer(1, 3) }, () => someCall(stage, job, ++calls)),
  }));
}

/** Plans a job of chance and asks for it. */
export async function someJob(stage) {
  const job = stage.plan([]);
  stage.provider.plans.set(job, someSteps(stage, job));
  await stage.ask(job);
  return job;
}

const rows = {
  async prompt(stage) {
    await stage.settle(await someJob(stage));
  },
  async takeover(stage) {
    const word = stage.random.integer(1000, 9999);
    stage.send('\x1b[17~');
    await stage.sees(/you have the keyboard/);
    stage.line(`echo typed-$((${word}+1))`);
    await stage.sees(new RegExp(`typed-${word + 1}`));
    await stage.sees(/hands back · idle/);
    stage.send('\x1b[17~');
    await stage.sees(/The agent has the keyboard again/);
  },
  async resize(stage) {
    const { cols, rows: height } = stage.terminal().size();
    stage.terminal().resize(stage.random.integer(60, 200), stage.random.integer(20, 60));
    await stage.sees(/buddy-tui/);
    stage.terminal().resize(cols, height);
    await stage.sees(/\n> Ask, or/);
  },
  async picker(stage) {
    stage.line('/session');
    await stage.sees(/─ sessions ─/);
    stage.send('\x1b');
    await until('the picker is gone', () => !stage.screen().includes('─ sessions ─'));
  },
  async compact(stage) {
    const before = stage.provider.log.length;
    stage.line('/compact');
    await until(
      'it is compacted, or there is nothing to',
      () => stage.provider.log.slice(before).some(({ isSummary }) => isSummary) || /nothing to|too little|no room/i.test(stage.screen()),
      8000,
    ).catch(() => undefined);
    await stage.sees(/\n> Ask, or/);
  },
  async ownCommand(stage) {
    const word = stage.random.integer(1000, 9999);
    await stage.sees(/pane shared · idle/);
    stage.line(`!echo own-$((${word}+1))`);
    await stage.sees(new RegExp(`own-${word + 1}`));
    await stage.sees(/\n> Ask, or/);
  },
  async model(stage) {
    const api = stage.random.pick(apis);
    stage.line(`/model ${api}`);
    await stage.sees(new RegExp(`model: ${api} \\(mock-1\\)`));
  },
  async scroll(stage) {
    for (const key of ['\x1b[5~', '\x1b[5~', '\x1b[6~', '\x1b[6~', '\x1b[6~']) stage.send(key);
    await stage.sees(/\n> Ask, or/);
  },
};

const NAMES = ['prompt', 'prompt', 'prompt', ...Object.keys(rows)];

/** So many pieces of work, one after the other. */
export async function someWork(stage, pieces) {
  for (let piece = 0; piece < pieces; piece++) {
    const name = stage.random.pick(NAMES);
    stage.tell(`work: ${name}`);
    await rows[name](stage);
  }
}
