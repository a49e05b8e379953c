/** What tmux does by itself when a program is gone: its session ends after the grace, and no other one. On a real server. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detachedHook } from '../../lib/targets/tmux/session-lines.js';
import { until } from '../support/until.js';
import { privateSocket } from './local-target.js';

const socket = privateSocket();
const tmux = (...args: string[]) => spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' }).stdout.trim();
const clients: ChildProcess[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'buddy-hook-'));
  // The server lives on, whatever ends.
  tmux('new-session', '-d', '-s', 'other');
});
afterEach(() => {
  for (const client of clients.splice(0)) client.kill('SIGKILL');
  tmux('kill-server');
  rmSync(folder, { recursive: true, force: true });
});

const exists = (name: string) => tmux('list-sessions', '-F', '#{session_name}').split('\n').includes(name);
const attached = (name: string) => tmux('display-message', '-p', '-t', `=${name}:`, '#{session_attached}');

/** A client as a program of ours has one; the grace is a second. */
async function client(name: string, owner: string, more: readonly string[]): Promise<ChildProcess> {
  const child = spawn('tmux', ['-L', socket, '-f', '/dev/null', '-C', ...more, 'attach-session', '-t', `=${name}`]);
  clients.push(child);
  await until(`${name} of ${owner} is attached`, () => attached(name) === '1');
  return child;
}

function session(name: string, owner: string): Promise<ChildProcess> {
  const hook = detachedHook({ place: { graceS: 1 } } as Parameters<typeof detachedHook>[0], name, owner, join(folder, owner));
  const labels = ['set-option', '-t', `=${name}:`, '@buddy_owner', owner, ';', 'set-hook', '-t', `=${name}:`, 'client-detached', hook];
  return client(name, owner, ['new-session', '-d', '-s', name, ';', ...labels, ';']);
}

async function killed(program: ChildProcess, name: string): Promise<void> {
  program.kill('SIGKILL');
  await until('tmux has noticed it', () => attached(name) !== '1');
}

/** The grace of a program that is killed now is over: another session, which was left after it, has gone. */
async function graceOver(): Promise<void> {
  const later = await session('later', 'later');
  await killed(later, 'later');
  await until('the later session has ended', () => !exists('later'));
}

test('the session of a program that is gone ends', async () => {
  await killed(await session('mine', 'first'), 'mine');
  await until('it has ended', () => !exists('mine'));
});

test('its folder goes as well', async () => {
  const own = await session('mine', 'first');
  spawnSync('mkdir', [join(folder, 'first')]);
  await killed(own, 'mine');
  await until('it has gone', () => !existsSync(join(folder, 'first')));
});

test('a session of the same name that somebody has begun meanwhile stays', async () => {
  await killed(await session('mine', 'first'), 'mine');
  tmux('kill-session', '-t', '=mine');
  await session('mine', 'second');
  await graceOver();
  expect(attached('mine')).toBe('1');
});

test('a session that is attached to again stays', async () => {
  await killed(await session('mine', 'first'), 'mine');
  await client('mine', 'first', []);
  await graceOver();
  expect(attached('mine')).toBe('1');
});

test('a session that was kept meanwhile stays', async () => {
  await killed(await session('mine', 'first'), 'mine');
  tmux('set-option', '-t', '=mine:', '@buddy_kept', '1');
  await graceOver();
  expect(exists('mine')).toBe(true);
});
