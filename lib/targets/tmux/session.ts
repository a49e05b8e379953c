/** A private tmux session of ours: made and attached in one go, owned by options, gone without a trace unless it is kept. */

import { randomBytes } from 'node:crypto';
import { delay } from '../../base/clock.js';
import { abortError, asBuddyError, BuddyError, isAbort } from '../../base/errors.js';
import { processExists } from '../../base/process.js';
import { dropAbandonedFolders } from '../places/local-folders.js';
import { attachClient, startClient } from './attach-client.js';
import type { ChannelListener, ControlChannel } from './control-channel.js';
import { KEPT_RECORD, type KeptContent, type KeptRecord, keptRecords, keptRecordText } from './kept-record.js';
import { shellWord, tmuxWord } from './quoting.js';
import { lockPath, withServerLock } from './server-lock.js';
import { type Claim, creationArgv, detachedHook, ownerHost, type SessionPlace, tmuxArgv } from './session-lines.js';

export type { SessionPlace } from './session-lines.js';

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
  /** Leaves the session and its folder to whoever continues in it; false, and nothing done, when that is not possible. Never rejects. */
  keep(content: KeptContent): Promise<boolean>;
}

/** A second, third … program of the same name takes `-2`, `-3` … */
const MOST_OF_ONE_NAME = 64;
/** A server that is just going away refuses a few times. */
const ATTEMPTS = 8;
const DETACH_PATIENCE_MS = 3000;

/** One lock per server: same place, same user, same socket. */
function lockOf({ place, socket }: SessionPlace): string {
  return lockPath(place.kind === 'local' ? place.facts.user : `${place.facts.user}@${place.kind}:${place.name}`, socket);
}

