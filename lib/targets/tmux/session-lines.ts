/** The tmux command lines that a session of ours is made of. */

import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Place } from '../places/place.js';
import { formatLiteral, shellWord, tmuxWord } from './quoting.js';

/** Where and as what a session is made. */
export interface SessionPlace {
  readonly place: Place;
  readonly socket: string;
  /** Name of this host, whatever the place. */
  readonly hostname: string;
  /** Of this program. */
  readonly pid: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** A session that is to be made. */
export interface Claim {
  readonly agent: string;
  readonly cols: number;
  readonly rows: number;
  readonly commandLine: string;
  readonly owner: string;
  readonly folder: string;
}

/** Lines of scrollback; it must be set before a pane exists (later changes do nothing before tmux 3.7). */
const HISTORY_LINES = 50_000;
const ownServerOptions: readonly (readonly string[])[] = [
  ['set-option', '-g', 'history-limit', String(HISTORY_LINES)],
  ['set-option', '-g', 'default-terminal', 'screen-256color'],
];
/** Seconds that we may lag behind before tmux drops output: a loaded machine, or a slow line, catches up from shorter ones. */
const ATTACH_FLAGS = 'ignore-size,pause-after=30';
/** Name of the socket that tmux uses by default. */
const USERS_SOCKET = 'default';

/** The start of every tmux call: UTF-8 whatever the locale, our own server, nobody's configuration. */
export function tmuxArgv({ place, socket }: Pick<SessionPlace, 'place' | 'socket'>): readonly string[] {
  return [place.facts.tmux?.program ?? 'tmux', '-u', '-L', socket, '-f', '/dev/null'];
}

/** The client that attaches to a session as a control channel. */
export function attachArgv(place: SessionPlace, name: string): readonly string[] {
  return [...tmuxArgv(place), '-C', 'attach-session', '-t', `=${name}`, '-f', ATTACH_FLAGS];
}

/** Name of the host of an owner, as it may stand in `@buddy_owner`. */
export function ownerHost(hostname: string): string {
  return hostname.replace(/[^A-Za-z0-9.-]/g, '_');
}

/**
 * What tmux does by itself when the last client has gone: after the grace the session ends, with its folder, unless somebody attached
 * or it was kept meanwhile. The formats are hidden by the quoting until the command is read when the grace is over, and expanded then.
 */
export function detachedHook({ place }: SessionPlace, name: string, owner: string, folder: string): string {
  const conditions = ['#{==:#{session_attached},0}', `#{==:#{@buddy_owner},${owner}}`, '#{==:#{@buddy_kept},}'];
  const unattended = conditions.reduceRight((rest, condition) => `#{&&:${condition},${rest}}`);
  // What a command of tmux prints is shown in some pane, which may be that of another session by now.
  const remove = `rm -rf ${shellWord(folder)} >/dev/null 2>&1 || :`;
  // Looked at once more: it may have been ended meanwhile, and an error of a command without a client is shown in a pane, too.
  const ours = `#{==:#{@buddy_owner},${owner}}`;
  const kill = `if-shell -F -t ${tmuxWord(`=${name}:`)} ${tmuxWord(ours)} ${tmuxWord(`kill-session -t ${tmuxWord(`=${name}`)}`)}`;
  const destroy = `run-shell ${tmuxWord(remove)} ; ${kill}`;
  const later = `if-shell -F -t ${tmuxWord(`=${name}:`)} ${tmuxWord(unattended)} ${tmuxWord(destroy)}`;
  return `run-shell -b -d ${place.graceS} -C ${tmuxWord(later)}`;
}

/** The client that makes a session and attaches to it. `window-size manual` is set for the window only: the global form kills tmux 3.3a. */
export function creationArgv(place: SessionPlace, name: string, wanted: Claim): readonly string[] {
  const target = `=${name}:`;
  const environment = Object.entries(place.place.environment).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const commands: readonly (readonly string[])[] = [
    ['start-server'],
    // The user's own server keeps the user's own options.
    ...(place.socket === USERS_SOCKET ? [] : ownServerOptions),
    [
      ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-s', name, '-n', 'shared', '-x', String(wanted.cols), '-y', String(wanted.rows)],
      ...['-c', formatLiteral(place.place.facts.cwd), ...environment, '/bin/sh', '-c', wanted.commandLine],
    ],
    ['set-option', '-t', target, '@buddy_managed', '1'],
    ['set-option', '-t', target, '@buddy_owner', wanted.owner],
    ['set-option', '-w', '-t', target, 'window-size', 'manual'],
    ['set-option', '-w', '-t', target, 'remain-on-exit', 'on'],
    ['set-option', '-w', '-t', target, 'automatic-rename', 'off'],
    ['set-option', '-w', '-t', target, 'allow-rename', 'off'],
    ['select-pane', '-t', target, '-T', 'shared'],
    ['set-hook', '-t', target, 'client-detached', detachedHook(place, name, wanted.owner, wanted.folder)],
    ['attach-session', '-t', `=${name}`, '-f', ATTACH_FLAGS],
  ];
  return [...tmuxArgv(place), '-C', ...commands.flatMap((command, at) => [...(at === 0 ? [] : [';']), ...command.map(argument)])];
}

/** tmux reads an argument that ends in `;` as the end of a command. */
function argument(text: string): string {
  return text.endsWith(';') ? `${text.slice(0, -1)}\\;` : text;
}
