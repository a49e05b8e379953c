/** Files of this host, through both kinds of target. */

import { spawnSync } from 'node:child_process';
import { localPlace } from '../../lib/targets/places/local-place.js';
import { type FileGround, fileContract } from './file-contract.js';
import { type OpenTarget, TargetTests, targetHost } from './local-target.js';

describe.each(['tmux', 'direct'] as const)('%s', (via) => {
  const tests = new TargetTests();
  let opened: OpenTarget;
  beforeAll(async () => {
    opened = await tests.start({ via });
  });
  afterAll(() => tests.closeAll());

  fileContract(test, (): FileGround => {
    const { target, home } = opened;
    return {
      target,
      place: localPlace({ host: targetHost(home), environment: {}, tmux: 'tmux' }),
      shell: (script) => spawnSync('sh', ['-c', script], { cwd: home, encoding: 'utf8' }).stdout,
    };
  });
});
