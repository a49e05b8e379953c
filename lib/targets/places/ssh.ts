/** Places over ssh: the user's own ssh with its configuration, one shared connection. */

import { BuddyError } from '../../base/errors.js';
import type { Host } from '../../base/host.js';
import type { Log } from '../../base/log.js';
import { makePrivateFolder, removePrivateFolder } from './local-folders.js';
import type { Place } from './place.js';
import { type Carrier, RemotePlace } from './remote-place.js';
import { forAnyShell } from './remote-script.js';

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

/** Seconds without a sign of life before the next question, and unanswered questions: a lost connection is known after 4 seconds. */
const ALIVE_INTERVAL_S = 1;
const ALIVE_COUNT = 3;

/** A place over ssh; nothing is started before `connect`. */
export function sshPlace({ host, destination, connectTimeoutS, log }: SshPlaceOptions): Place {
  const { TMUX, TMUX_PANE, ...environment } = host.env;
  const carrier = sshCarrier(destination, connectTimeoutS, host.pid);
  return new RemotePlace({ carrier, clock: host.clock, log, environment, owner: `${host.hostname}/${host.pid}` });
}

function sshCarrier(destination: SshDestination, connectTimeoutS: number, pid: number): Carrier {
  const where = [
    ...(destination.user === null ? [] : ['-l', destination.user]),
    ...(destination.port === null ? [] : ['-p', String(destination.port)]),
  ];
  const options = [
    // No question can be answered: the screen is ours.
    'BatchMode=yes',
    `ConnectTimeout=${connectTimeoutS}`,
    `ServerAliveInterval=${ALIVE_INTERVAL_S}`,
    `ServerAliveCountMax=${ALIVE_COUNT}`,
    // What the user's configuration may hold for terminals of their own, and what would get in our way.
    ...['ControlPersist=no', 'RemoteCommand=none', 'PermitLocalCommand=no', 'ClearAllForwardings=yes', 'ForwardX11=no'],
    ...['EscapeChar=none', 'LogLevel=ERROR'],
  ].flatMap((option) => ['-o', option]);
  let folder: string | null = null;
  let connection = 0;
  return {
    kind: 'ssh',
    name: destination.host,
    label: `${destination.host} (ssh)`,
    async prepare() {
      folder ??= await makePrivateFolder(pid);
      // A socket of its own for each: that of a connection that broke may still lie there.
      connection++;
    },
    launch(script, role) {
      const shared = ['-o', `ControlPath=${folder}/c${connection}`, '-o', `ControlMaster=${role === 'anchor' ? 'yes' : 'no'}`];
      return { file: 'ssh', args: ['-T', ...shared, ...options, ...where, '--', destination.host, forAnyShell(script)] };
    },
    explain: (said, code) => Promise.resolve(explained(said, code, spelled(destination).join(' '))),
    attachLine: (argv) => ['ssh -t', ...spelled(destination), ...argv].join(' '),
    async release() {
      if (folder !== null) await removePrivateFolder(folder);
      folder = null;
    },
  };
}

/** As a person writes it. */
function spelled({ user, host, port }: SshDestination): readonly string[] {
  return [...(port === null ? [] : ['-p', String(port)]), `${user === null ? '' : `${user}@`}${host}`];
}

function explained(said: string, code: number | null, host: string): { readonly reason: string; readonly hint?: string } {
  if (/host key verification failed/i.test(said)) {
    return { reason: 'its host key is not known or has changed', hint: `Connect once by hand and look at the key: ssh ${host}` };
  }
  if (/permission denied/i.test(said)) {
    return { reason: said, hint: 'Only keys and agents work here, no passwords: set one up with ssh-copy-id, or load it with ssh-add.' };
  }
  if (/ENOENT/.test(said))
    return { reason: 'there is no ssh program here', hint: 'Install an ssh client, for example with "apt-get install openssh-client".' };
  if (said !== '') return { reason: said };
  // ssh ends with 255 for everything of its own (ssh(1)).
  if (code === 255 || code === null) return { reason: 'the connection broke' };
  return { reason: `the shell there ended with exit code ${code}` };
}
