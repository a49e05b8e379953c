/**
 * npm run stress: 500 fresh starts (server, pane, bootstrap, one command) under CPU load, then 50 times four instances that start, work
 * and end at the same moment on one socket beside a session of somebody else. Numbers: `-- STARTS ROUNDS`. With `-- --kills N --seed S`
 * it is kill -9 instead (stress/kills.mjs).
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { fail, root } from './setup.mjs';

if (process.argv.includes('--kills')) {
  if (!build()) fail('the build failed; see above', 1);
  const { runKills } = await import('./stress/kills.mjs');
  process.exit(await runKills(process.argv.slice(2)));
}

const [starts, rounds] = [process.argv[2] ?? '500', process.argv[3] ?? '50'].map(Number);
/** Nothing here takes longer unless it hangs (milliseconds). */
const HANG_MS = 60_000;

if (!build()) fail('the build failed; see above', 1);

function instance(socket, count) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'scripts', 'stress', 'instance.mjs'), socket, String(count)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (bytes) => (said += bytes));
    child.stderr.on('data', (bytes) => (said += bytes));
    const timer = setTimeout(() => {
      said += ' hangs';
      child.kill('SIGKILL');
    }, HANG_MS);
    child.on('close', () => {
      clearTimeout(timer);
      const line = said.trim();
      resolve(line === '{"wrong":[]}' ? null : line);
    });
  });
}

const tmux = (socket, ...args) => spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
/** Private folders whose program is gone. */
const abandoned = () => readdirSync('/tmp').filter((name) => /^buddy-\w{6}$/.test(name) && !isAlive(ownerOf(name)));
function ownerOf(name) {
  try {
    return Number(readFileSync(join('/tmp', name, 'owner'), 'utf8'));
  } catch {
    return 0;
  }
}
function isAlive(pid) {
  try {
    return pid > 1 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
const before = abandoned();
const wrong = [];
const load = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));

let next = 0;
const startedMs = Date.now();
async function starter() {
  for (let at = next++; at < starts; at = next++) {
    const problem = await instance(`stress-${process.pid}-${at}`, 1);
    if (problem !== null) wrong.push(`start ${at}: ${problem}`);
  }
}
await Promise.all([starter(), starter()]);
for (const child of load) child.kill('SIGKILL');
process.stdout.write(`${starts} fresh starts under load: ${wrong.length} wrong, ${Math.round((Date.now() - startedMs) / 1000)} s\n`);

const shared = `stress-${process.pid}-shared`;
tmux(shared, 'new-session', '-d', '-s', 'witness', 'cat');
const startsWrong = wrong.length;
for (let round = 0; round < rounds; round++) {
  const problems = await Promise.all([1, 2, 3, 4].map(() => instance(shared, 3)));
  for (const problem of problems) if (problem !== null) wrong.push(`round ${round}: ${problem}`);
  const left = tmux(shared, 'list-sessions', '-F', '#{session_name}').stdout.trim();
  if (left !== 'witness') wrong.push(`round ${round}: sessions on the socket are "${left}"`);
}
tmux(shared, 'kill-server');
// A tmux server leaves its socket behind.
const sockets = join('/tmp', `tmux-${process.getuid()}`);
for (const name of readdirSync(sockets)) if (name.startsWith(`stress-${process.pid}-`)) rmSync(join(sockets, name), { force: true });
process.stdout.write(`${rounds} rounds of four instances on one socket: ${wrong.length - startsWrong} wrong\n`);
for (const name of abandoned()) if (!before.includes(name)) wrong.push(`/tmp/${name} was left`);
for (const line of wrong.slice(0, 20)) process.stdout.write(`  ${line.slice(0, 400)}\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;
