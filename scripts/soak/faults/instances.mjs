/** F16: many programs at once, on one session and on one login. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../bench/measure.mjs';
import { someJob } from '../work.mjs';

const HANG_MS = 120_000;

/** Runs the program without a terminal; `{ code, said }`. */
function without(place, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'bin', 'buddy-tui.js'), ...args], {
      cwd: place.work,
      env: place.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
    const timer = setTimeout(() => child.kill('SIGKILL'), HANG_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, said });
    });
  });
}

/** The session that is open here is gone on with elsewhere: that is a copy. */
async function oneSession(stage) {
  const { place } = stage;
  await stage.settle(await someJob(stage));
  const [first] = place.sessionFiles();
  const before = readFileSync(join(place.sessions, first), 'utf8');
  const job = stage.plan([]);
  const { code, said } = await without(place, ['exec', '--direct', '--session', 'last', `do job ${job}`]);
  const wrong = [];
  const after = readFileSync(join(place.sessions, first), 'utf8');
  if (!after.startsWith(before)) wrong.push('the session was changed by another program');
  if (after.includes(`do job ${job}`)) wrong.push('two programs wrote into one session');
  if (code !== 0 && !/open|another/.test(said)) wrong.push(`the other program ended with ${code}: ${said}`);
  return wrong;
}

const INSTANCES = 8;

/** A login whose time is over, and programs that all need it: it is renewed once. */
async function oneLogin(stage) {
  const { place, provider } = stage;
  const origin = `http://127.0.0.1:${provider.port}`;
  const file = join(place.config, 'auth.json');
  const login = {
    issuer: origin,
    client_id: 'soak',
    access_token: jwtOf(0),
    refresh_token: 'refresh-0',
    expires_at_ms: Date.now() - 1000,
    renewed_at_ms: 0,
  };
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), logins: { openai: login } }));
  const config = readFileSync(join(place.config, 'buddy.toml'), 'utf8');
  const more = [
    '[login]',
    `issuer = "${origin}"`,
    'client_id = "soak"',
    `backend = "${origin}/backend"`,
    '[models.subscription]',
    'api = "responses"',
    'auth = "login"',
    'model = "mock-1"',
    '',
  ];
  writeFileSync(join(place.config, 'buddy.toml'), `${config}${more.join('\n')}`);
  const job = stage.plan([]);
  const before = provider.renewals();
  const ended = await Promise.all(
    Array.from({ length: INSTANCES }, () => without(place, ['exec', '--direct', '-m', 'subscription', `do job ${job}`])),
  );
  const wrong = ended
    .filter(({ code }) => code !== 0)
    .map(({ code, said }) => `one of ${INSTANCES} programs ended with ${code}: ${said.slice(0, 500)}`);
  const renewals = provider.renewals() - before;
  if (renewals !== 1) wrong.push(`the login was renewed ${renewals} times`);
  return wrong;
}

function jwtOf(number) {
  const part = (json) => Buffer.from(JSON.stringify(json)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ number, 'https://api.openai.com/auth': { chatgpt_account_id: 'soak' } })}.sig`;
}

export const faults = [
  { name: 'F16 session', says: 'two programs, one session', run: oneSession },
  { name: 'F16 login', says: `${INSTANCES} programs, one login whose time is over`, run: oneLogin },
];
