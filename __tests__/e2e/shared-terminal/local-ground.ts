/** The matrix on this host. */

import { TargetTests } from '../../targets/local-target.js';
import { type Ground, putFiles, shellPrograms } from './ground.js';
import { TesterHere } from './people.js';

export function localGround(): Ground {
  const tests = new TargetTests();
  const tester = new TesterHere();
  return {
    name: 'local',
    async open(shell, files) {
      const home = tests.newHome();
      putFiles(home, files);
      return { ...(await tests.start({ mirror: true, shell: shellPrograms[shell], home })), asTester: tester.program };
    },
    async end({ target }) {
      await target.close();
    },
    async close() {
      await tests.closeAll();
      tester.close();
    },
  };
}
