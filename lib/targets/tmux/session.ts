/** A private tmux session of ours: made and attached in one go, owned by options, gone without a trace. */

import { randomBytes } from 'node:crypto';
import { type Clock, delay } from '../../base/clock.js';
import { abortError, asBuddyError, BuddyError, isAbort } from '../../base/errors.js';
import type { Log } from '../../base/log.js';
import { processExists, runProcess, startProcess } from '../../base/process.js';
import { dropAbandonedFolders, makePrivateFolder, removePrivateFolder } from '../private-folder.js';
import { type ChannelListener, ControlChannel } from './control-channel.js';
import { formatLiteral, shellWord, tmuxWord } from './quoting.js';
import { withServerLock } from './server-lock.js';

/** Where and as what a session is made. */
export interface SessionPlace {
  readonly tmux: string;
  readonly socket: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly hostname: string;
  readonly pid: number;
  readonly cwd: string;
  readonly lock: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Session {
  readonly name: string;
  readonly pane: string;
  /** A 0700 folder for the scripts of this session. */
  readonly folder: string;
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
/** Name of the socket that tmux uses by default. */
const USERS_SOCKET = 'default';
/** Seconds a session outlives a client that was killed. */
const GRACE_S = 5;
/** A second, third … program of the same name takes `-2`, `-3` … */
const MOST_OF_ONE_NAME = 64;
/** A server that is just going away refuses a few times. */
const ATTEMPTS = 8;
const DETACH_PATIENCE_MS = 3000;

/** Flags of every tmux call: UTF-8 whatever the locale, our own server, nobody's configuration. */
function serverFlags(place: SessionPlace): readonly string[] {
  return ['-u', '-L', place.socket, '-f', '/dev/null'];
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
  void dropAbandonedFolders();
  const owner = `${place.hostname.replace(/[^A-Za-z0-9.-]/g, '_')}/${place.pid}/${randomBytes(8).toString('hex')}`;
  const folder = await makePrivateFolder(place.pid);
  try {
    const commandLine = await wanted.commandLine(folder);
    const opened = await withServerLock(place.lock, place.pid, place.clock, signal, async () => {
      const made = await claim(place, { ...wanted, commandLine, owner, folder }, listener, signal);
      await dropOrphans(place, made.channel).catch((thrown) => place.log.write('warn', `looking for orphans: ${String(thrown)}`));
      return made;
    });
    return { ...opened, folder, close: () => closeSession(place, opened.name, owner, folder, opened.channel) };
  } catch (thrown) {
    await removePrivateFolder(folder);
    throw thrown;
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
    // A group of its own: Ctrl-C and Ctrl-Z of the user's terminal are not meant for it.
    const options = { env: place.environment, ownGroup: true };
    const child = startProcess(place.tmux, [...serverFlags(place), '-C', ...creation(place, name, wanted)], options);
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
  const environment = Object.entries(place.environment).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const commands: readonly (readonly string[])[] = [
    ['start-server'],
    // The user's own server keeps the user's own options.
    ...(place.socket === USERS_SOCKET ? [] : ownServerOptions),
    [
      ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-s', name, '-n', 'shared', '-x', String(wanted.cols), '-y', String(wanted.rows)],
      ...['-c', formatLiteral(place.cwd), ...environment, wanted.commandLine],
    ],
    ['set-option', '-t', target, '@buddy_managed', '1'],
    ['set-option', '-t', target, '@buddy_owner', wanted.owner],
    ['set-option', '-w', '-t', target, 'window-size', 'manual'],
    ['set-option', '-w', '-t', target, 'remain-on-exit', 'on'],
    ['set-option', '-w', '-t', target, 'automatic-rename', 'off'],
    ['set-option', '-w', '-t', target, 'allow-rename', 'off'],
    ['select-pane', '-t', target, '-T', 'shared'],
    ['set-hook', '-t', target, 'client-detached', `run-shell -b -d ${GRACE_S} -C ${tmuxWord(later)}`],
    ['attach-session', '-t', `=${name}`, '-f', 'ignore-size,pause-after=10'],
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
  await runProcess(place.tmux, [...serverFlags(place), ...killing], { env: place.environment }, new AbortController().signal);
}

/** The client leaves first: a session that ends under a control client can take tmux 3.3a down with it. */
async function closeSession(place: SessionPlace, name: string, owner: string, folder: string, channel: ControlChannel): Promise<void> {
  const never = new AbortController().signal;
  try {
    await withServerLock(place.lock, place.pid, place.clock, never, async () => {
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
  await removePrivateFolder(folder);
}
