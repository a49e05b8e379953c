/** Commands and the end, while the pane is only being opened; and commands that were meant for another folder. */

import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../lib/base/log.js';
import { createTarget } from '../../lib/targets/index.js';
import type { TargetEvent } from '../../lib/targets/target.js';
import { until } from '../support/until.js';
import { never, pidIn, privateSocket, TargetTests, targetHost } from './local-target.js';

const tests = new TargetTests();
afterEach(() => tests.closeAll());

function targetIn(home: string, socket: string) {
  const made = { via: 'tmux', host: targetHost(home), agentName: 'test', cols: 100, rows: 30, log: silentLog, shell: 'bash' } as const;
  const target = createTarget({ ...made, mirror: false, socket });
  const events: TargetEvent[] = [];
  target.onEvent((event) => events.push(event));
  return { target, events };
}

test('a command that comes while the pane is being opened waits for it: one session, no second one', async () => {
  const { socket, home, tmux } = await tests.start();
  const { target, events } = targetIn(home, socket);
  const started = target.start(never);
  const outcome = await target.run({ command: 'echo here', wait: { kind: 'exit' } }, { signal: never, onChunk: () => undefined });
  await started;
  expect(outcome).toMatchObject({ kind: 'exited', output: { text: 'here\n' } });
  expect(events.filter((event) => event.type === 'pane.opened')).toHaveLength(1);
  expect(tmux('list-sessions', '-F', '#{session_name}').stdout.trim().split('\n')).toEqual(['buddy-test', 'buddy-test-2']);
  await target.close();
});

test('closing while the pane is being opened leaves no session', async () => {
  const { socket, home, tmux } = await tests.start();
  const { target } = targetIn(home, socket);
  const started = target.start(never).catch((thrown: Error) => thrown.name);
  await target.close();
  expect(await started).toBe('AbortError');
  expect(tmux('list-sessions', '-F', '#{session_name}').stdout.trim()).toBe('buddy-test');
});

test('commands still run after everything in /tmp was removed', async () => {
  const opened = await tests.start({ socket: privateSocket(), home: tests.newHome() });
  const shown = await opened.run("tr '\\0' ' ' </proc/$$/cmdline");
  const folder = /\/tmp\/buddy-\w{6}/.exec(shown.raw)?.[0] ?? '';
  expect(existsSync(folder)).toBe(true);
  expect(await opened.run(`rm -rf ${folder}; echo gone`)).toMatchObject({ kind: 'exited', exitCode: 0 });
  expect(existsSync(folder)).toBe(false);
  expect(await opened.run('echo still here')).toMatchObject({ kind: 'exited', output: { text: 'still here\n' } });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a shell that ended tells the folder of the one that will follow; a command meant for the old folder does not run there', async () => {
  const opened = await tests.start({ socket: privateSocket(), home: tests.newHome() });
  await opened.run('cd /; echo $$ >"$HOME/pid"');
  expect(opened.target.summary.cwd).toBe('/');
  // The shell ends behind our back: the next command is still meant for /.
  writeFileSync(join(opened.home, 'left'), '');
  process.kill(await pidIn(opened.home, 'pid'), 'SIGKILL');
  const outcome = await opened.run('rm -f left');
  expect(outcome.kind).not.toBe('exited');
  expect(await opened.run('ls left; pwd')).toMatchObject({ kind: 'exited', output: { text: `left\n${opened.home}\n` } });
});

test('a session that is taken away while its shell starts is begun once more; the target is ready, and commands run', async () => {
  const home = tests.newHome();
  writeFileSync(join(home, '.bashrc'), 'if [ ! -e ~/begun ]; then : >~/begun; sleep 30; fi\n');
  const other = await tests.start({ home: tests.newHome() });
  const { target, events } = targetIn(home, other.socket);
  const started = target.start(never);
  await until('its shell starts', () => existsSync(join(home, 'begun')));
  other.tmux('kill-session', '-t', '=buddy-test-2');
  await started;
  const outcome = await target.run({ command: 'echo here', wait: { kind: 'exit' } }, { signal: never, onChunk: () => undefined });
  expect(outcome).toMatchObject({ kind: 'exited', output: { text: 'here\n' } });
  expect(events.filter((event) => event.type === 'pane.opened').length).toBeGreaterThan(0);
  await target.close();
});
