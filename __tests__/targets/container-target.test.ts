/** Real containers: with tmux inside and without, stopped, removed. */

import { jest } from '@jest/globals';

import { silentLog } from '../../lib/base/log.js';
import { containerPlace } from '../../lib/targets/places/container.js';
import { until } from '../support/until.js';
import { type Containers, openContainers } from './containers.js';
import { expectAlive, never, noticesOf, type OpenTarget, privateSocket, TargetTests, targetHost } from './local-target.js';

const containers = openContainers();
const there = containers === null ? test.skip : test;
const tests = new TargetTests();
let withTmux = '';
let bare = '';

// Engines are slow on a loaded machine; each wait inside has its own limit.
jest.setTimeout(90_000);

beforeAll(() => {
  if (containers === null) return;
  withTmux = containers.run(['tmux', 'bash']);
  bare = containers.run([]);
});
afterEach(() => tests.closeAll());
afterAll(() => containers?.close());

if (containers === null) test.todo('containers cannot be run here (podman with runc and busybox are needed): their tests are skipped');

function engine(): Containers {
  if (containers === null) throw new Error('no containers here');
  return containers;
}

async function start(container: string, via: 'tmux' | 'direct', shell = 'bash', more: object = {}): Promise<OpenTarget> {
  const home = tests.newHome();
  const host = targetHost(home, engine().env);
  const place = await containerPlace({ host, container, engine: 'podman', log: silentLog }, never);
  await place.connect(never);
  expect(place.facts.tmux?.ok ?? false).toBe(container === withTmux);
  return tests.start({ home, place, via, shell, ...more });
}

there.each(['bash', 'ash'])('a %s in a tmux pane in the container', async (shell) => {
  const opened = await start(withTmux, 'tmux', shell);
  expect(await opened.run('echo żółć; cat /etc/passwd; (exit 9)')).toMatchObject({
    kind: 'exited',
    exitCode: 9,
    output: { text: 'żółć\nroot:x:0:0:root:/root:/bin/sh\n' },
  });
  expect(opened.target.summary).toMatchObject({
    kind: 'container',
    via: 'tmux',
    label: `${withTmux} (container)`,
    attach: `podman exec -it ${withTmux} tmux -L ${opened.socket} attach -t buddy-test`,
  });
  const cancel = new AbortController();
  const outcome = opened.target.run(
    { command: 'echo up; sleep 600', wait: { kind: 'exit' } },
    { signal: cancel.signal, onChunk: (text) => text.includes('up') && cancel.abort() },
  );
  expect(await outcome).toMatchObject({ kind: 'cancelled', stopped: true });
  await expectAlive(opened);
  await opened.target.close();
  expect(engine().podman('exec', withTmux, 'ls', '/tmp').stdout).not.toMatch(/buddy/);
});

there('a session that is kept in the container: what runs there goes on, and the next run is told of its end', async () => {
  const socket = privateSocket();
  const first = await start(withTmux, 'tmux', 'bash', { socket });
  await first.run('cd /usr; STAYS=yes');
  await first.run('until [ -e /root/go-kept ]; do sleep 0.05; done; (exit 9)', { kind: 'none' });
  expect(await first.target.close('keep')).toBe(true);
  engine().podman('exec', withTmux, 'touch', '/root/go-kept');
  const second = await start(withTmux, 'tmux', 'bash', { socket, adopt: true });
  expect(noticesOf(second)[0]).toMatch(/^Continues in the session that was kept at .*(ended with exit code 9|is still running there)\.$/);
  await until('it has ended', async () => (await second.run('true')).kind === 'exited');
  expect(await second.run('echo "[$STAYS]"; pwd')).toMatchObject({ exitCode: 0, output: { text: '[yes]\n/usr\n' } });
  await second.target.close();
  expect(engine().podman('exec', withTmux, 'ls', '/tmp').stdout).not.toMatch(/buddy/);
});

there('without tmux: exit codes, folder, cancel of the whole group', async () => {
  const opened = await start(bare, 'direct', 'sh');
  expect(await opened.run('echo out; echo err >&2; exit 3')).toMatchObject({ kind: 'exited', exitCode: 3, output: { totalLines: 2 } });
  await opened.run('cd /usr; exit 1');
  expect(await opened.run('pwd')).toMatchObject({ output: { text: '/usr\n' } });
  const cancel = new AbortController();
  const stubborn = 'sh -c \'trap "" TERM; echo up; while :; do sleep 7; done\'; true';
  const outcome = opened.target.run(
    { command: stubborn, wait: { kind: 'exit' } },
    { signal: cancel.signal, onChunk: (text) => text.includes('up') && cancel.abort() },
  );
  expect(await outcome).toMatchObject({ kind: 'cancelled', stopped: true });
  await until('nothing of it is left', () => !engine().podman('exec', bare, 'ps').stdout.includes('while :'));
  await expectAlive(opened);
});

there('files of any bytes and any name go in and out', async () => {
  const opened = await start(bare, 'direct', 'sh');
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_value, at) => (at * 7 + (at >> 8)) & 0xff));
  const path = '/root/new/-a \'b" \n$x';
  await opened.target.writeFile(path, bytes, never);
  const whole = await opened.target.readFile(path, { offset: 0, limit: 100_000 }, never);
  expect(Buffer.from(whole.bytes).equals(bytes)).toBe(true);
  const piece = await opened.target.readFile(path, { offset: 65_000, limit: 10 }, never);
  expect([Buffer.from(piece.bytes).equals(bytes.subarray(65_000, 65_010)), piece.size]).toEqual([true, 70_000]);
});

there('a container that is stopped is told, and a new session is made when it is back', async () => {
  const opened = await start(withTmux, 'tmux');
  const outcome = opened.run('echo begun; sleep 600');
  await until('it runs', async () => (await opened.target.tmux?.capture({}, never))?.includes('begun'));
  engine().podman('stop', '-t', '0', withTmux);
  await until('the loss is told', () => opened.target.summary.label === `${withTmux} (container, connection lost)`);
  await until('the reason is told', () => noticesOf(opened).length > 0);
  expect(noticesOf(opened)[0]).toMatch(/^The connection to the container \S+ was lost \(.+\)/);
  engine().podman('start', withTmux);
  expect(await outcome).toMatchObject({ kind: 'lost' });
  await expectAlive(opened);
  expect(noticesOf(opened).at(-1)).toBe(
    'A new tmux session was started; the working directory and the environment of the old shell are lost.',
  );
});

there('a command to a removed container is refused with the reason, and none to one that never was', async () => {
  const gone = engine().run([]);
  const opened = await start(gone, 'direct', 'sh');
  engine().podman('rm', '-f', '-t', '0', gone);
  await until('the loss is told', () => noticesOf(opened).length > 0);
  expect(noticesOf(opened)[0]).toMatch(/was lost \(.*there is no such container.*\)/);
  const host = targetHost(tests.newHome(), engine().env);
  await expect(containerPlace({ host, container: gone, engine: 'auto', log: silentLog }, never)).rejects.toMatchObject({
    code: 'target.connect',
    message: expect.stringContaining(`no container ${gone} was found`),
  });
  await expect(containerPlace({ host, container: '--rm', engine: 'auto', log: silentLog }, never)).rejects.toMatchObject({
    code: 'usage.container',
  });
});
