/**
 * kill -9 at random points, most of them while something is saved or asked: `node scripts/stress.mjs --kills 200 --seed 1`. The program is
 * started again each time and must have everything that the screen had shown, ask nothing by itself, and run nothing twice.
 */

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { load, root } from '../bench/measure.mjs';
import { openEye } from './eye.mjs';
import { startTurnsServer } from './turns-server.mjs';

/** Where it is killed, how often of a hundred, and how long after that moment at most (milliseconds). */
const points = [
  { name: 'start', weight: 5, withinMs: 700 },
  { name: 'typed', weight: 10, withinMs: 60 },
  { name: 'call', weight: 10, withinMs: 40 },
  { name: 'asked', weight: 20, withinMs: 500 },
  { name: 'approved', weight: 20, withinMs: 250 },
  { name: 'stream', weight: 10, withinMs: 100 },
  { name: 'last', weight: 20, withinMs: 25 },
  { name: 'leaving', weight: 5, withinMs: 300 },
];
/** After so many kills another session is begun: one that only grows shows less and less of itself on one screen. */
const PER_SESSION = 8;
const READY = /pane shared · idle/;
const ASKED = /approve on/;

/** Random numbers from 0 to 1 that a seed gives again (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The point that a number from 0 to 100 stands for. */
function pointAt(number) {
  let from = 0;
  return points.find(({ weight }) => {
    from += weight;
    return number < from;
  });
}

