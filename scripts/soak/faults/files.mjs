/** F15, F17 and F18: a session of ten thousand messages; files of the program's own that are none; files that never end. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../../bench/measure.mjs';
import { until } from '../until.mjs';
import { someJob } from '../work.mjs';

/** Start of the program and 50 MB, on a machine that does other things as well. */
const OPENS_MS = 10_000;
const MESSAGES = 10_000;
const BYTES = 5000;
/** What one job may add to a file. */
const GROWS = 200_000;

async function large(stage) {
  const { place } = stage;
  await stage.settle(await someJob(stage));
  await stage.quit();
  const { encodeRecord } = await load('runtime/sessions/records.js');
  const { readSessionLines } = await load('runtime/sessions/session-lines.js');
  const file = join(place.sessions, place.sessionFiles()[0]);
  const { records } = readSessionLines(readFileSync(file));
  const sample = records.filter(({ type }) => type === 'message');
  let last = records.at(-1);
  const lines = Array.from({ length: MESSAGES }, (_, at) => {
    const { message } = sample.find(({ message: { role } }) => role === (at % 2 === 0 ? 'user' : 'assistant')) ?? sample[0];
    const text = `message ${at} ${'word '.repeat(BYTES / 5)}`;
    const said = message.role === 'assistant' ? { ...message, text, calls: [] } : { ...message, text };
    last = {
      type: 'message',
      message: said,
      id: String(Number(last.id) + 1),
      parentId: last.id,
      tsMs: Date.now(),
      ...(at % 2 === 0 ? { as: 'prompt' } : {}),
    };
    return `${encodeRecord(last, (line) => line)}\n`;
  });
  // As after a summary: the model is shown the newest, a person all of it.
  const newest = Array.from({ length: 10 }, (_, at) => String(Number(last.id) - 9 + at));
  const context = { type: 'context', messages: newest, tokens: null, id: String(Number(last.id) + 1), parentId: last.id, tsMs: Date.now() };
  appendFileSync(file, `${lines.join('')}${encodeRecord(context, (line) => line)}\n`);
  const wrong = [];
  // A trace would hold all of it once more.
  stage.always = { ...stage.always, isTraced: false };
  const startedMs = Date.now();
  await stage.start({ args: 'resume --last', waitFor: /it goes on here[\s\S]*\n> Ask, or/ });
  const openedMs = Date.now() - startedMs;
  stage.tell(`${Math.round(statSync(file).size / 1e6)} MB opened in ${openedMs} ms`);
  if (openedMs > OPENS_MS) wrong.push(`a session of ${MESSAGES} messages was opened in ${openedMs} ms`);
  for (const key of ['\x1b[5~', '\x1b[5~', '\x1b[6~', '\x1b[6~']) {
    const before = stage.screen();
    stage.send(key);
    await until('it has scrolled', () => stage.screen() !== before, 2000).catch(() => wrong.push('it did not scroll within two seconds'));
  }
  const before = statSync(file).size;
  await stage.sees(/pane shared · idle/);
  await stage.settle(await someJob(stage));
  const grown = statSync(file).size - before;
  if (grown > GROWS) wrong.push(`one job added ${grown} bytes to the session`);
  return wrong;
}

const hostile = {
  garbage: (path) => writeFileSync(path, Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256))),
  empty: (path) => writeFileSync(path, ''),
  'half of it': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  'a wrong line': (path) => writeFileSync(path, `${readFileSync(path, 'utf8')}\n[agent\nmodel = = 3\n`),
  'a FIFO': (path) => replaced(path, () => spawnSync('mkfifo', [path])),
  'a folder': (path) => replaced(path, () => mkdirSync(path)),
  'a loop of links': (path) => replaced(path, () => symlinkSync(path, path)),
  '2 GB of nothing': (path) => replaced(path, () => spawnSync('truncate', ['-s', '2G', path])),
  'a device': (path) => replaced(path, () => symlinkSync('/dev/zero', path)),
};

function replaced(path, make) {
  rmSync(path, { force: true });
  make();
}

/** It starts or says why not, within seconds; afterwards the file is as it was. */
async function hostileFile(stage) {
  const { place, random } = stage;
  await stage.start();
  await stage.settle(await someJob(stage));
  await stage.quit();
  const files = [join(place.config, 'buddy.toml'), join(place.config, 'auth.json'), join(place.sessions, place.sessionFiles()[0])];
  const wrong = [];
  for (let turn = 0; turn < 3; turn++) {
    const path = random.pick(files);
    const how = random.pick(Object.keys(hostile));
    stage.tell(`${path} is ${how}`);
    const safe = place.at('vault', 'safe');
    copyFileSync(path, safe);
    hostile[how](path);
    const waitFor = /pane shared · idle|^ended=\d+$/m;
    const args = path.endsWith('.jsonl') ? 'resume --last' : '';
    const startedMs = Date.now();
    await stage
      .start({ args, waitFor, withinMs: 20_000, tellsEnd: true })
      .catch((thrown) => wrong.push(`${path} is ${how}: ${thrown.message}`));
    const shown = stage.screen();
    stage.tell(`after ${Date.now() - startedMs} ms: ${shown.split('\n').slice(0, 4).join(' | ').slice(0, 300)}`);
    if (!stage.isAlive() && !/buddy/.test(shown)) wrong.push(`${path} is ${how}, and it ends without a word:\n${shown}`);
    if (stage.isAlive()) await stage.quit();
    rmSync(path, { recursive: true, force: true });
    copyFileSync(safe, path);
    rmSync(safe);
    spawnSync('chmod', ['600', path]);
  }
  return wrong;
}

async function endlessFiles(stage) {
  const { place, random } = stage;
  spawnSync('mkfifo', [join(place.work, 'pipe')]);
  spawnSync('truncate', ['-s', '4G', join(place.work, 'hole')]);
  const paths = [
    join(place.work, 'pipe'),
    join(place.work, 'hole'),
    '/dev/zero',
    '/dev/random',
    '/dev/tty',
    '/proc/kmsg',
    '/proc/self/mem',
    '/dev/ptmx',
    '/proc/kcore',
  ];
  const calls = Array.from({ length: 5 }, () => ({ name: 'read_file', args: { path: random.pick(paths), why: 'to see it' } }));
  const isDone = await stage.job([{ calls }]);
  rmSync(join(place.work, 'hole'));
  return isDone ? [] : [`the job is not done; it shows:\n${stage.screen()}`];
}

export const faults = [
  { name: 'F15', says: `a session of ${MESSAGES} messages, 50 MB`, run: large },
  { name: 'F17', says: 'hostile configuration, logins, session', isAlone: true, run: hostileFile },
  { name: 'F18', says: 'the model reads pipes and devices', run: endlessFiles },
];
