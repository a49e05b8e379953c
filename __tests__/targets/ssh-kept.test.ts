/** A session on another host that is kept, and the next run that continues in it over a new connection. */

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { until } from '../support/until.js';
import { expectAlive, noticesOf, privateSocket, TargetTests } from './local-target.js';
import { hasSshd, type SshServer, startSshServer } from './ssh-server.js';
import { openOverSsh } from './ssh-target.js';

// Logging in takes long on a loaded machine; each wait inside has its own limit.
jest.setTimeout(60_000);

const tests = new TargetTests();
let server: SshServer;
const there = hasSshd ? test : test.skip;

beforeAll(async () => {
  if (hasSshd) server = await startSshServer();
});
afterEach(() => tests.closeAll());
afterAll(async () => {
  if (hasSshd) await server.close();
});

const start = (socket: string) => openOverSsh(tests, server, { socket, adopt: true });

there('what runs there goes on without a connection, and the next run is told of its end', async () => {
  const socket = privateSocket();
  const first = await start(socket);
  await first.run('cd; STAYS=yes');
  const go = join(server.home, 'go-kept');
  await first.run(`until [ -e ${go} ]; do sleep 0.05; done; (exit 9)`, { kind: 'none' });
  expect(await first.target.close('keep')).toBe(true);
  await until('all connections are closed', () => server.wire.connections === 0);
  writeFileSync(go, '');
  const second = await start(socket);
  expect(noticesOf(second)[0]).toMatch(/^Continues in the session that was kept at .*(ended with exit code 9|is still running there)\.$/);
  await until('it has ended', async () => (await second.run('true')).kind === 'exited');
  expect(await second.run('echo "[$STAYS]"; pwd; [ -n "$SSH_CONNECTION" ]')).toMatchObject({
    exitCode: 0,
    output: { text: `[yes]\n${server.home}\n` },
  });
  const shown = await second.run("tr '\\0' ' ' </proc/$$/cmdline");
  const folder = /\/tmp\/buddy-\w+/.exec(shown.raw)?.[0] ?? '';
  await expectAlive(second);
  await second.target.close();
  expect(existsSync(folder)).toBe(false);
  expect(second.tmux('has-session', '-t', '=buddy-test').status).not.toBe(0);
  rmSync(go);
});
