/** A tmux pane on another host, over a real ssh connection. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type Clock, systemClock } from '../../lib/base/clock.js';
import { RECONNECT_MS } from '../../lib/targets/places/place.js';
import { until } from '../support/until.js';
import { expectAlive, HeldClock, never, noticesOf, type OpenTarget, pidIn, TargetTests } from './local-target.js';
import { hasSshd, type SshServer, startSshServer } from './ssh-server.js';
import { openOverSsh, type SshTarget } from './ssh-target.js';

// Logging in takes long on a loaded machine; each wait inside has its own limit.
jest.setTimeout(60_000);

const tests = new TargetTests();
let server: SshServer;
const there = hasSshd ? test : test.skip;

beforeAll(async () => {
  if (hasSshd) server = await startSshServer();
});
afterEach(async () => {
  // A test that failed may have left it so; where all is well mending would break what stands.
  if (hasSshd && server.wire.broken) server.wire.mend();
  await tests.closeAll();
});
afterAll(async () => {
  if (hasSshd) await server.close();
});

async function start(clock: Clock = systemClock): Promise<SshTarget> {
  const opened = await openOverSsh(tests, server, {}, clock);
  await opened.run('cd');
  return opened;
}

there('runs commands there, and says where', async () => {
  const opened = await start();
  expect(await opened.run('echo żółć "$HOME"; [ -n "$SSH_CONNECTION" ] && (exit 3)')).toMatchObject({
    kind: 'exited',
    exitCode: 3,
    output: { text: `żółć ${server.home}\n` },
  });
  const { user, port } = server.destination;
  expect(opened.target.summary).toMatchObject({
    kind: 'ssh',
    via: 'tmux',
    label: '127.0.0.1 (ssh)',
    attach: `ssh -t -p ${port} ${user}@127.0.0.1 tmux -L ${opened.socket} attach -t buddy-test`,
  });
  await opened.run('cd /usr; X=1');
  expect(await opened.run('echo $X; pwd; echo "[$SECRET_KEY]"')).toMatchObject({ output: { text: '1\n/usr\n[]\n' } });
});

there('a long command, odd bytes and a cancel go through as at home', async () => {
  const opened = await start();
  const long = `printf '%s' '${"ab'\\''c\t\n$x!`#".repeat(2000)}' | wc -c`;
  expect(await opened.run(long)).toMatchObject({ exitCode: 0 });
  const cancel = new AbortController();
  const outcome = opened.target.run(
    {
      command: 'trap "" INT QUIT; sh -c \'trap "" INT QUIT; echo up; while :; do sleep 1; done\'; trap - INT QUIT',
      wait: { kind: 'exit' },
    },
    { signal: cancel.signal, onChunk: (text) => text.includes('up') && cancel.abort() },
  );
  expect(await outcome).toMatchObject({ kind: 'cancelled', stopped: true });
  await expectAlive(opened);
});

there('close leaves no session, no folder and no connection', async () => {
  const opened = await start();
  const shown = await opened.run("tr '\\0' ' ' </proc/$$/cmdline");
  const folder = /\/tmp\/buddy-\w+/.exec(shown.raw)?.[0] ?? '';
  expect(existsSync(folder)).toBe(true);
  await opened.target.close();
  expect(existsSync(folder)).toBe(false);
  expect(opened.tmux('has-session', '-t', '=buddy-test').status).not.toBe(0);
  await until('all connections are closed', () => server.wire.connections === 0);
});

/** Starts a command there that ends when the file `go-NAME` is made. */
async function begin(opened: OpenTarget, name: string) {
  let begun = () => undefined as undefined;
  const up = new Promise<void>((resolve) => {
    begun = () => void resolve();
  });
  const go = join(server.home, `go-${name}`);
  const command = `echo one; until [ -e ${go} ]; do sleep 0.05; done; echo two; echo three; (exit 42)`;
  const outcome = opened.target.run({ command, wait: { kind: 'exit' } }, { signal: never, onChunk: () => begun() });
  await up;
  return { outcome, end: () => writeFileSync(go, '') };
}

const whole = { kind: 'exited', exitCode: 42, output: { text: 'one\ntwo\nthree\n', truncated: false } };
const labelIs = (opened: OpenTarget, more: string) => () => opened.target.summary.label === `127.0.0.1 (ssh${more})`;
/** A silent connection is given up after 20 seconds. */
const GIVEN_UP_MS = 25_000;

