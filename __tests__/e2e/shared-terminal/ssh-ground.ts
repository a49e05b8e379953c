/** The matrix on another host: a real ssh connection to a sshd of its own. */

import { silentLog } from '../../../lib/base/log.js';
import { sshPlace } from '../../../lib/targets/places/ssh.js';
import { never, privateSocket, TargetTests, targetHost } from '../../targets/local-target.js';
import { type SshServer, startSshServer } from '../../targets/ssh-server.js';
import { emptyHome, type Ground, putFiles, shellPrograms } from './ground.js';
import { TesterHere } from './people.js';

export function sshGround(): Ground {
  const tests = new TargetTests();
  const tester = new TesterHere();
  let starting: Promise<SshServer> | null = null;
  return {
    name: 'ssh',
    async open(shell, files) {
      starting ??= startSshServer().then((started) => {
        emptyHome(started.home);
        return started;
      });
      const server = await starting;
      if (Object.keys(files).length > 0) emptyHome(server.home);
      putFiles(server.home, files);
      const home = tests.newHome();
      const host = targetHost(home, server.env);
      const place = sshPlace({ host, destination: server.destination, connectTimeoutS: 30, log: silentLog });
      await place.connect(never);
      const opened = await tests.start({
        home,
        place,
        env: server.env,
        socket: privateSocket(),
        mirror: true,
        shell: shellPrograms[shell],
      });
      await opened.run('cd');
      return { ...opened, asTester: tester.program };
    },
    async end({ target }) {
      await target.close();
      const server = await starting;
      if (server !== null) emptyHome(server.home);
    },
    async close() {
      await tests.closeAll();
      await (await starting)?.close();
      tester.close();
    },
  };
}
