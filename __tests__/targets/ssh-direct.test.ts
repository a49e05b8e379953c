/** Commands on another host without tmux, over a real ssh connection. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { until } from '../support/until.js';
import { expectAlive, noticesOf, pidIn, TargetTests, untilGone } from './local-target.js';
import { hasSshd, type SshServer, startSshServer } from './ssh-server.js';
import { openOverSsh, type SshTarget } from './ssh-target.js';

// Logging in takes long on a loaded machine; each wait inside has its own limit.
jest.setTimeout(60_000);

const tests = new TargetTests();
let server: SshServer;
const there = hasSshd ? test : test.skip;

beforeAll(async () => {
  if (hasSshd) server = await startSshServer({ path: '/usr/bin:/bin', bashrc: 'echo a greeting that is in the way\n' });
});
afterEach(() => tests.closeAll());
afterAll(async () => {
  if (hasSshd) await server.close();
});

async function start(): Promise<SshTarget> {
  const opened = await openOverSsh(tests, server, { via: 'direct' });
  await opened.run('cd');
  return opened;
}

there('gives exit codes and output exactly', async () => {
  const { run, target } = await start();
  expect(target.tmux).toBeNull();
  expect(target.summary).toMatchObject({ kind: 'ssh', via: 'direct', label: '127.0.0.1 (ssh)', cwd: server.home, attach: null });
  expect(await run('echo out; echo err >&2; exit 3')).toMatchObject({ kind: 'exited', exitCode: 3, output: { totalLines: 2 } });
  expect(await run('kill -9 $$')).toMatchObject({ kind: 'exited', exitCode: 137 });
  expect(await run('(exit 255)')).toMatchObject({ kind: 'exited', exitCode: 255 });
  expect(await run("echo 'open")).toMatchObject({ kind: 'exited' });
  expect(await run('cat')).toMatchObject({ kind: 'exited', exitCode: 0 });
  expect(await run('printf abc')).toMatchObject({ output: { text: 'abc' } });
  expect(await run('ps ax >f; grep -c "sh -c" f >g; ps ax; true')).toMatchObject({ kind: 'exited', exitCode: 0 });
  expect(await run('seq 1 20000')).toMatchObject({ exitCode: 0, output: { totalLines: 20_000 } });
});

there('keeps the working directory, and starts at home when it is gone', async () => {
  const { run, target } = await start();
  mkdirSync(join(server.home, "sub 'folder"), { recursive: true });
  await run('cd "sub \'folder"; exit 1');
  expect(await run('pwd')).toMatchObject({ output: { text: `${realpathSync(server.home)}/sub 'folder\n` } });
  await run('mkdir -p gone && cd gone && rmdir ../gone');
  expect(await run('true')).toMatchObject({ kind: 'lost', reason: expect.stringContaining('there is no folder') });
  expect(await run('pwd')).toMatchObject({ kind: 'exited', output: { text: `${server.home}\n` } });
  expect(target.summary.cwd).toBe(server.home);
});

there('cancel ends the whole group there', async () => {
  const opened = await start();
  const cancel = new AbortController();
  const outcome = opened.run('sh -c \'echo $$ >pid; trap "" TERM; while :; do sleep 1; done\'; true', { kind: 'exit' }, cancel.signal);
  const pid = await pidIn(server.home, 'pid');
  cancel.abort();
  expect(await outcome).toMatchObject({ kind: 'cancelled', stopped: true });
  await untilGone(pid);
  await expectAlive(opened);
});

there('a daemon that keeps the output open holds nothing up', async () => {
  const opened = await start();
  expect(await opened.run('sleep 600 & echo $! >daemon; echo done')).toMatchObject({ exitCode: 0, output: { text: 'done\n' } });
  const pid = await pidIn(server.home, 'daemon');
  spawnSync('kill', [String(pid)]);
  await expectAlive(opened);
});

there('close ends what still runs', async () => {
  const opened = await start();
  const outcome = await opened.run('echo $$ >closing; sleep 600; true', { kind: 'none' });
  const pid = await pidIn(server.home, 'closing');
  await opened.target.close();
  await untilGone(pid);
  expect(outcome).toMatchObject({ kind: 'running', reason: 'detached' });
});

there('a connection that breaks is told, and is made again', async () => {
  const opened = await start();
  const outcome = opened.run('echo $$ >broken; exec sleep 600');
  const pid = await pidIn(server.home, 'broken');
  server.wire.cut();
  expect(await outcome).toMatchObject({ kind: 'lost', reason: expect.stringContaining('the connection to 127.0.0.1 was lost') });
  await until('it is told', () => opened.target.summary.label === '127.0.0.1 (ssh, connection lost)');
  server.wire.mend();
  writeFileSync(join(server.home, 'here'), 'x');
  expect(await opened.run('cat here')).toMatchObject({ kind: 'exited', output: { text: 'x' } });
  // What was lost may go on there.
  spawnSync('kill', ['-9', String(pid)]);
  expect(noticesOf(opened)).toEqual([
    expect.stringMatching(/^The connection to 127\.0\.0\.1 was lost \(.*\)\.$/),
    'Connected to 127.0.0.1 again.',
  ]);
});
