/** The engines themselves: which one knows a container, and what is said when docker's daemon does not run. With the real docker client. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../lib/base/log.js';
import { containerPlace } from '../../lib/targets/places/container.js';
import { never, targetHost } from './local-target.js';

const hasDocker = spawnSync('docker', ['--version']).status === 0;
const withDocker = hasDocker ? test : test.skip;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync('/tmp/buddy-test-docker-');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An environment in which docker has no daemon, and podman, in `auto`, is not there when `path` leads nowhere. */
const host = (env: Readonly<Record<string, string>> = {}) => targetHost(folder, { DOCKER_HOST: `unix://${folder}/none.sock`, ...env });

withDocker('docker without its daemon: one sentence, and what to do', async () => {
  const place = await containerPlace({ host: host(), container: 'web', engine: 'docker', log: silentLog }, never);
  await expect(place.connect(never)).rejects.toMatchObject({
    code: 'target.connect',
    message: 'cannot connect to the container web: docker: its daemon is not running',
    hint: 'Start it, for example with "systemctl start docker".',
  });
});

withDocker('auto: both engines are asked, and each one is quoted', async () => {
  const looking = containerPlace({ host: host(), container: 'no-such-one', engine: 'auto', log: silentLog }, never);
  await expect(looking).rejects.toMatchObject({
    code: 'target.connect',
    message: expect.stringMatching(/^no container no-such-one was found \(docker: its daemon is not running; podman: .+\)$/),
  });
});

test('no engine is installed: told for both', async () => {
  const looking = containerPlace({ host: host({ PATH: join(folder, 'none') }), container: 'web', engine: 'auto', log: silentLog }, never);
  await expect(looking).rejects.toMatchObject({ message: 'no container web was found (docker: not installed; podman: not installed)' });
});