describe('a connection that is silent', () => {
  there('told within 5 seconds; it speaks again and nothing is lost', async () => {
    const opened = await start();
    const { outcome, end } = await begin(opened, 'silent');
    server.wire.freeze();
    await until('the silence is told', labelIs(opened, ', no answer'), 5000);
    end();
    server.wire.thaw();
    expect(await outcome).toMatchObject(whole);
    await until('its answer is told', labelIs(opened, ''));
    expect(noticesOf(opened)).toEqual([]);
    await expectAlive(opened);
  });

  there('a command that is given meanwhile runs once, when it speaks again', async () => {
    const opened = await start();
    server.wire.freeze();
    await until('the silence is told', labelIs(opened, ', no answer'), 5000);
    const outcome = opened.run('echo ran >>ran-once; echo ran');
    server.wire.thaw();
    expect(await outcome).toMatchObject({ kind: 'exited', exitCode: 0, output: { text: 'ran\n' } });
    expect(readFileSync(join(server.home, 'ran-once'), 'utf8')).toBe('ran\n');
  });

  there('a command that is given before it is given up runs once or not at all, and that is told', async () => {
    const opened = await start();
    server.wire.freeze();
    await until('the silence is told', labelIs(opened, ', no answer'), 5000);
    const outcome = opened.run('echo ran >>ran-or-not');
    await until('it is given up', labelIs(opened, ', connection lost'), GIVEN_UP_MS);
    server.wire.mend();
    const { kind } = await outcome;
    const runs = () => (existsSync(join(server.home, 'ran-or-not')) ? readFileSync(join(server.home, 'ran-or-not'), 'utf8') : '');
    const told = [kind, runs()];
    expect([
      ['exited', 'ran\n'],
      ['refused', ''],
      ['lost', ''],
    ]).toContainEqual(told);
    await until('it is told', () => noticesOf(opened).at(-1) === 'Connected to 127.0.0.1 again.');
    await expectAlive(opened);
    // Nothing of it comes out later.
    expect([kind, runs()]).toEqual(told);
  });

  there('a person connects again without waiting, and what runs there goes on', async () => {
    const opened = await start();
    const { outcome, end } = await begin(opened, 'impatient');
    server.wire.freeze();
    await until('the silence is told', labelIs(opened, ', no answer'), 5000);
    const again = opened.place.reconnect(() => Promise.reject(new Error('nothing has to be asked')));
    await until('it is given up', labelIs(opened, ', connection lost'), 5000);
    // The new connection may be on its way already: it is held up, not broken.
    server.wire.thaw();
    await again;
    end();
    expect(await outcome).toMatchObject(whole);
    await until('it is told', () => noticesOf(opened).at(-1) === 'Connected to 127.0.0.1 again.');
  });
});

describe('a connection that is lost', () => {
  there.each(['cut', 'freeze'] as const)('%s: told, and what runs there goes on and its result comes back', async (how) => {
    const opened = await start();
    const { outcome, end } = await begin(opened, how);
    server.wire[how]();
    await until('the loss is told', labelIs(opened, ', connection lost'), how === 'cut' ? 5000 : GIVEN_UP_MS);
    end();
    server.wire.mend();
    expect(await outcome).toMatchObject(whole);
    await until('it is told', () => noticesOf(opened).length === 2);
    expect(noticesOf(opened)).toEqual([
      expect.stringMatching(/^The connection to 127\.0\.0\.1 was lost \(.*\)\. What runs there goes on; connecting again\.$/),
      'Connected to 127.0.0.1 again.',
    ]);
    expect(opened.target.summary.label).toBe('127.0.0.1 (ssh)');
    await expectAlive(opened);
  });

  there('the tmux server there is killed: told as lost, the next command makes a new session there', async () => {
    const opened = await start();
    const outcome = opened.run('echo $$ >pid-server; sleep 600');
    await pidIn(server.home, 'pid-server');
    opened.tmux('kill-server');
    expect(await outcome).toMatchObject({ kind: 'lost' });
    expect(await opened.run('[ -n "$SSH_CONNECTION" ] && echo there')).toMatchObject({ kind: 'exited', output: { text: 'there\n' } });
  });

  there('only the client of the pane dies: the command goes on unharmed', async () => {
    const opened = await start();
    const outcome = opened.run('echo $$ >pid-client; until [ -e go-client ]; do sleep 0.05; done; echo done; (exit 5)');
    await pidIn(server.home, 'pid-client');
    const client = opened.tmux('list-clients', '-F', '#{client_pid}').stdout.trim();
    process.kill(Number(client), 'SIGKILL');
    await until('the loss is told', () => noticesOf(opened).length > 0);
    writeFileSync(join(server.home, 'go-client'), '');
    expect(await outcome).toMatchObject({ kind: 'exited', exitCode: 5, output: { text: 'done\n' } });
    await expectAlive(opened);
  });

  there('a command while the connection is lost is refused, and runs nowhere', async () => {
    const clock = new HeldClock(RECONNECT_MS);
    const opened = await start(clock);
    server.wire.cut();
    await until('the loss is told', () => opened.target.summary.label.includes('connection lost'));
    const outcome = opened.run('touch ran-somewhere');
    await until('it waits for the connection', () => clock.isHeld);
    clock.fire();
    expect(await outcome).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/^the connection to 127\.0\.0\.1 is lost .* nothing was run, there or anywhere else$/),
    });
    server.wire.mend();
    await expectAlive(opened);
    expect([existsSync(join(server.home, 'ran-somewhere')), existsSync(join(opened.home, 'ran-somewhere'))]).toEqual([false, false]);
  });
});
