/** The matrix in a real container: this machine's programs, users and a home folder of its own. */

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../../lib/base/log.js';
import { containerPlace } from '../../../lib/targets/places/container.js';
import { type Containers, openContainers } from '../../targets/containers.js';
import { never, privateSocket, TargetTests, targetHost } from '../../targets/local-target.js';
import { emptyHome, type Ground, putFiles, shellPrograms } from './ground.js';
import { rootWithPeople } from './people.js';

interface Running {
  readonly containers: Containers;
  readonly name: string;
  readonly asTester: string;
  /** The root folder is made in it. */
  readonly folder: string;
  /** Mounted as the home folder of root. */
  readonly rootHome: string;
}

export function containerGround(): Ground {
  const tests = new TargetTests();
  let running: Running | null = null;
  const start = (): Running => {
    const folder = mkdtempSync('/tmp/buddy-test-root-');
    const rootHome = tests.newHome();
    const containers = openContainers();
    if (containers === null) throw new Error('containers cannot be run here: podman with runc and busybox are needed');
    const root = join(folder, 'root');
    const asTester = rootWithPeople(root);
    // Some programs a shell starts with lie behind links in /etc; the home folder is the test's, so that it can fill it.
    const name = containers.runRoot(root, ['-v', '/usr:/usr:ro', '-v', `${rootHome}:/root`]);
    return { containers, name, asTester, folder, rootHome };
  };
  return {
    name: 'container',
    async open(shell, files) {
      running ??= start();
      const { containers, name, asTester, rootHome } = running;
      if (Object.keys(files).length > 0) emptyHome(rootHome);
      putFiles(rootHome, files);
      const home = tests.newHome();
      const host = targetHost(home, containers.env);
      const place = await containerPlace({ host, container: name, engine: 'podman', log: silentLog }, never);
      await place.connect(never);
      const opened = await tests.start({ home, place, socket: privateSocket(), mirror: true, shell: shellPrograms[shell] });
      await opened.run('cd');
      return { ...opened, asTester };
    },
    async end({ target }) {
      await target.close();
      if (running !== null) emptyHome(running.rootHome);
    },
    async close() {
      await tests.closeAll();
      if (running === null) return;
      running.containers.close();
      for (const left of [running.folder, running.rootHome]) rmSync(left, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
