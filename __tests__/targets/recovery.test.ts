/** Shells and servers that go away, several instances on one server, and what is left behind. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { lockPath } from '../../lib/targets/tmux/server-lock.js';
import { until } from '../support/until.js';
import { expectAlive, noticesOf, type OpenTarget, pidIn, privateSocket, TargetTests, untilGone } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

test.each([
  ['exit 3', /exit status (3|unknown)/],
  ['exec true', /exit status (0|unknown)/],
  ['set -e; false', /exit status (1|unknown)/],
  ['kill -9 $$', /killed by signal 9|exit status unknown/],
])('%s ends the shell: told as lost, a new shell for the next command', async (command, words) => {
  const opened = await tests.start();
  await opened.run('GONE=1; cd /');
  const outcome = await opened.run(command);
  expect(outcome).toMatchObject({ kind: 'lost', reason: expect.stringMatching(words) });
  expect(await opened.run('echo "[$GONE]"; pwd')).toMatchObject({ kind: 'exited', output: { text: `[]\n${opened.home}\n` } });
  expect(noticesOf(opened)).toEqual([
    expect.stringMatching(/^The shell of the pane has ended \(.*\)\. The next command starts a new one\.$/),
    'A new shell was started in the pane; the working directory and the environment of the old one are lost.',
  ]);
});

test('typing into a pane whose shell has just died leaves the server and everybody else on it alone', async () => {
  const opened = await tests.start();
  opened.tmux('new-session', '-d', '-s', 'witness');
  const [pane, pid] = opened.tmux('list-panes', '-t', '=buddy-test:', '-F', '#{pane_id} #{pane_pid}').stdout.trim().split(' ');
  process.kill(Number(pid), 'SIGKILL');
  await until('tmux knows', () => opened.tmux('display-message', '-p', '-t', pane ?? '', '#{pane_dead}').stdout.trim() === '1');
  await opened.target.tmux?.type(undefined, 'x', new AbortController().signal).catch(() => undefined);
  expect(opened.tmux('has-session', '-t', '=witness').status).toBe(0);
  // The first command may be the one that finds out; it then tells so, and never ran.
  expect(await opened.run('echo once >>ran')).toMatchObject({ kind: expect.stringMatching(/^(lost|exited)$/) });
  await expectAlive(opened);
  expect(opened.tmux('kill-session', '-t', '=witness').status).toBe(0);
});

test('a server that is killed is told at once, and the next command starts a new one', async () => {
  const opened = await tests.start();
  const outcome = opened.run('echo $$ >pid; sleep 600');
  await pidIn(opened.home, 'pid');
  opened.tmux('kill-server');
  expect(await outcome).toMatchObject({ kind: 'lost', reason: expect.stringContaining('connection to tmux was lost') });
  await expectAlive(opened);
  expect(noticesOf(opened)).toEqual([
    expect.stringMatching(/^The connection to tmux was lost/),
    'A new tmux session was started; the working directory and the environment of the old shell are lost.',
  ]);
});

test('a pane that somebody closes comes back', async () => {
  const opened = await tests.start();
  opened.tmux('kill-pane', '-t', 'buddy-test:');
  await until('the loss is told', () => noticesOf(opened).length > 0);
  await expectAlive(opened);
});

test('four instances start at the same moment on one server, each in its own session, and leave nothing', async () => {
  const socket = privateSocket();
  const home = tests.newHome();
  const opened = await Promise.all([1, 2, 3, 4].map(() => tests.start({ socket, home })));
  const names = opened.map(({ target }) => target.summary.attach);
  expect([...names].sort()).toEqual(['', '-2', '-3', '-4'].map((suffix) => `tmux -L ${socket} attach -t buddy-test${suffix}`));
  const outcomes = await Promise.all(opened.map(({ run }, at) => run(`echo ${at}; (exit ${at})`)));
  expect(outcomes.map((outcome) => (outcome.kind === 'exited' ? outcome.exitCode : outcome))).toEqual([0, 1, 2, 3]);
  const first = opened[0];
  if (first === undefined) throw new Error('none');
  await Promise.all(opened.slice(1).map(({ target }) => target.close()));
  await expectAlive(first);
  await first.target.close();
  expect(first.tmux('list-sessions').status).not.toBe(0);
});

/** The private folder that the pane's shell was started from. */
async function folderOf(opened: OpenTarget): Promise<string> {
  const shown = await opened.run("tr '\\0' ' ' </proc/$$/cmdline");
  return /\/tmp\/buddy-\w+/.exec(shown.raw)?.[0] ?? 'no folder';
}

