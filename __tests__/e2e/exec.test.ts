/** exec, and everything that is refused with one clear sentence. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { freshHome, type Home, programPath } from './eye.js';

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.dispose());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function buddy(args: readonly string[], options: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [programPath(), ...args],
      { env: { ...home.env, ...options.env }, cwd: home.folder },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(options.input ?? '');
  });
}

test('only the answer is on standard output, and nothing is left behind', async () => {
  const { code, stdout, stderr } = await buddy([
    'exec',
    '--dangerously-auto-approve',
    'run echo answer-$((6*7)); exit-code-test() { return 3; }; exit-code-test',
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain('answer-42');
  expect(stdout).toContain('3');
  expect(stdout).not.toContain('▶');
  expect(stderr).toContain('▶ run_shell');
  expect(await home.tmux('ls')).toBe('');
});

test('piped input is added to the prompt', async () => {
  const { stdout } = await buddy(['exec', '--dangerously-auto-approve', '--direct'], { input: 'run echo from-a-pipe\n' });
  expect(stdout).toContain('from-a-pipe');
});

test('BUDDY_TIMING=1 tells on standard error, at the end, what the start took', async () => {
  const { code, stderr } = await buddy(['exec', '--direct', 'hello'], { env: { BUDDY_TIMING: '1' } });
  expect(code).toBe(0);
  expect(stderr).toMatch(/start-up profile:.*\nnode +[\d.]+ ms .*\nimports +[\d.]+ ms .*\nconfig .*\nruntime .*\ntarget .* ms\n$/);
});

test('what would need a yes ends it at once, before anything runs', async () => {
  const { code, stdout, stderr } = await buddy(['exec', 'run touch made']);
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain('  computed: medium, mutates\nbuddy-tui: exec cannot ask for approval, so it did not run.');
  expect(stderr).toContain('--dangerously-auto-approve');
  expect(existsSync(join(home.folder, 'made'))).toBe(false);
});

test('a saved rule lets through what it covers and nothing else; a broken file of rules is told of', async () => {
  const state = join(home.folder, '.local', 'state', 'buddy');
  mkdirSync(state, { recursive: true });
  const put = (text: string) => writeFileSync(join(state, 'rules.json'), text, { mode: 0o600 });
  const place = { target: 'this host', host: hostname(), user: userInfo().username };
  const words = ['printf', 'by-%s'];
  put(JSON.stringify([{ words, exact: false, ...place }]));
  const covered = await buddy(['exec', '--direct', "run printf by-%s 'a rule'"]);
  expect(covered.stderr).toContain('not asked: your rule r1, printf by-%s … (always, as ');
  expect([covered.code, covered.stdout]).toEqual([0, expect.stringContaining('by-a rule')]);
  const chained = await buddy(['exec', '--direct', 'run printf by-%s a; touch made']);
  expect([chained.code, existsSync(join(home.folder, 'made'))]).toEqual([1, false]);
  put(`[\n  ${JSON.stringify({ words, exact: false, ...place })},\n  {"words": ["sudo"], "exact": false}\n]\n`);
  const broken = await buddy(['exec', '--direct', 'run printf by-%s a']);
  expect(broken.stderr).toContain('rules.json:3: this is no rule; the rules in it are ignored');
  expect(broken.code).toBe(1);
});

test('--json is one event a line, in order, ending with the end and what it took', async () => {
  const { stdout } = await buddy(['exec', '--json', '--direct', '--dangerously-auto-approve', 'run echo hi']);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map((envelope) => envelope.seq)).toEqual(events.map((_, index) => index));
  expect(events[0].event).toMatchObject({ type: 'stream.header', protocol: 1, mode: 'exec', cwd: home.folder, target: { kind: 'local' } });
  expect(events[1].event).toMatchObject({ type: 'lifecycle.started', session: events[0].event.session, version: events[0].event.version });
  expect(events.at(-2).event.type).toBe('lifecycle.stopped');
  expect(events.at(-1).event).toMatchObject({ type: 'exec.usage', model: 'demo', requests: 2, cost: null });
});

test('what is asked about in every mode runs when all was allowed outright', async () => {
  const { stdout } = await buddy(['exec', '--direct', '--dangerously-auto-approve', 'run tail -c +0 < /proc/self/environ | wc -l']);
  expect(stdout).toContain('exit code **0**');
});

test('the denylist holds even then', async () => {
  const { stdout, stderr } = await buddy(['exec', '--direct', '--dangerously-auto-approve', 'run mkfs /dev/nothing']);
  expect(stderr).toContain('refused');
  expect(stdout).not.toMatch(/exit code \**\d/);
});

test('a trace holds the run, and a full disk for it is told', async () => {
  const path = join(home.folder, 'trace.jsonl');
  await buddy(['exec', '--direct', '--trace', path, '--dangerously-auto-approve', 'run echo traced']);
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => line.kind)).toContain('command');
  expect(lines.at(-1).event.type).toBe('lifecycle.stopped');
  const full = await buddy(['exec', '--direct', '--trace', '/dev/full', 'time']);
  expect(full.stderr).toContain('the trace ends here: the disk is full');
});

test.each([
  [['--nope'], '"nope" is no flag or subcommand'],
  [['exce', 'x'], '"exce" is no flag or subcommand; did you mean exec?'],
  [['--modle', 'x'], 'did you mean --model?'],
  [['-c', '/no/such/file', 'exec', 'x'], '/no/such/file cannot be read: no such file or folder'],
  [['exec'], 'exec needs a prompt'],
  [[], 'the dashboard needs a terminal'],
  [['exec', 'x', '--trace', '/no/such/folder/t'], 'cannot write the trace /no/such/folder/t: no such file or folder'],
  [['exec', '-m', 'no-such-profile', 'x'], 'there is no model profile "no-such-profile"'],
])('%j is refused with a sentence and exit code 2', async (args, sentence) => {
  const { code, stdout, stderr } = await buddy(args, { env: { BUDDY_MODEL: '' } });
  expect(stderr).toContain(sentence);
  expect(stdout).toBe('');
  expect(code).toBe(2);
});

test('a broken configuration names file and line', async () => {
  const path = join(home.folder, '.config', 'buddy', 'buddy.toml');
  mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
  writeFileSync(path, '[agent]\nname = "x"\nmax_iterations = =\n');
  const { code, stderr } = await buddy(['exec', 'x']);
  expect(code).toBe(2);
  expect(stderr).toContain(`${path}:3`);
});

test('without tmux the plain shell is used and said so; --tmux without tmux is refused', async () => {
  const env = { PATH: join(home.folder, 'bin') };
  mkdirSync(env.PATH);
  const { stdout, stderr } = await buddy(['exec', '--dangerously-auto-approve', 'run echo no-pane'], { env: { ...env, SHELL: '/bin/sh' } });
  expect(stderr).toContain('tmux is not installed');
  expect(stdout).toContain('no-pane');
  const refused = await buddy(['--tmux', 'mine', 'exec', 'x'], { env });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('--tmux asks for it');
});

test('an address that answers with a web page is named', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Welcome</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { code, stderr } = await buddy(['exec', '--direct', '--base-url', address, '-m', 'any', 'hello'], {
    env: { BUDDY_API_KEY: 'test-key-1' },
  });
  server.close();
  expect(code).toBe(1);
  expect(stderr).toContain(address);
  expect(stderr).toMatch(/HTML|web page/i);
});

test('--version and help', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect((await buddy(['--version'])).stdout.trim()).toBe(version);
  expect((await buddy(['exec', '--version'])).stdout.trim()).toBe(version);
  expect((await buddy(['help'])).stdout).toContain('exec [prompt..]');
});

test('a session is kept only when asked for, and the next run goes on in it', async () => {
  expect((await buddy(['exec', '--direct', 'what time is it?'])).code).toBe(0);
  expect(existsSync(join(home.folder, '.buddyx'))).toBe(false);
  const first = await buddy(['exec', '--direct', '--session', 'new', 'what time is it?']);
  expect(first.stderr).toMatch(/^buddy-tui: session [0-9a-f-]+$/m);
  const id = /buddy-tui: session (\S+)/.exec(first.stderr)?.[1] ?? '';
  const file = join(home.folder, '.buddyx', 'sessions', `${id}.jsonl`);
  const ends = () => readFileSync(file, 'utf8').match(/"type":"end"/g)?.length;
  expect(ends()).toBe(1);
  const second = await buddy(['exec', '--direct', '--session', 'last', 'and now?']);
  expect(second.code).toBe(0);
  expect(second.stderr).toContain(`buddy-tui: session ${id}`);
  expect(ends()).toBe(2);
  const none = await buddy(['exec', '--direct', '--session', 'nope', 'and now?']);
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('there is no session "nope" in this folder');
});

test('a session that could not be kept is told of once', async () => {
  writeFileSync(join(home.folder, '.buddyx'), '');
  const { code, stderr } = await buddy(['exec', '--direct', '--session', 'new', 'what time is it?']);
  expect(code).toBe(0);
  expect(stderr.match(/not saved/g)).toHaveLength(1);
  expect(stderr).toMatch(/is not saved to its end \(.*\.buddyx is no folder\): what was not written is lost/);
});

test('a session that cannot be opened after all: the prompt does not run', async () => {
  await buddy(['exec', '--direct', '--session', 'new', 'what time is it?']);
  const folder = join(home.folder, '.buddyx', 'sessions');
  const [file = ''] = readdirSync(folder);
  truncateSync(join(folder, file), 2 ** 31);
  const { code, stdout } = await buddy(['exec', '--direct', '--json', '--session', 'last', 'and now?']);
  const types = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event.type);
  expect(code).toBe(1);
  expect(types).toContain('command.refused');
  expect(types).not.toContain('task.started');
});

test.each(['exec --direct --session new hello', 'exec --direct --session last hello', 'resume --last', 'resume --plain'])(
  'sessions.save = false: "%s" is refused at once',
  async (line) => {
    mkdirSync(join(home.folder, '.config', 'buddy'), { recursive: true });
    writeFileSync(join(home.folder, '.config', 'buddy', 'buddy.toml'), '[sessions]\nsave = false\n', { mode: 0o600 });
    const { code, stdout, stderr } = await buddy(line.split(' '));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('sessions are not kept: sessions.save is false');
  },
);
