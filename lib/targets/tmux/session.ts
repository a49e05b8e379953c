/** A private tmux session of ours: made and attached in one go, owned by options, gone without a trace. */

import { randomBytes } from 'node:crypto';
import { type Clock, delay } from '../../base/clock.js';
import { abortError, asBuddyError, BuddyError, isAbort } from '../../base/errors.js';
import type { Log } from '../../base/log.js';
import { processExists } from '../../base/process.js';
import type { Place } from '../places/place.js';
import { type ChannelListener, ControlChannel } from './control-channel.js';
import { formatLiteral, shellWord, tmuxWord } from './quoting.js';
import { lockPath, withServerLock } from './server-lock.js';

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

export interface Session {
  readonly name: string;
  readonly pane: string;
  /** A 0700 folder for the scripts of this session. */
  readonly folder: string;
  /** Value of `@buddy_owner`. */
  readonly owner: string;
  readonly channel: ControlChannel;
  /** Ends the session and removes its folder; resolves when nothing of it is left. Never rejects. */
  close(): Promise<void>;
}

/** Lines of scrollback; it must be set before a pane exists (later changes do nothing before tmux 3.7). */
const HISTORY_LINES = 50_000;
const ownServerOptions: readonly (readonly string[])[] = [
  ['set-option', '-g', 'history-limit', String(HISTORY_LINES)],
  ['set-option', '-g', 'default-terminal', 'screen-256color'],
];
const ATTACH_FLAGS = 'ignore-size,pause-after=10';
/** Name of the socket that tmux uses by default. */
const USERS_SOCKET = 'default';
/** A second, third … program of the same name takes `-2`, `-3` … */
const MOST_OF_ONE_NAME = 64;
/** A server that is just going away refuses a few times. */
const ATTEMPTS = 8;
const DETACH_PATIENCE_MS = 3000;

/** The start of every tmux call: UTF-8 whatever the locale, our own server, nobody's configuration. */
function tmuxArgv({ place, socket }: SessionPlace): readonly string[] {
  return [place.facts.tmux?.program ?? 'tmux', '-u', '-L', socket, '-f', '/dev/null'];
}

/** One lock per server: same place, same user, same socket. */
function lockOf({ place, socket }: SessionPlace): string {
  return lockPath(place.kind === 'local' ? place.facts.user : `${place.facts.user}@${place.kind}:${place.name}`, socket);
}

/**
 * Makes `buddy-<agent>` (or `-2` …) with one pane running what `commandLine` answers, and attaches to it; no byte of the pane is
 * missed. Throws `target.refused` or `target.lost`.
 */
export async function openSession(
  place: SessionPlace,
  wanted: { readonly agent: string; readonly cols: number; readonly rows: number; commandLine(folder: string): Promise<string> },
  listener: ChannelListener,
  signal: AbortSignal,
): Promise<Session> {
  const owner = `${place.hostname.replace(/[^A-Za-z0-9.-]/g, '_')}/${place.pid}/${randomBytes(8).toString('hex')}`;
  const folder = await place.place.makeFolder(signal);
  try {
    const commandLine = await wanted.commandLine(folder);
    const opened = await withServerLock(lockOf(place), place.pid, place.clock, signal, async () => {
      const made = await claim(place, { ...wanted, commandLine, owner, folder }, listener, signal);
      // Elsewhere it cannot be told whether the program of a session lives: those end by themselves.
      if (place.place.kind === 'local')
        await dropOrphans(place, made.channel).catch((thrown) => place.log.write('warn', `looking for orphans: ${String(thrown)}`));
      return made;
    });
    return sessionOf(place, { ...opened, folder, owner });
  } catch (thrown) {
    await place.place.removeFolder(folder);
    throw thrown;
  }
}

function sessionOf(place: SessionPlace, parts: Omit<Session, 'close'>): Session {
  return { ...parts, close: () => closeSession(place, parts) };
}

/** What tmux says when a session, or the whole server, is not there any more. */
const GONE = /can't find session|no sessions|no server running|error connecting to|server exited/;

/**
 * Attaches to a session of ours again, after its client was lost, and ends clients of ours that still hang there: one that
 * nobody reads from can freeze what runs in the pane. Null when the session is gone. Throws `target.*` when it cannot be told.
 */
