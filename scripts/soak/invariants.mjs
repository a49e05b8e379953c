/** What holds after every fault. Each answers sentences about what does not; none means that it holds. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../bench/measure.mjs';
import { until } from './until.mjs';

const MOST_RSS_MB = 400;
const MOST_DELAY_MS = 200;
/** Fewer say nothing of a hundredth part. */
const LEAST_SAMPLES = 300;
/** A session whose program was killed is ended after five seconds. */
const GRACE_MS = 15_000;

/** I1: no process of ours is left, but the shells that the program was started from. */
export async function noProcessLeft({ place, shells }) {
  const left = () => place.processes(shells());
  await until('all have ended', () => left().length === 0, GRACE_MS).catch(() => undefined);
  return left().map(({ pid, words }) => `I1 left: ${pid} ${words.slice(0, 200)}`);
}

/** I2: the terminal is as it was before the program. */
export async function terminalRestored(stage) {
  const differs = await stage.terminalDiffers();
  return differs === '' ? [] : [`I2 the terminal is changed\n${differs}`];
}

/** I3: each session file is sound, and each job whose end was seen stands in one. */
export async function sessionsSound({ place, acknowledged }) {
  const { readSessionLines } = await load('runtime/sessions/session-lines.js');
  const wrong = [];
  let said = '';
  for (const name of place.sessionFiles()) {
    const bytes = readFileSync(join(place.sessions, name));
    const { header, records, damaged, wholeLength } = readSessionLines(bytes);
    if (header === '' && bytes.length > 0 && wholeLength > 0) wrong.push(`I3 ${name} has no header`);
    if (damaged > 0) wrong.push(`I3 ${name} has ${damaged} damaged lines`);
    if (new Set(records.map(({ id }) => id)).size !== records.length) wrong.push(`I3 ${name} has an id twice`);
    said += records.map((record) => (record.type === 'message' ? JSON.stringify(record.message) : '')).join('\n');
  }
  for (const job of acknowledged)
    if (!said.includes(`job ${job} is done.`)) wrong.push(`I3 the end of job ${job} was seen and is in no session`);
  return wrong;
}

/** I4: auth.json parses and is for its owner alone. */
export function authSound({ place }) {
  const file = join(place.config, 'auth.json');
  try {
    JSON.parse(readFileSync(file, 'utf8'));
    const mode = statSync(file).mode & 0o777;
    return mode === 0o600 ? [] : [`I4 auth.json has mode ${mode.toString(8)}`];
  } catch (thrown) {
    return [`I4 auth.json: ${thrown.message}`];
  }
}

/** I5: the pane takes a command and shows what it prints, at the latest the third time it is asked. The program must be idle. */
export async function paneAnswers(stage) {
  const word = stage.random.integer(100, 999);
  let told = '';
  for (let tries = 0; tries < 3; tries++) {
    await until('the pane is free', () => /pane shared · (idle|dead|closed)/.test(stage.screen()), 5000).catch(() => undefined);
    stage.line(`!echo ${word}-$((6*7))`);
    const isShown = await stage.sees(new RegExp(`│ *${word}-42`), 4000).then(
      () => true,
      (thrown) => {
        told = thrown.message;
      },
    );
    if (isShown) return [];
    stage.tell(`the pane did not answer, try ${tries + 1}`);
  }
  return [`I5 the pane does not answer: ${told}`];
}

/** Every file below a folder. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** I6: the key is in no file, no pane, no environment and no arguments, in no encoding. */
export function keyNowhere({ place, shells, pid }) {
  const { canary } = place;
  const encodings = [
    canary,
    encodeURIComponent(canary),
    Buffer.from(canary).toString('base64').replace(/=+$/, ''),
    JSON.stringify(canary).slice(1, -1),
  ];
  const isIn = (text) => encodings.some((encoding) => text.includes(encoding));
  const wrong = [];
  for (const file of [...filesIn(place.home), ...filesIn(place.work), ...filesIn(place.at('log'))]) {
    if (!file.endsWith('auth.json') && isIn(readFileSync(file, 'latin1'))) wrong.push(`I6 the key is in ${file}`);
  }
  if (isIn(place.tmux('capture-pane', '-p', '-J', '-S', '-'))) wrong.push('I6 the key is in the pane');
  if (isIn(place.tmux('show-environment', '-g'))) wrong.push('I6 the key is in the environment of tmux');
  for (const { pid: found, words, environment } of place.processes([...shells(), pid()])) {
    if (isIn(words) || isIn(environment)) wrong.push(`I6 the key is in process ${found}: ${words.slice(0, 120)}`);
  }
  return wrong;
}

/** What the programs with a probe in them have told into a folder. */
const probesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('probe-') && name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));

/** I7: memory and event loop stayed within bounds, by what the program measured of itself. A busy machine delays those who do nothing, too. */
export function staysQuick({ place }) {
  const witnessed = Math.max(0, ...probesIn(place.at('witness')).map(({ p99Ms }) => p99Ms));
  const told = probesIn(place.at('log'));
  if (told.length === 0) return ['I7 nothing was measured'];
  return told.flatMap(({ samples, p99Ms, maxMs, rssMB }) => [
    ...(rssMB > MOST_RSS_MB ? [`I7 it took ${rssMB} MB`] : []),
    ...(samples > LEAST_SAMPLES && p99Ms > MOST_DELAY_MS + 2 * witnessed
      ? [`I7 its event loop was late by ${p99Ms} ms (p99; at most ${maxMs}; one that does nothing: ${witnessed})`]
      : []),
  ]);
}

/** I8: nothing ran that was not approved, and nothing twice. */
export function onlyApprovedRan({ place, approved }) {
  const ran = place.ran('goodcmd').map((args) => `goodcmd ${args}`);
  return [
    ...place.ran('evilcmd').map((args) => `I8 evilcmd ${args} ran`),
    ...ran.filter((command) => !approved.includes(command)).map((command) => `I8 ${command} ran without a yes`),
    ...ran.filter((command, at) => ran.indexOf(command) !== at).map((command) => `I8 ${command} ran twice`),
  ];
}