test('close leaves no session, no folder, no process, no lock', async () => {
  const opened = await tests.start();
  const folder = await folderOf(opened);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])).toEqual([
    ['owner', 0o600],
    ['rc', 0o600],
    ['s', 0o600],
    ['status', 0o600],
  ]);
  await opened.run('echo $$ >pid');
  const shell = await pidIn(opened.home, 'pid');
  const outcome = await opened.run('sleep 600', { kind: 'none' });
  await opened.target.close();
  expect(opened.tmux('has-session', '-t', '=buddy-test').status).not.toBe(0);
  await untilGone(shell);
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(lockPath(userInfo().username, opened.socket))).toBe(false);
  if (outcome.kind !== 'running') throw new Error(outcome.kind);
  expect(await outcome.background.ended).toMatchObject({ exitCode: null });
  await expect(opened.run('true')).rejects.toMatchObject({ code: 'target.closed' });
});

test('a folder left behind by a program that is gone is removed by the next one, others are not', async () => {
  const made = ['999999999', String(process.pid)].map((owner) => {
    const folder = mkdtempSync('/tmp/buddy-');
    writeFileSync(join(folder, 'owner'), `${owner}\n`);
    return folder;
  });
  const [abandoned = '', used = ''] = made;
  await tests.start();
  await until('the abandoned folder is gone', () => !existsSync(abandoned));
  expect(existsSync(used)).toBe(true);
  rmSync(used, { recursive: true });
});

test('a session whose program was killed ends by itself, and so does its folder', async () => {
  const opened = await tests.start();
  const folder = await folderOf(opened);
  const server = Number(opened.tmux('display-message', '-p', '#{pid}').stdout);
  const found = spawnSync('pgrep', ['-f', `^tmux -u -L ${opened.socket} `], { encoding: 'utf8' })
    .stdout.split('\n')
    .map(Number);
  const clients = found.filter((pid) => pid > 1 && pid !== server);
  expect(clients).toHaveLength(1);
  for (const pid of clients) process.kill(pid, 'SIGKILL');
  await until('the session is gone', () => opened.tmux('has-session', '-t', '=buddy-test').status !== 0);
  await until('its folder is gone', () => !existsSync(folder));
});

test('start refuses to run inside a pane that it manages, and only there', async () => {
  const first = await tests.start();
  const TMUX = first.tmux('display-message', '-p', '#{socket_path},1,0').stdout.trim();
  await expect(tests.start({ env: { TMUX, TMUX_PANE: '%0' } })).rejects.toMatchObject({
    code: 'target.own-pane',
    message: 'this terminal is a pane that buddy-tui manages itself',
  });
  first.tmux('new-session', '-d', '-s', 'users-own', 'sleep 600');
  const pane = first.tmux('list-panes', '-t', '=users-own', '-F', '#{pane_id}').stdout.trim();
  await expectAlive(await tests.start({ env: { TMUX, TMUX_PANE: pane } }));
  first.tmux('kill-session', '-t', '=users-own');
});

test('a shell that never shows our prompt is told with what to do', async () => {
  const home = tests.newHome();
  writeFileSync(join(home, '.bashrc'), 'exit 5\n');
  await expect(tests.start({ home })).rejects.toMatchObject({ code: 'target.shell', message: 'the shell bash ended while it started' });
});

test('the environment of the pane holds no key', async () => {
  const opened = await tests.start({ env: { MY_VAR: 'pass-me' }, passEnvironment: ['MY_VAR'] });
  expect(await opened.run('echo "[$SECRET_KEY] [$MY_VAR] $PAGER $GIT_PAGER"; env | grep -c BUDDY')).toMatchObject({
    output: { text: '[] [pass-me] cat cat\n0\n' },
  });
});