export async function reattach(
  place: SessionPlace,
  lost: Session,
  listener: ChannelListener,
  signal: AbortSignal,
): Promise<Session | null> {
  const child = place.place.start([...tmuxArgv(place), '-C', 'attach-session', '-t', `=${lost.name}`, '-f', ATTACH_FLAGS]);
  let heard: ChannelListener | null = null;
  const channel = new ControlChannel(child, {
    output: (pane, bytes) => listener.output(pane, bytes),
    notification: (event, rest) => listener.notification(event, rest),
    closed: (reason) => heard?.closed(reason),
  });
  const onAbort = () => channel.kill();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await channel.opened;
    const asked = await channel.request(`display-message -p ${tmuxWord('#{@buddy_owner} #{client_pid}')}`);
    const [owner, own] = (asked.lines[0] ?? '').split(' ');
    signal.throwIfAborted();
    if (owner !== lost.owner) {
      await channel.detach();
      return null;
    }
    const listed = await channel.request(
      `list-clients -t ${tmuxWord(`=${lost.name}:`)} -F ${tmuxWord('#{client_control_mode} #{client_pid}')}`,
    );
    for (const line of listed.lines) {
      const [control, pid = ''] = line.split(' ');
      if (control === '1' && pid !== own && Number(pid) > 1) channel.request(`run-shell -b ${tmuxWord(`kill ${Number(pid)}`)}`);
    }
    if (!channel.open) throw new BuddyError('target.lost', 'the connection broke again', { retryable: true });
    heard = listener;
    return sessionOf(place, { ...lost, channel });
  } catch (thrown) {
    channel.kill();
    signal.throwIfAborted();
    if (GONE.test(asBuddyError(thrown, 'target.lost').message)) return null;
    throw thrown;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

interface Claim {
  readonly agent: string;
  readonly cols: number;
  readonly rows: number;
  readonly commandLine: string;
  readonly owner: string;
  readonly folder: string;
}

async function claim(
  place: SessionPlace,
  wanted: Claim,
  listener: ChannelListener,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly pane: string; readonly channel: ControlChannel }> {
  let number = 1;
  for (let attempt = 1; ; ) {
    const name = `buddy-${wanted.agent}${number === 1 ? '' : `-${number}`}`;
    let heard: ChannelListener | null = null;
    const child = place.place.start([...tmuxArgv(place), '-C', ...creation(place, name, wanted)]);
    const channel = new ControlChannel(child, {
      // Bytes may come before the caller holds the session: it only needs the listener.
      output: (pane, bytes) => listener.output(pane, bytes),
      notification: (event, rest) => listener.notification(event, rest),
      closed: (reason) => heard?.closed(reason),
    });
    const onAbort = () => channel.kill();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const lines = await channel.opened;
      signal.throwIfAborted();
      heard = listener;
      return { name, pane: lines[0] ?? '', channel };
    } catch (thrown) {
      channel.kill();
      await channel.ended;
      if (signal.aborted) {
        await endSession(place, name, wanted.owner);
        throw abortError();
      }
      const error = asBuddyError(thrown, 'target.lost');
      place.log.write('info', `tmux refused ${name}: ${error.message}`);
      if (error.message.includes('duplicate session') && number < MOST_OF_ONE_NAME) number++;
      else if (attempt++ < ATTEMPTS && isPassing(error.message)) await delay(place.clock, 40 * attempt, signal);
      else throw new BuddyError('target.refused', `tmux did not make a session: ${error.message}`, { cause: thrown });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

/** What a server says that is going away or coming up. */
function isPassing(message: string): boolean {
  return /server exited|lost server|no server|error connecting|no sessions|can't find session|tmux client ended/.test(message);
}

/**
 * The client's own command line. `window-size manual` is set for the window only: the global form kills tmux 3.3a. In the hook
 * `##` keeps a format from being expanded before the grace is over.
 */
function creation(place: SessionPlace, name: string, wanted: Claim): readonly string[] {
  const target = `=${name}:`;
  const unattended = `##{&&:##{==:##{session_attached},0},##{==:##{@buddy_owner},${wanted.owner}}}`;
  const destroy = `run-shell ${tmuxWord(`rm -rf ${shellWord(wanted.folder)}`)} ; kill-session -t ${tmuxWord(`=${name}`)}`;
  const later = `if-shell -F -t ${tmuxWord(target)} ${tmuxWord(unattended)} ${tmuxWord(destroy)}`;
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
    ['set-hook', '-t', target, 'client-detached', `run-shell -b -d ${place.place.graceS} -C ${tmuxWord(later)}`],
    ['attach-session', '-t', `=${name}`, '-f', ATTACH_FLAGS],
  ];
  return commands.flatMap((command, at) => [...(at === 0 ? [] : [';']), ...command.map(argument)]);
}

/** tmux reads an argument that ends in `;` as the end of a command. */
function argument(text: string): string {
  return text.endsWith(';') ? `${text.slice(0, -1)}\\;` : text;
}

/** Ends sessions whose program on this host is gone and that nobody is attached to. */
async function dropOrphans(place: SessionPlace, channel: ControlChannel): Promise<void> {
  const listed = await channel.request(`list-sessions -F ${tmuxWord('#{session_id} #{session_attached} #{@buddy_owner}')}`);
  for (const line of listed.ok ? listed.lines : []) {
    const [id, attached, owner] = line.split(' ');
    const [host, pid] = owner?.split('/') ?? [];
    if (id === undefined || attached !== '0' || pid === undefined || host !== place.hostname.replace(/[^A-Za-z0-9.-]/g, '_')) continue;
    if (processExists(Number(pid))) continue;
    place.log.write('info', `ending the session ${id} of ${owner}: its program is gone`);
    await channel.request(`kill-session -t ${tmuxWord(id)}`);
  }
}

/** Ends the session of this name when it is really `owner`'s. */
async function endSession(place: SessionPlace, name: string, owner: string): Promise<void> {
  const killing = ['if-shell', '-F', '-t', `=${name}:`, `#{==:#{@buddy_owner},${owner}}`, `kill-session -t ${tmuxWord(`=${name}`)}`];
  await place.place.run([...tmuxArgv(place), ...killing], new AbortController().signal);
}

/** The client leaves first: a session that ends under a control client can take tmux 3.3a down with it. */
async function closeSession(place: SessionPlace, { name, owner, folder, channel }: Omit<Session, 'close'>): Promise<void> {
  const never = new AbortController().signal;
  try {
    await withServerLock(lockOf(place), place.pid, place.clock, never, async () => {
      if (channel.open) {
        channel.request(`set-hook -u -t ${tmuxWord(`=${name}:`)} client-detached`);
        const timer = place.clock.after(DETACH_PATIENCE_MS, () => channel.kill());
        await channel.detach();
        timer.dispose();
      }
      await endSession(place, name, owner);
    });
  } catch (thrown) {
    if (!isAbort(thrown)) place.log.write('warn', `closing ${name}: ${String(thrown)}`);
  }
  await place.place.removeFolder(folder);
}
