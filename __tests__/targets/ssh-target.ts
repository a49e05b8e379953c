/** A target on a throw-away server, over a real ssh connection. */

import { type Clock, systemClock } from '../../lib/base/clock.js';
import { silentLog } from '../../lib/base/log.js';
import type { Place } from '../../lib/targets/places/place.js';
import { sshPlace } from '../../lib/targets/places/ssh.js';
import { never, type OpenTarget, privateSocket, type TargetTests, targetHost } from './local-target.js';
import type { SshServer } from './ssh-server.js';

export interface SshTarget extends OpenTarget {
  readonly place: Place;
}

/** Connects and opens one; `more` as `TargetTests.start` takes it, and the shell `login` is the one of whoever logs in. */
export async function openOverSsh(
  tests: TargetTests,
  server: SshServer,
  more: Parameters<TargetTests['start']>[0] = {},
  clock: Clock = systemClock,
): Promise<SshTarget> {
  const home = tests.newHome();
  const host = targetHost(home, server.env, clock);
  const place = sshPlace({ host, destination: server.destination, connectTimeoutS: 10, log: silentLog });
  await place.connect(never);
  const shell = more.shell === 'login' ? { shell: place.facts.shells[0] ?? '' } : {};
  const opened = await tests.start({ home, place, clock, env: server.env, socket: privateSocket(), ...more, ...shell });
  return { ...opened, place };
}