function newOwner({ hostname, pid }: SessionPlace): string {
  return `${ownerHost(hostname)}/${pid}/${randomBytes(8).toString('hex')}`;
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
  const owner = newOwner(place);
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

function sessionOf(place: SessionPlace, parts: Omit<Session, 'close' | 'keep'>): Session {
  return { ...parts, close: () => closeSession(place, parts), keep: (content) => keepSession(place, parts, content) };
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
  try {
    return await attachClient(place, lost.name, listener, signal, async (channel) => {
      const asked = await channel.request(`display-message -p ${tmuxWord('#{@buddy_owner} #{client_pid}')}`);
      const [owner, own] = (asked.lines[0] ?? '').split(' ');
      signal.throwIfAborted();
      if (owner !== lost.owner) return null;
      const listed = await channel.request(
        `list-clients -t ${tmuxWord(`=${lost.name}:`)} -F ${tmuxWord('#{client_control_mode} #{client_pid}')}`,
      );
      for (const line of listed.lines) {
        const [control, pid = ''] = line.split(' ');
        if (control === '1' && pid !== own && Number(pid) > 1) void channel.request(`run-shell -b ${tmuxWord(`kill ${Number(pid)}`)}`);
      }
      if (!channel.open) throw new BuddyError('target.lost', 'the connection broke again', { retryable: true });
      return sessionOf(place, { ...lost, channel });
    });
  } catch (thrown) {
    signal.throwIfAborted();
    if (GONE.test(asBuddyError(thrown, 'target.lost').message)) return null;
    throw thrown;
  }
}

/** A session that was kept and is ours now. */
export interface Adopted {
  readonly session: Session;
  readonly record: KeptRecord;
}

/**
 * Takes over a session that an earlier run kept under the same name, the newest first: it must be detached, its labels must be those of
 * the record in its private folder. `listening` answers who hears its pane from the first byte on. Null when there is none to be had.
 */
export async function adoptSession(
  place: SessionPlace,
  wanted: { readonly agent: string; readonly shell: string },
  listening: (record: KeptRecord) => ChannelListener,
  signal: AbortSignal,
): Promise<Adopted | null> {
  const records = await keptRecords(place.place, signal);
  const ours = records.filter(({ agent, shell, socket }) => agent === wanted.agent && shell === wanted.shell && socket === place.socket);
  for (const record of ours) {
    const adopted = await withServerLock(lockOf(place), place.pid, place.clock, signal, () =>
      adoptOne(place, record, listening(record), signal),
    );
    if (adopted !== null) return { session: adopted, record };
  }
  return null;
}

async function adoptOne(place: SessionPlace, record: KeptRecord, listener: ChannelListener, signal: AbortSignal): Promise<Session | null> {
  const { name, folder } = record;
  const pane = record.panes[0]?.pane ?? '';
  const owner = newOwner(place);
  const target = tmuxWord(`=${name}:`);
  const claiming = tmuxWord(`set-option -t ${target} @buddy_owner ${owner}`);
  try {
    return await attachClient(place, name, listener, signal, async (channel, hold) => {
      signal.throwIfAborted();
      // From here on it is done to the end: a session that is half taken over would be nobody's.
      hold();
      const [, panes] = await channel.requestAll([
        // tmux itself decides who of two comes first: only one finds the old owner and nobody else attached.
        { nested: true, line: `if-shell -F -t ${target} ${tmuxWord(unclaimed(record))} ${claiming} "display-message -p taken"` },
        `list-panes -s -t ${tmuxWord(`=${name}`)} -F ${tmuxWord('#{@buddy_owner} #{pane_id} #{pane_dead}')}`,
      ]);
      if (panes?.lines.includes(`${owner} ${pane} 0`) !== true) {
        place.log.write('info', `${name} was kept, but is not taken: ${panes?.lines.join(', ') ?? ''}`);
        return null;
      }
      await takeFolder(place, folder);
      const claims = [
        `set-option -w -t ${target} remain-on-exit on`,
        `set-option -w -t ${target} window-size manual`,
        `set-hook -t ${target} client-detached ${tmuxWord(detachedHook(place, name, owner, folder))}`,
        `set-option -u -t ${target} @buddy_kept`,
      ];
      await channel.requestAll(claims);
      if (!channel.open) throw new BuddyError('target.lost', 'the connection broke', { retryable: true });
      return sessionOf(place, { name, pane, folder, owner, channel });
    });
  } catch (thrown) {
    signal.throwIfAborted();
    place.log.write('info', `${name} was kept, but cannot be continued: ${asBuddyError(thrown, 'target.lost').message}`);
    return null;
  }
}

/** Our own client is the only one there, and the labels are those of the record. */
function unclaimed({ owner, keptMs }: KeptRecord): string {
  return `#{&&:#{==:#{session_attached},1},#{&&:#{==:#{@buddy_owner},${owner}},#{==:#{@buddy_kept},${keptMs}}}}`;
}

/** The folder names this program as its owner before it stops to be a kept one: nobody else may clear it away. */
async function takeFolder({ place, hostname, pid }: SessionPlace, folder: string): Promise<void> {
  await place.writePrivate(`${folder}/owner`, place.kind === 'local' ? `${pid}\n` : `${hostname}/${pid}\n`);
  await place.run(['rm', '-f', `${folder}/${KEPT_RECORD}`], new AbortController().signal);
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
    const client = startClient(place, creationArgv(place, name, wanted), listener, signal);
    try {
      const lines = await client.channel.opened;
      signal.throwIfAborted();
      client.listen();
      return { name, pane: lines[0] ?? '', channel: client.channel };
    } catch (thrown) {
      client.channel.kill();
      await client.channel.ended;
      if (signal.aborted) {
        await endSession(place, name, wanted);
        throw abortError();
      }
      const error = asBuddyError(thrown, 'target.lost');
      place.log.write('info', `tmux refused ${name}: ${error.message}`);
      if (error.message.includes('duplicate session') && number < MOST_OF_ONE_NAME) number++;
      else if (attempt++ < ATTEMPTS && isPassing(error.message)) await delay(place.clock, 40 * attempt, signal);
      else throw new BuddyError('target.refused', `tmux did not make a session: ${error.message}`, { cause: thrown });
    } finally {
      client.settle();
    }
  }
}

/** What a server says that is going away or coming up. */
function isPassing(message: string): boolean {
  return /server exited|lost server|no server|error connecting|no sessions|can't find session|tmux client ended/.test(message);
}