/** Kills it so often; answers what was wrong, and how often each point was hit. */
export async function killRuns({ kills, seed, tell = () => undefined }) {
  const { readSessionLines } = await load('runtime/sessions/session-lines.js');
  const random = randomOf(seed);
  const wrong = [];
  const hits = {};
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  const socket = `kills-${randomBytes(5).toString('hex')}`;
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    BUDDY_TMUX_SOCKET: socket,
  };
  const sessions = join(home, '.buddyx', 'sessions');
  let reached = () => undefined;
  let kill = -1;
  let where = '';
  const note = (problem) => {
    wrong.push(`kill ${kill} (${where}): ${problem}`);
    tell(`  ${wrong.at(-1)}`);
  };
  const server = await startTurnsServer({ random, at: (point) => reached(point), wrong: note });
  mkdirSync(join(home, '.config', 'buddy'), { recursive: true });
  const profile = [`api_base_url = "${server.baseUrl}"`, 'api = "completions"', 'model = "m"', 'api_key = "key-for-tests-only"'];
  writeFileSync(join(home, '.config', 'buddy', 'buddy.toml'), ['[models.mock]', ...profile, ''].join('\n'), { mode: 0o600 });
  const eye = openEye(`eye-${socket}`, { env, cwd: home });

  /** Turns: what the screen has acknowledged of each, and whether its command was allowed. */
  const said = new Set();
  const done = new Set();
  const allowed = new Set();
  /** Process ids of the program. */
  const started = new Set();
  let session = null;
  let turn = 0;

  const pid = () => Number(readFileSync(join(home, 'pid'), 'utf8'));
  const sessionFiles = () => (existsSync(sessions) ? readdirSync(sessions).filter((name) => name.endsWith('.jsonl')) : []);
  const ran = () => (existsSync(join(home, 'ran')) ? readFileSync(join(home, 'ran'), 'utf8').split('\n').filter(Boolean) : []);
  const recordsOf = (name) => readSessionLines(readFileSync(join(sessions, name)));

  /** What is on the screen is acknowledged. A turn of an earlier session may be shown as well: it is in a file, too. */
  function acknowledge(screen) {
    for (const [, number] of screen.matchAll(/● turn (\d+)\b/g)) said.add(number);
    for (const [, number] of screen.matchAll(/✓ #\d+ prompt turn (\d+) +done/g)) {
      // A command that could not run is answered with `failed N.`.
      if (screen.includes(`◆ done ${number}.`)) done.add(number);
    }
  }

  /** Kills it so many milliseconds from now and resolves when it is gone. What the screen shows right before is acknowledged. */
  async function killed(afterMs) {
    await pause(afterMs);
    const target = pid();
    started.add(target);
    acknowledge(eye.screen());
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // It has left by itself: as good an end as any.
    }
  }

  function failed(problem) {
    note(`${problem}:\n${eye.screen()}`);
    return killed(0);
  }

  /** One start, to the point and the end. */
  async function run(point) {
    const isNew = session === null || kill % PER_SESSION === 0;
    rmSync(join(home, 'pid'), { force: true });
    eye.line('clear');
    const program = `${process.execPath} ${join(root, 'bin', 'buddy-tui.js')}`;
    const known = sessionFiles();
    eye.line(`sh -c 'echo $$ >pid; exec ${program} ${isNew || known.length === 0 ? '' : 'resume --last'}'`);
    while (!existsSync(join(home, 'pid')) || !(pid() > 1)) await pause(10);
    const afterMs = random() * point.withinMs;
    if (point.name === 'start') return killed(afterMs);
    const shown = await eye.sees(READY);
    if (shown === null) return failed('it does not start');
    if (ASKED.test(shown)) note('it asks by itself after the start');
    acknowledge(shown);

    const number = String(++turn);
    const hit = new Promise((resolve) => {
      reached = (at) => at === point.name && resolve();
    });
    eye.line(`turn ${number}`);
    if (point.name === 'typed') return killed(afterMs);
    if (point.name === 'call') {
      await hit;
      return killed(afterMs);
    }
    const asked = await eye.sees(ASKED);
    if (asked === null) return failed(`turn ${number} is not asked about`);
    acknowledge(asked);
    if (point.name === 'asked') return killed(afterMs);
    allowed.add(number);
    for (let quietMs = 450; ASKED.test(eye.screen()) && quietMs < 5000; quietMs += 200) {
      await pause(quietMs);
      eye.press('y');
      await eye.sees(/^(?![\s\S]*approve on)/, { withinMs: 500 });
    }
    if (point.name === 'approved') return killed(afterMs);
    if (point.name === 'stream' || point.name === 'last') {
      await Promise.race([hit, pause(20_000)]);
      return killed(afterMs);
    }
    const ended = await eye.sees(new RegExp(`✓ #\\d+ prompt turn ${number} +done`));
    if (ended === null) return failed(`turn ${number} does not end`);
    acknowledge(ended);
    eye.line('/quit');
    await eye.sees(/leave · tmux session/, { withinMs: 5000 });
    eye.press('e');
    return killed(afterMs);
  }

  /** The terminal is as it was before. */
  async function checkTerminal() {
    // The shell may draw its prompt before the program's guardian has left the other screen: a person presses Enter.
    for (let tries = 0; ; tries++) {
      eye.press('Enter');
      if ((await eye.sees(/READY>\s*$/, { withinMs: 1000 })) !== null) break;
      if (tries > 10) return note(`the shell does not come back:\n${eye.screen()}`);
    }
    eye.line('clear');
    eye.line('stty -a | grep -ow -e "-\\?echo" -e "-\\?icanon" | tr "\\n" " "; echo $((6*7))');
    const shown = await eye.sees(/echo.* 42$/m, { withinMs: 5000 });
    if (shown === null || /-echo|-icanon/.test(shown.split('\n').find((line) => line.endsWith('42')) ?? ''))
      note(`the terminal is not usable:\n${eye.screen()}`);
    const flagsNow = () => ['alternate_on', 'mouse_any_flag', 'cursor_flag'].map((word) => eye.flag(word)).join(' ');
    let flags = flagsNow();
    for (let tries = 0; flags !== '0 0 1' && tries < 20; tries++) {
      await pause(100);
      flags = flagsNow();
    }
    if (flags !== '0 0 1') note(`alternate screen, mouse and cursor are ${flags}`);
  }

  /** Every line is sound, in order, behind the one before it; only the last may be torn. */
  function checkFiles() {
    for (const name of sessionFiles()) {
      const { header, records, damaged } = recordsOf(name);
      if (damaged > 0) note(`${name} has ${damaged} damaged lines`);
      if (header === '' && records.length > 0) note(`${name} has no header`);
      records.forEach(({ id, parentId }, at) => {
        if (id !== String(at + 1) || parentId !== (at === 0 ? null : String(at)))
          note(`${name}: record ${at + 1} is ${id} after ${parentId}`);
      });
    }
  }

  /** All that was acknowledged is in the files. */
  function checkTurns() {
    const messages = sessionFiles().flatMap((name) =>
      recordsOf(name).records.flatMap((record) =>
        record.type === 'message' ? record.message : record.type === 'said' ? { role: 'user', text: record.text } : [],
      ),
    );
    const texts = new Set(messages.map(({ role, text }) => `${role} ${text}`));
    for (const number of said) if (!texts.has(`user turn ${number}`)) note(`turn ${number} was on the screen and is in no file`);
    for (const number of done)
      if (!texts.has(`assistant done ${number}.`)) note(`the answer to turn ${number} was on the screen and is in no file`);
  }

  /** Nothing ran that was not allowed, nothing twice, and what was answered to the end ran. */
  function checkCommands() {
    const counts = new Map();
    for (const number of ran()) counts.set(number, (counts.get(number) ?? 0) + 1);
    for (const [number, count] of counts) {
      if (!allowed.has(number)) note(`the command of turn ${number} ran and was not allowed`);
      if (count > 1) note(`the command of turn ${number} ran ${count} times`);
    }
    for (const number of done) if (!counts.has(number)) note(`turn ${number} was answered and its command did not run`);
  }

  try {
    for (kill = 0; kill < kills && wrong.length < 20; kill++) {
      const point = pointAt(random() * 100);
      where = point.name;
      hits[point.name] = (hits[point.name] ?? 0) + 1;
      await run(point);
      reached = () => undefined;
      await checkTerminal();
      checkFiles();
      checkTurns();
      checkCommands();
      session = sessionFiles().at(-1) ?? null;
      if ((kill + 1) % 10 === 0) tell(`  ${kill + 1} kills, ${wrong.length} wrong`);
    }
    everyOneOpens();
    return { wrong, hits, turns: turn, shown: said.size, answered: done.size, allowed: allowed.size, ran: ran().length };
  } finally {
    eye.close();
    server.close();
    await putAway();
  }

  /** Each session is opened once more, by the program, and goes on where it ended. */
  function everyOneOpens() {
    for (const name of sessionFiles()) {
      const id = name.replace('.jsonl', '');
      const run = spawnSync(process.execPath, [join(root, 'bin', 'buddy-tui.js'), 'resume', id, '--plain', '--direct'], {
        ...{ env, cwd: home, input: '', encoding: 'utf8', timeout: 60_000 },
      });
      if (run.status !== 0 && recordsOf(name).records.length > 0) note(`session ${id} does not open: ${run.stderr.slice(0, 300)}`);
    }
  }

  /** A killed program's session ends by itself after five seconds; what is only a file is removed here. */
  async function putAway() {
    const { lockPath } = await load('targets/tmux/server-lock.js');
    for (let tries = 0; tries < 40 && spawnSync('tmux', ['-L', socket, 'ls']).status === 0; tries++) await pause(250);
    spawnSync('tmux', ['-L', socket, 'kill-server']);
    for (const ending of ['', '.lock']) rmSync(`/tmp/tmux-${userInfo().uid}/${socket}${ending}`, { force: true });
    rmSync(lockPath(userInfo().username, socket), { force: true });
    for (const name of readdirSync('/tmp').filter((entry) => /^buddy-\w{6}$/.test(entry))) {
      if (started.has(ownerOf(name))) rmSync(join('/tmp', name), { recursive: true, force: true });
    }
    // Shells that are ended write their history on the way out.
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}

