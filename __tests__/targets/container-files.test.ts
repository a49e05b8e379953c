/** Files in a real container; the direct target goes the same way, see container-target.test.ts. */

import { jest } from '@jest/globals';
import { silentLog } from '../../lib/base/log.js';
import { containerPlace } from '../../lib/targets/places/container.js';
import type { Place } from '../../lib/targets/places/place.js';
import { openContainers } from './containers.js';
import { type FileGround, fileContract } from './file-contract.js';
import { never, type OpenTarget, TargetTests, targetHost } from './local-target.js';
import { searchContract } from './search-contract.js';

// Engines are slow on a loaded machine; each wait inside has its own limit.
jest.setTimeout(90_000);

const containers = openContainers();
if (containers === null) test.todo('containers cannot be run here (podman with runc and busybox are needed): their tests are skipped');
let container = '';
const tests = new TargetTests();
let opened: OpenTarget;
let place: Place;
beforeAll(async () => {
  if (containers === null) return;
  container = containers.run(['tmux', 'bash']);
  const home = tests.newHome();
  place = await containerPlace({ host: targetHost(home, containers.env), container, engine: 'podman', log: silentLog }, never);
  await place.connect(never);
  opened = await tests.start({ home, place, via: 'tmux' });
});
afterAll(async () => {
  await tests.closeAll();
  containers?.close();
});

fileContract(containers === null ? test.skip : test, (): FileGround => {
  const shell = (script: string) => containers?.podman('exec', container, 'sh', '-c', `cd; ${script}`).stdout ?? '';
  return { target: opened.target, place, shell };
});

searchContract(containers === null ? test.skip : test, () => ({
  target: opened.target,
  shell: (script) => containers?.podman('exec', container, 'sh', '-c', `cd; ${script}`).stdout ?? '',
}));