/** Ends sessions whose program on this host is gone, that nobody is attached to and that were not kept; their folders go with them. */
async function dropOrphans(place: SessionPlace, channel: ControlChannel): Promise<void> {
  const listed = await channel.request(`list-sessions -F ${tmuxWord('#{session_id} #{session_attached} #{@buddy_owner} #{@buddy_kept}')}`);
  let isEnded = false;
  for (const line of listed.ok ? listed.lines : []) {
    const [id, attached, owner, kept] = line.split(' ');
    const [host, pid] = owner?.split('/') ?? [];
    if (id === undefined || attached !== '0' || pid === undefined || host !== ownerHost(place.hostname)) continue;
    if (processExists(Number(pid)) || (kept ?? '') !== '') continue;
    place.log.write('info', `ending the session ${id} of ${owner}: its program is gone`);
    await channel.request(`kill-session -t ${tmuxWord(id)}`);
    isEnded = true;
  }
  if (isEnded) await dropAbandonedFolders();
}

/**
 * Ends the session of this name when it is really `owner`'s. Its folder goes by the same command: over a connection that breaks now
 * either both have gone, or both go when nobody has come back for the grace.
 */
async function endSession(place: SessionPlace, name: string, { owner, folder }: Pick<Session, 'owner' | 'folder'>): Promise<void> {
  const destroy = `run-shell ${tmuxWord(`rm -rf ${shellWord(folder)}`)} ; kill-session -t ${tmuxWord(`=${name}`)}`;
  const killing = ['if-shell', '-F', '-t', `=${name}:`, `#{==:#{@buddy_owner},${owner}}`, destroy];
  await place.place.run([...tmuxArgv(place), ...killing], new AbortController().signal);
}

/** The client leaves first: a session that ends under a control client can take tmux 3.3a down with it. */
async function closeSession(place: SessionPlace, { name, owner, folder, channel }: Omit<Session, 'close' | 'keep'>): Promise<void> {
  const never = new AbortController().signal;
  try {
    await withServerLock(lockOf(place), place.pid, place.clock, never, async () => {
      if (channel.open) {
        void channel.request(`set-hook -u -t ${tmuxWord(`=${name}:`)} client-detached`);
        await leave(place, channel);
      }
      await endSession(place, name, { owner, folder });
    });
  } catch (thrown) {
    if (!isAbort(thrown)) place.log.write('warn', `closing ${name}: ${String(thrown)}`);
  }
  await place.place.removeFolder(folder);
}

/** The record is written first: without it a session with the label would be nobody's. */
async function keepSession(place: SessionPlace, session: Omit<Session, 'close' | 'keep'>, content: KeptContent): Promise<boolean> {
  const { name, owner, folder, channel } = session;
  const { socket } = place;
  const keptMs = place.clock.now();
  const target = tmuxWord(`=${name}:`);
  try {
    if (!channel.open) return false;
    // From now on the folder is its shell's: it is cleared away when that is gone.
    const pid = content.panes[0]?.pid ?? 0;
    if (place.place.kind === 'local' && pid > 1) await place.place.writePrivate(`${folder}/owner`, `${pid}\n`);
    await place.place.writePrivate(`${folder}/${KEPT_RECORD}`, keptRecordText({ ...content, name, owner, socket, keptMs }));
    const replies = await channel.requestAll([
      `set-option -t ${target} @buddy_kept ${keptMs}`,
      `set-hook -u -t ${target} client-detached`,
      // As in any tmux: it ends with its shell, and has the size of whoever attaches.
      `set-option -w -t ${target} remain-on-exit off`,
      `set-option -w -t ${target} window-size latest`,
    ]);
    if (replies[0]?.ok !== true) return false;
    await leave(place, channel);
    return true;
  } catch (thrown) {
    place.log.write('warn', `keeping ${name}: ${String(thrown)}`);
    return false;
  }
}

async function leave(place: SessionPlace, channel: ControlChannel): Promise<void> {
  const timer = place.clock.after(DETACH_PATIENCE_MS, () => channel.kill());
  await channel.detach();
  timer.dispose();
}
