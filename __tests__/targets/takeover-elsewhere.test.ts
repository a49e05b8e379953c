/** What a person types is told, and the attach line opens the real tmux, also on another host and in a container. */

import { jest } from '@jest/globals';
import { silentLog } from '../../lib/base/log.js';
import { shellWords } from '../../lib/base/shell-words.js';
import { containerPlace } from '../../lib/targets/places/container.js';
import { startOnPty } from '../support/pty.js';
import { until } from '../support/until.js';
import { type Containers, openContainers } from './containers.js';
import { never, type OpenTarget, TargetTests, targetHost } from './local-target.js';
import { hasSshd, type SshServer, startSshServer } from './ssh-server.js';
import { openOverSsh } from './ssh-target.js';

// Engines are slow on a loaded machine; each wait inside has its own limit.
jest.setTimeout(90_000);

const tests = new TargetTests();
const containers: Containers | null = openContainers();
let server: SshServer | null = null;
let container = '';

beforeAll(async () => {
  if (hasSshd) server = await startSshServer();
  if (containers !== null) container = containers.run(['tmux', 'bash']);
});
afterEach(() => tests.closeAll());
afterAll(async () => {
  await server?.close();
  containers?.close();
});

/** Types, and attaches on a terminal of its own as `/attach` does; `env` finds the ssh or the engine. */
async function check(opened: OpenTarget, env: Readonly<Record<string, string>>): Promise<void> {
  const told = () => opened.events.flatMap((event) => (event.type === 'pane.command' ? [event] : []));
  await opened.target.tmux?.type(undefined, 'cd /tmp; false\r', never);
  await until('it is told', () => told().length === 1);
  expect(told()[0]).toMatchObject({ text: 'cd /tmp; false', exitCode: 1, cwd: '/tmp' });
  const [program = '', ...args] = shellWords(opened.target.summary.attach ?? '');
  const person = startOnPty(program, args, { cols: 90, rows: 20, env });
  try {
    await person.until(/\[buddy-te/);
    person.send('echo attached-$((40+2))\r');
    await person.until(/attached-42/);
    await until('it is told too', () => told().length === 2);
    expect(told()[1]).toMatchObject({ text: 'echo attached-$((40+2))', exitCode: 0 });
    person.send('\x02d');
    expect(await person.ended()).toMatchObject({ exitCode: 0 });
  } finally {
    person.dispose();
  }
  expect(await opened.run('pwd')).toMatchObject({ kind: 'exited', output: { text: '/tmp\n' } });
}

(hasSshd ? test : test.skip)('over ssh', async () => {
  if (server === null) throw new Error('no server');
  await check(await openOverSsh(tests, server, { mirror: true }), server.env);
});

(containers !== null ? test : test.skip)('in a container', async () => {
  if (containers === null) throw new Error('no containers');
  const home = tests.newHome();
  const host = targetHost(home, containers.env);
  const place = await containerPlace({ host, container, engine: 'podman', log: silentLog }, never);
  await place.connect(never);
  await check(await tests.start({ home, place, mirror: true, shell: 'bash' }), containers.env);
});
