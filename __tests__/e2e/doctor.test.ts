/** doctor: what it finds, what it says, what it clears away, and what it leaves alone. */

import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { freshHome, type Home, programPath } from './eye.js';

interface Found {
  readonly about: string;
  readonly state: string;
  readonly text: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Nobody has this process id. */
const GONE = 999_999_999;
const HOST = hostname().replace(/[^A-Za-z0-9.-]/g, '_');

let home: Home;
/** The sockets of these tests, and of no others. */
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = freshHome();
  env = { ...home.env, TMUX_TMPDIR: join(home.folder, 't') };
  mkdirSync(join(home.folder, 't'));
});
afterEach(async () => {
  tmux('kill-server');
  await home.dispose();
});

function tmux(...args: readonly string[]): string {
  try {
    return execFileSync('tmux', ['-L', home.socket, '-f', '/dev/null', ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

function run(...args: readonly string[]) {
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(process.execPath, [programPath(), 'doctor', ...args], { env, cwd: home.folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    ).stdin?.end();
  });
}

async function findings(...args: readonly string[]): Promise<readonly Found[]> {
  const { stdout } = await run('--json', ...args);
  return (JSON.parse(stdout) as { readonly findings: readonly Found[] }).findings;
}

/** A session with the labels of ours. */
function session(name: string, owner: string, kept = ''): void {
  tmux('new-session', '-d', '-s', name, 'sleep 600');
  tmux('set-option', '-t', `=${name}:`, '@buddy_managed', '1');
  tmux('set-option', '-t', `=${name}:`, '@buddy_owner', owner);
  if (kept !== '') tmux('set-option', '-t', `=${name}:`, '@buddy_kept', kept);
}

const named = (found: readonly Found[], text: string) => found.filter((one) => one.text.includes(text)).map(({ state }) => state);

test('says what is there, never a key', async () => {
  mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
  const profiles = [
    '[models.one]\nmodel = "m1"\napi_key = "swordfish-literal"',
    '[models.two]\nmodel = "m2"\napi_key_env = "TWO_KEY"',
    '[models.three]\nmodel = "m3"\napi_key_file = "~/nowhere"',
  ];
  writeFileSync(join(home.folder, '.config', 'buddy', 'buddy.toml'), `${profiles.join('\n')}\n`, { mode: 0o600 });
  env = { ...env, TWO_KEY: 'swordfish-env' };
  const { stdout } = await run();
  expect(stdout).toMatch(/^node {6}ok {6}v\d+\.\d+\.\d+ on linux; buddy-tui \d/m);
  expect(stdout).toMatch(/^terminal {2}note {4}xterm-256color, no terminal, 256 colours, UTF-8$/m);
  expect(stdout).toMatch(/^tmux {6}ok {6}3\.\S+ \(\/\S+tmux\)$/m);
  expect(stdout).toContain('buddy.toml');
  expect(stdout).toContain('one: m1 (chat), the one to start with; its key stands in the file');
  expect(stdout).toContain('two: m2 (chat); its key is in TWO_KEY');
  expect(stdout).toMatch(/^model {5}note {4}three: m3 .*nowhere is empty or not there$/m);
  expect(stdout).not.toContain('swordfish');
  expect((await run('--json')).stdout).not.toContain('swordfish');
});

test('without UTF-8 it says what is drawn, as the setting has it', async () => {
  env = { ...env, LANG: 'C', LC_ALL: 'C' };
  expect((await run()).stdout).toContain('The screen is drawn in ASCII. If the terminal knows UTF-8');
  mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
  writeFileSync(join(home.folder, '.config', 'buddy', 'buddy.toml'), '[display]\nglyphs = "unicode"\n', { mode: 0o600 });
  const { stdout } = await run();
  expect(stdout).not.toContain('drawn in ASCII');
  expect(stdout).toContain('Text beyond ASCII is drawn as UTF-8');
});

test('a wrong configuration is a problem, and the rest is looked at all the same', async () => {
  writeFileSync(join(home.folder, 'bad.toml'), '[tmux]\non_exit = "perhaps"\n');
  const { code, stdout } = await run('-c', 'bad.toml');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^config {4}problem .*on_exit must be one of "ask", "keep", "kill"/m);
  expect(stdout).toContain('session');
});

test('sessions: live, kept, orphaned, of another host; --clean ends the orphan, --kept the kept one, nothing else', async () => {
  session('buddy-live', `${HOST}/${process.pid}/aa`);
  session('buddy-orphan', `${HOST}/${GONE}/bb`);
  session('buddy-kept', `${HOST}/${GONE}/cc`, '1700000000000');
  session('buddy-far', `elsewhere.example/${GONE}/dd`);
  session('buddy-odd', 'whatever');
  tmux('new-session', '-d', '-s', 'users-own', 'sleep 600');
  const first = await findings();
  expect(named(first, 'buddy-live')).toEqual(['ok']);
  expect(named(first, 'buddy-orphan')).toEqual(['problem']);
  // It has the label, but no record in a folder of ours.
  expect(named(first, 'buddy-kept')).toEqual(['problem']);
  expect(named(first, 'buddy-far')).toEqual(['note']);
  expect(named(first, 'buddy-odd')).toEqual(['note']);
  expect(named(first, 'users-own')).toEqual([]);
  expect((await run()).code).toBe(1);
  const cleaned = await findings('--clean');
  expect(named(cleaned, 'buddy-orphan')).toEqual(['cleaned']);
  expect(named(cleaned, 'buddy-kept')).toEqual(['problem']);
  const names = () => tmux('list-sessions', '-F', '#{session_name}').trim().split('\n').sort();
  expect(names()).toEqual(['buddy-far', 'buddy-kept', 'buddy-live', 'buddy-odd', 'users-own']);
  const all = await findings('--clean', '--kept');
  expect(named(all, 'buddy-kept')).toEqual(['cleaned']);
  expect(names()).toEqual(['buddy-far', 'buddy-live', 'buddy-odd', 'users-own']);
});

test('folders and locks: only what names a process that is gone is removed', async () => {
  const folder = (owner: string | null) => {
    const made = mkdtempSync('/tmp/buddy-');
    if (owner !== null) writeFileSync(join(made, 'owner'), owner, { mode: 0o600 });
    return made;
  };
  const lock = (holder: string) => {
    const path = `/tmp/.buddy-${randomBytes(8).toString('hex')}.lock`;
    writeFileSync(path, holder, { mode: 0o600 });
    return path;
  };
  const stale: readonly [string, ...string[]] = [folder(`${GONE}\n`), folder(`${hostname()}/${GONE}\n`), lock(`${GONE} abc`)];
  const used = [folder(`${process.pid}\n`), folder(`elsewhere/${GONE}\n`), folder(null), lock(`${process.pid} abc`)];
  try {
    const states = (found: Awaited<ReturnType<typeof findings>>, paths: readonly string[]) => paths.map((path) => named(found, path)[0]);
    // Every program that starts in another test meanwhile sweeps away what the first one stands for.
    const contents = [`${GONE}\n`, `${hostname()}/${GONE}\n`, `${GONE} abc`];
    const makeStale = (): void => {
      for (const [at, path] of stale.entries()) {
        if (existsSync(path)) continue;
        if (!path.endsWith('.lock')) mkdirSync(path, { mode: 0o700 });
        writeFileSync(path.endsWith('.lock') ? path : join(path, 'owner'), contents[at] ?? '', { mode: 0o600 });
      }
    };
    let first = await findings();
    while (!existsSync(stale[0])) {
      makeStale();
      first = await findings();
    }
    expect(states(first, [...stale, ...used])).toEqual(['problem', 'problem', 'problem', 'ok', 'note', 'note', 'ok']);
    let cleaned = await findings('--clean');
    // Swept before it was looked at: once more, with the same three.
    while (states(cleaned, stale)[0] === undefined) {
      expect(states(cleaned, stale).slice(1)).toEqual(['cleaned', 'cleaned']);
      makeStale();
      cleaned = await findings('--clean');
    }
    expect(states(cleaned, stale)).toEqual(['cleaned', 'cleaned', 'cleaned']);
    expect(stale.map((path) => existsSync(path))).toEqual(stale.map(() => false));
    expect(used.map((path) => existsSync(path))).toEqual(used.map(() => true));
  } finally {
    for (const path of [...stale, ...used]) rmSync(path, { recursive: true, force: true });
  }
});

test('--kept alone is refused, and a server that does not answer is told', async () => {
  expect(await run('--kept')).toMatchObject({ code: 2, stderr: expect.stringContaining('--kept needs --clean') });
  session('buddy-live', `${HOST}/${process.pid}/aa`);
  const server = Number(tmux('display-message', '-p', '#{pid}'));
  process.kill(server, 'SIGSTOP');
  try {
    const found = await findings();
    expect(named(found, `the tmux server ${home.socket} cannot be asked: no answer within 5 seconds`)).toEqual(['problem']);
  } finally {
    process.kill(server, 'SIGCONT');
  }
});
