/** Places over ssh: the user's own ssh with its configuration, one shared connection. */

import { BuddyError } from '../../base/errors.js';
import type { Host } from '../../base/host.js';
import type { Log } from '../../base/log.js';
import { runProcess } from '../../base/process.js';
import type { Carrier, Trouble } from './carrier.js';
import { makePrivateFolder, removePrivateFolder } from './local-folders.js';
import type { Place } from './place.js';
import { RemotePlace } from './remote-place.js';
import { firstLine, forAnyShell } from './remote-script.js';

/** Where `--ssh` leads. `host` may be a name of the user's ssh configuration. */
export interface SshDestination {
  readonly user: string | null;
  readonly host: string;
  readonly port: number | null;
}

export interface SshPlaceOptions {
  readonly host: Host;
  readonly destination: SshDestination;
  readonly connectTimeoutS: number;
  readonly log: Log;
}

const LARGEST_PORT = 65_535;
/** Names, addresses, IPv6 with a zone. Nothing that ssh, its ProxyCommand or a shell could take for something else. */
const HOST_WORD = /^[A-Za-z0-9_][A-Za-z0-9._%-]*$/;
const HOST_IPV6 = /^[0-9A-Fa-f:.]+(%[A-Za-z0-9._-]+)?$/;
const USER_WORD = /^[A-Za-z0-9_][A-Za-z0-9._@+\\-]*$/;

/** Reads `[user@]host[:port]`, with an IPv6 address as `[::1]`. Throws `usage.ssh`. */
export function parseSshDestination(text: string): SshDestination {
  const found = /^(?:ssh:\/\/)?(?:(.*)@)?(\[[^\]]*\]|[^:@]*)(?::(\d{1,5}))?\/?$/s.exec(text);
  const user = found?.[1] ?? null;
  const bracketed = found?.[2]?.startsWith('[') === true;
  const host = bracketed ? (found?.[2] ?? '').slice(1, -1) : (found?.[2] ?? '');
  const port = found?.[3] === undefined ? null : Number(found[3]);
  const good =
    (bracketed ? HOST_IPV6 : HOST_WORD).test(host) &&
    (user === null || USER_WORD.test(user)) &&
    (port === null || (port > 0 && port <= LARGEST_PORT));
  if (good) return { user, host, port };
  throw new BuddyError('usage.ssh', `--ssh must be [user@]host[:port], not ${JSON.stringify(text)}`, {
    hint: 'Give anything else (keys, jump hosts) a name in your ~/.ssh/config and use that name.',
  });
}

/**
 * Seconds without a sign of life before ssh asks, and questions that may stay unanswered (ssh_config(5)): given up after 20 seconds. That
 * it is silent is shown long before; a host under load was seen to be silent for 4 seconds in the middle of its output.
 */
const ALIVE_INTERVAL_S = 5;
const ALIVE_COUNT = 3;

/** A connection made by a login ends by itself when nobody has used it for so long: also when this program was killed. */
const LOGIN_IDLE_S = 15;
const RELEASE_MS = 2000;

/** A place over ssh; nothing is started before `connect`. */
export function sshPlace({ host, destination, connectTimeoutS, log }: SshPlaceOptions): Place {
  const { TMUX, TMUX_PANE, ...environment } = host.env;
  const carrier = sshCarrier(destination, connectTimeoutS, host, environment);
  return new RemotePlace({ carrier, clock: host.clock, log, environment, owner: `${host.hostname}/${host.pid}` });
}

