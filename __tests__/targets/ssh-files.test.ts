/** Files on another host, over a real ssh connection, through both kinds of target. */

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { silentLog } from '../../lib/base/log.js';
import type { Place } from '../../lib/targets/places/place.js';
import { sshPlace } from '../../lib/targets/places/ssh.js';
import { until } from '../support/until.js';
import { type FileGround, fileContract } from './file-contract.js';
import { never, noticesOf, type OpenTarget, privateSocket, TargetTests, targetHost } from './local-target.js';
import { searchContract } from './search-contract.js';
import { hasSshd, type SshServer, startSshServer } from './ssh-server.js';

// Logging in takes long on a loaded machine; each wait inside has its own limit.
jest.setTimeout(60_000);

let server: SshServer;
const there = hasSshd ? test : test.skip;
beforeAll(async () => {
  if (hasSshd) server = await startSshServer({ bashrc: 'echo a greeting that is in the way\n' });
});
afterAll(async () => {
  if (hasSshd) await server.close();
});

describe.each(['tmux', 'direct'] as const)('%s', (via) => {
  const tests = new TargetTests();
  let opened: OpenTarget;
  let place: Place;
  beforeAll(async () => {
    if (!hasSshd) return;
    const home = tests.newHome();
    place = sshPlace({ host: targetHost(home, server.env), destination: server.destination, connectTimeoutS: 10, log: silentLog });
    await place.connect(never);
    opened = await tests.start({ home, place, via, env: server.env, socket: privateSocket() });
  });
  afterAll(() => tests.closeAll());

  fileContract(there, (): FileGround => {
    const shell = (script: string) => spawnSync('sh', ['-c', script], { cwd: server.home, encoding: 'utf8' }).stdout;
    return { target: opened.target, place, shell };
  });

  searchContract(there, () => ({
    target: opened.target,
    shell: (script) => spawnSync('sh', ['-c', script], { cwd: server.home, encoding: 'utf8' }).stdout,
  }));

  there('a connection that breaks in the middle leaves the old file as it was', async () => {
    const path = join(server.home, `kept-${via}`);
    writeFileSync(path, 'old');
    server.wire.cutAfter(3_000_000);
    await expect(place.writeFile(path, randomBytes(8_000_000), never)).rejects.toMatchObject({ code: 'target.lost' });
    server.wire.mend();
    await until('it is back', () => place.reach(5000, never));
    await until('all of it is back', () => noticesOf(opened).at(-1) === 'Connected to 127.0.0.1 again.');
    expect(readFileSync(path, 'utf8')).toBe('old');
    await until('nothing is left beside', () => readdirSync(server.home).every((name) => !name.startsWith('.buddy-')));
  });
});