function ownerOf(name) {
  try {
    return Number(readFileSync(join('/tmp', name, 'owner'), 'utf8'));
  } catch {
    return 0;
  }
}

/** The command line of it: prints the seed first, for the same run again, and what was wrong. Resolves with the exit code. */
export async function runKills(args) {
  const number = (flag, otherwise) => (args.includes(flag) ? Number(args[args.indexOf(flag) + 1]) : otherwise);
  const kills = number('--kills', 200);
  const seed = number('--seed', randomBytes(3).readUIntBE(0, 3));
  if (![kills, seed].every(Number.isInteger) || kills < 1) {
    process.stderr.write('usage: npm run stress -- --kills N [--seed S]\n');
    return 2;
  }
  const startedMs = Date.now();
  process.stdout.write(`kill -9, ${kills} times, seed ${seed}\n`);
  const tell = (line) => process.stdout.write(`${line}\n`);
  const { wrong, hits, ...counts } = await killRuns({ kills, seed, tell });
  process.stdout.write(
    `at: ${Object.entries(hits)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}\n`,
  );
  process.stdout.write(
    `${Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}; ${wrong.length} wrong`,
  );
  process.stdout.write(`, ${Math.round((Date.now() - startedMs) / 1000)} s\n`);
  return wrong.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await runKills(process.argv.slice(2));