function sshCarrier(
  destination: SshDestination,
  connectTimeoutS: number,
  { pid, clock }: Host,
  environment: Readonly<Record<string, string | undefined>>,
): Carrier {
  const where = [
    ...(destination.user === null ? [] : ['-l', destination.user]),
    ...(destination.port === null ? [] : ['-p', String(destination.port)]),
  ];
  const alive = [
    `ConnectTimeout=${connectTimeoutS}`,
    `ServerAliveInterval=${ALIVE_INTERVAL_S}`,
    `ServerAliveCountMax=${ALIVE_COUNT}`,
    // What the user's configuration may hold for terminals of their own, and what would get in our way.
    ...['RemoteCommand=none', 'PermitLocalCommand=no', 'ClearAllForwardings=yes', 'ForwardX11=no', 'EscapeChar=none'],
  ];
  // No question can be answered while the screen is ours.
  const silent = [...alive, 'BatchMode=yes', 'ControlPersist=no', 'LogLevel=ERROR'];
  let folder: string | null = null;
  let connection = 0;
  let loggedIn = false;
  const socket = () => `ControlPath=${folder}/c${connection}`;
  const leave = async () => {
    if (!loggedIn) return;
    loggedIn = false;
    const limit = new AbortController();
    const timer = clock.after(RELEASE_MS, () => limit.abort());
    await runProcess('ssh', ['-o', socket(), '-O', 'exit', '--', destination.host], { env: environment }, limit.signal).catch(
      () => undefined,
    );
    timer.dispose();
  };
  return {
    kind: 'ssh',
    name: destination.host,
    label: `${destination.host} (ssh)`,
    async prepare() {
      await leave();
      folder ??= makePrivateFolder(pid);
      // A socket of its own for each: that of a connection that broke may still lie there.
      connection++;
    },
    launch(script, role) {
      const master = role === 'anchor' && !loggedIn ? 'yes' : 'no';
      const set = [socket(), `ControlMaster=${master}`, ...silent].flatMap((option) => ['-o', option]);
      return { file: 'ssh', args: ['-T', ...set, ...where, '--', destination.host, forAnyShell(script)] };
    },
    login() {
      loggedIn = true;
      const set = [socket(), 'ControlMaster=yes', `ControlPersist=${LOGIN_IDLE_S}`, 'BatchMode=no', ...alive];
      // It asks, and goes to the background in a session of its own once it is let in.
      return { file: 'ssh', args: ['-fN', ...set.flatMap((option) => ['-o', option]), ...where, '--', destination.host] };
    },
    explain: (said, code) => Promise.resolve(explained(said, code, spelled(destination).join(' '))),
    attachLine: (argv) => ['ssh -t', ...spelled(destination), ...argv].join(' '),
    async release() {
      await leave();
      if (folder !== null) await removePrivateFolder(folder);
      folder = null;
    },
  };
}

/** As a person writes it. */
function spelled({ user, host, port }: SshDestination): readonly string[] {
  return [...(port === null ? [] : ['-p', String(port)]), `${user === null ? '' : `${user}@`}${host}`];
}

function explained(said: string, code: number | null, host: string): Trouble {
  if (/REMOTE HOST IDENTIFICATION HAS CHANGED/.test(said)) {
    const hint = `Find out why before you do anything else. This says more: ssh ${host}`;
    return { reason: 'its host key is not the one that is known: it was set up anew, or it is another host', hint };
  }
  if (/host key verification failed/i.test(said)) {
    const hint = `Start buddy-tui on a terminal, where ssh can ask, or connect once by hand and look at the key: ssh ${host}`;
    return { reason: 'its host key is not known', hint, needsLogin: true };
  }
  // The methods in brackets are ssh's own word; a shell there complains without them.
  const denied = /^.*permission denied \(.*$/im.exec(said)?.[0].trim().replace(/\.$/, '');
  if (denied !== undefined) {
    const hint = 'Start buddy-tui on a terminal, where ssh can ask, or set up a key: ssh-copy-id there, ssh-add here.';
    return { reason: denied, hint, needsLogin: true };
  }
  const first = firstLine(said).replace(/\.$/, '');
  if (/ENOENT/.test(first))
    return { reason: 'there is no ssh program here', hint: 'Install an ssh client, for example with "apt-get install openssh-client".' };
  // ssh ends with 255 for everything of its own (ssh(1)), and says why, but for a host that is silent.
  if (code === 255) return { reason: first || 'it does not answer any more' };
  if (code === null) return { reason: first || 'the connection broke' };
  return { reason: `the login shell there ended with exit code ${code}${first === '' ? '' : ` (${first})`}` };
}
