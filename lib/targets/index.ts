/** The table of targets: where commands can run, and how. */

import { basename } from 'node:path';
import type { Host } from '../base/host.js';
import type { Log } from '../base/log.js';
import { DirectTarget } from './direct/direct-target.js';
import { commandEnvironment } from './environment.js';
import { sessionWord, type TargetOptions } from './options.js';
import type { AskOnTerminal } from './places/carrier.js';
import { containerPlace, type Engine } from './places/container.js';
import { localPlace, probeLocalTmux } from './places/local-place.js';
import type { FoundTmux, Place } from './places/place.js';
import { parseSshDestination, sshPlace } from './places/ssh.js';
import { chooseShell, isServed } from './shells/index.js';
import type { ExecutionTarget } from './target.js';
import { lockPath, withServerLock } from './tmux/server-lock.js';
import { TmuxTarget } from './tmux/tmux-target.js';

export type { TargetOptions } from './options.js';
export type { AskOnTerminal } from './places/carrier.js';
export { type LeftBehind, leftBehind, removeLeftBehind } from './places/left-behind.js';
export type { FoundTmux, Place } from './places/place.js';
export { endListed, type ListedSession, listSessions } from './tmux/session-list.js';

/** Name of our private tmux server. */
export const DEFAULT_SOCKET = 'buddy';

/** Cells of a pane that nobody gave a size. */
const UNSEEN_COLS = 120;
const UNSEEN_ROWS = 40;
const DEFAULT_SESSIONS = 1;
const DEFAULT_PANES = 5;

/** A target at `options.place`, this host when left out; nothing is started before `start`. The place is connected and closed with it. */
export function createTarget(options: TargetOptions): ExecutionTarget {
  const { host } = options;
  const place = options.place ?? placeHere(host, options);
  const wanted = [options.shell, ...place.facts.shells];
  if (options.via === 'direct') return new DirectTarget({ host, place, shell: chooseShell(wanted, { posix: true }).program });
  return new TmuxTarget({
    host,
    place,
    agent: sessionWord(options.agentName),
    socket: options.socket ?? DEFAULT_SOCKET,
    // Whoever comes over ssh logs in. This host and an image have made their PATH already, and a login would undo it.
    choice: chooseShell(wanted, { login: place.kind === 'ssh' }),
    cols: options.cols > 0 ? options.cols : UNSEEN_COLS,
    rows: options.rows > 0 ? options.rows : UNSEEN_ROWS,
    log: options.log,
    mirror: options.mirror ?? true,
    adopt: options.adopt ?? false,
    maxSessions: options.maxSessions ?? DEFAULT_SESSIONS,
    maxPanes: options.maxPanes ?? DEFAULT_PANES,
  });
}

/** The name of the user's own shell there when commands cannot run in it, else null. */
export function unservedShell({ facts }: Place, via: TargetOptions['via']): string | null {
  const [own = ''] = facts.shells;
  return own === '' || isServed(own, via === 'direct' ? { posix: true } : {}) ? null : basename(own);
}

/** This host, as commands of the program see it. */
export function placeHere(host: Host, options: Pick<TargetOptions, 'passEnvironment' | 'tmuxBinary'>): Place {
  const environment = commandEnvironment(host.env, options.passEnvironment);
  return localPlace({ host, environment, tmux: options.tmuxBinary ?? 'tmux' });
}

/** The tmux of this host, null when there is none. Rejects only when cancelled. */
export function probeTmux(host: Host, signal: AbortSignal, program = 'tmux'): Promise<FoundTmux | null> {
  return probeLocalTmux(program, commandEnvironment(host.env), signal);
}

/** Runs `work` while no other program of this user makes or ends a session on that server of this host. */
export function withSocketLock<T>(host: Host, socket: string, work: () => Promise<T>): Promise<T> {
  return withServerLock(lockPath(host.user, socket), host.pid, host.clock, new AbortController().signal, work);
}

/** Which other place is meant, as the command line and the settings say it. */
export interface PlaceRequest {
  readonly host: Host;
  readonly log: Log;
  /** `[user@]host[:port]`. */
  readonly ssh?: string | undefined;
  /** Name or id. */
  readonly container?: string | undefined;
  readonly connectTimeoutS: number;
  readonly engine: Engine | 'auto';
}

/**
 * Connects to another host or a container; null when neither is asked for. Questions are asked through `ask`, and without it nothing is
 * asked. Throws `usage.*`, `target.connect`, `target.login`.
 */
export async function connectPlace(request: PlaceRequest, ask: AskOnTerminal | null, signal: AbortSignal): Promise<Place | null> {
  const { host, log, ssh, container, connectTimeoutS, engine } = request;
  const place =
    ssh !== undefined
      ? sshPlace({ host, log, connectTimeoutS, destination: parseSshDestination(ssh) })
      : container !== undefined
        ? await containerPlace({ host, log, container, engine }, signal)
        : null;
  await place?.connect(signal, ask);
  return place;
}
