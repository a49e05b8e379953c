/**
 * npm run soak -- --minutes N --seed S [--fault F7] [--rounds N] [--round N] [--keep]: works with the built program as a person does, against a model that
 * follows plans, brings about one fault after the other, and looks after each whether what must hold holds. What fails is told with the
 * seed and the round that plays it again; what it left is kept in a folder in /tmp (with --keep that of every round).
 */
import { mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { fail } from './setup.mjs';
import { faults } from './soak/faults/index.mjs';
import { createRandom, seedOfRound } from './soak/random.mjs';
import { playRound } from './soak/round.mjs';

const options = {
  minutes: { type: 'string' },
  seed: { type: 'string' },
  fault: { type: 'string', multiple: true },
  rounds: { type: 'string' },
  round: { type: 'string' },
  keep: { type: 'boolean' },
};
const USAGE = 'usage: npm run soak -- [--minutes N] [--seed S] [--fault F7]... [--rounds N] [--round N] [--keep]';

function given() {
  try {
    const { values } = parseArgs({ options });
    const shapes = { minutes: /^\d+(\.\d+)?$/, seed: /^\d+$/, rounds: /^[1-9]\d*$/, round: /^[1-9]\d*$/ };
    for (const [name, shape] of Object.entries(shapes)) if (values[name] !== undefined && !shape.test(values[name])) fail(USAGE);
    return values;
  } catch {
    return fail(USAGE);
  }
}

const values = given();
const seed = Number(values.seed ?? Date.now() % 1_000_000);
let end = Date.now() + Number(values.minutes ?? 20) * 60_000;
// The round that is played is put away first; a second Ctrl+C ends it at once.
process.once('SIGINT', () => {
  end = 0;
});
const wanted = values.fault === undefined ? faults : faults.filter(({ name }) => values.fault.includes(name.split(' ')[0]));
if (wanted.length === 0) fail(`there is no such fault; there are ${[...new Set(faults.map(({ name }) => name.split(' ')[0]))].join(' ')}`);
if (!build()) fail('the build failed; see above', 1);

const say = (line) => process.stdout.write(`${line}\n`);
const table = new Map();
const impossible = new Map();
const possible = [];
for (const fault of wanted) {
  const reason = (await fault.impossible?.()) ?? null;
  if (reason === null) possible.push(fault);
  else {
    impossible.set(fault.name, reason);
    say(`${fault.name.padEnd(10)} not possible here: ${reason}`);
  }
}

/** Each fault once, in an order of chance, then again. Round N is the same fault whatever was played before it. */
function faultOf(round) {
  const lap = Math.floor((round - 1) / possible.length);
  const random = createRandom(seedOfRound(seed, 1_000_000 + lap));
  const order = possible.map((fault) => [random.next(), fault]).sort(([a], [b]) => a - b);
  return order[(round - 1) % possible.length][1];
}

const kept = mkdtempSync('/tmp/buddy-soaked-');
const failures = [];
const [first, last] =
  values.round === undefined ? [1, Number(values.rounds ?? Number.POSITIVE_INFINITY)] : [Number(values.round), Number(values.round)];
for (let round = first; possible.length > 0 && round <= last && (round === first || Date.now() < end); round++) {
  const fault = faultOf(round);
  const startedMs = Date.now();
  const artifacts = join(kept, `round-${round}`);
  const wrong = await playRound({ fault, seed: seedOfRound(seed, round), artifacts, keepAll: values.keep === true });
  const row = table.get(fault.name) ?? { rounds: 0, failed: 0, says: fault.says };
  table.set(fault.name, { ...row, rounds: row.rounds + 1, failed: row.failed + (wrong.length > 0 ? 1 : 0) });
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  say(
    `round ${String(round).padStart(3)}  ${fault.name.padEnd(10)} ${wrong.length === 0 ? 'ok    ' : 'FAILED'} ${seconds.padStart(6)} s  ${fault.says}`,
  );
  for (const sentence of wrong) say(`    ${sentence.slice(0, 6000).replaceAll('\n', '\n    ')}`);
  if (wrong.length > 0) failures.push({ round, fault: fault.name, artifacts });
}

say(`\nseed ${seed}\n\n${'fault'.padEnd(12)}rounds  failed`);
for (const [name, { rounds, failed, says }] of [...table].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))) {
  say(`${name.padEnd(12)}${String(rounds).padStart(6)}  ${String(failed).padStart(6)}  ${says}`);
}
for (const [name, reason] of impossible) say(`${name.padEnd(12)}     –       –  not possible here: ${reason}`);
const only = (values.fault ?? []).map((name) => ` --fault ${name}`).join('');
for (const { round, fault, artifacts } of failures) {
  say(`\nround ${round} (${fault}) failed; again: npm run soak -- --seed ${seed} --round ${round}${only}\n  kept: ${artifacts}`);
}
try {
  rmdirSync(kept);
} catch {
  // Something was kept.
}
process.exitCode = failures.length === 0 ? 0 : 1;
