/** The sessions of this program on a tmux server, whoever's they are: seen from outside, and ended when nobody owns them any more. */

import { processExists } from '../../base/process.js';
import type { Place } from '../places/place.js';
import { type KeptRecord, keptRecords } from './kept-record.js';
import { tmuxWord } from './quoting.js';
import { ownerHost, tmuxArgv } from './session-lines.js';

export interface ListedPane {
  readonly pane: string;
  readonly program: string;
  readonly dead: boolean;
}

/** Who a session belongs to now. */
export type Ownership =
  /** A program on this host that runs. */
  | { readonly kind: 'live'; readonly pid: number }
  /** A program on this host that is gone. */
  | { readonly kind: 'orphan'; readonly pid: number }
  /** Left behind on purpose; `record` null: what the next run needs is not there. */
  | { readonly kind: 'kept'; readonly keptMs: number; readonly record: KeptRecord | null }
  /** A program on another host, of which nothing is known here. */
  | { readonly kind: 'elsewhere'; readonly host: string }
  /** Its labels are not as we write them. */
  | { readonly kind: 'unknown' };

export interface ListedSession {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly attached: number;
  readonly ownership: Ownership;
  readonly panes: readonly ListedPane[];
}

const FIELDS =
  '#{@buddy_managed}|#{@buddy_owner}|#{@buddy_kept}|#{session_attached}|#{pane_dead}|#{pane_id}|#{session_id}|#{session_name}|#{pane_current_command}';
/** What tmux says when there is no server behind a socket. */
const NO_SERVER = /no server running|error connecting|no such file/i;

/** Null when no server answers on that socket. Throws an AbortError, or what tmux complained. */
export async function listSessions(
  place: Place,
  socket: string,
  hostname: string,
  signal: AbortSignal,
): Promise<readonly ListedSession[] | null> {
  const { code, stdout, stderr } = await place.run([...tmuxArgv({ place, socket }), 'list-panes', '-a', '-F', FIELDS], signal);
  if (code !== 0) {
    if (NO_SERVER.test(stderr)) return null;
    throw new Error(stderr.trim() || `tmux ended with exit code ${code ?? 'unknown'}`);
  }
  const records = await keptRecords(place, signal);
  const sessions = new Map<string, ListedSession>();
  for (const line of stdout.toString('utf8').split('\n')) {
    const [managed, owner = '', kept = '', attached, dead, pane = '', id = '', name = '', ...program] = line.split('|');
    if (managed !== '1') continue;
    const before = sessions.get(id);
    const panes = [...(before?.panes ?? []), { pane, program: program.join('|'), dead: dead === '1' }];
    const ownership = before?.ownership ?? ownershipOf(owner, kept, name, hostname, records);
    sessions.set(id, { id, name, owner, attached: Number(attached), ownership, panes });
  }
  return [...sessions.values()];
}

function ownershipOf(owner: string, kept: string, name: string, hostname: string, records: readonly KeptRecord[]): Ownership {
  const found = /^([\w.-]+)\/(\d+)\/\w+$/.exec(owner);
  if (found === null) return { kind: 'unknown' };
  const [, host = '', pid] = found;
  if (/^\d+$/.test(kept)) {
    const record = records.find((one) => one.owner === owner && one.name === name && String(one.keptMs) === kept) ?? null;
    return { kind: 'kept', keptMs: Number(kept), record };
  }
  if (kept !== '') return { kind: 'unknown' };
  if (host !== ownerHost(hostname)) return { kind: 'elsewhere', host };
  return { kind: processExists(Number(pid)) ? 'live' : 'orphan', pid: Number(pid) };
}

/** Ends a session that is still as it was listed and that nobody is attached to; false when it is not. */
export async function endListed(place: Place, socket: string, { id, owner }: ListedSession, signal: AbortSignal): Promise<boolean> {
  const unchanged = `#{&&:#{==:#{session_attached},0},#{==:#{@buddy_owner},${owner}}}`;
  const ending = ['if-shell', '-F', '-t', id, unchanged, `display-message -p ended ; kill-session -t ${tmuxWord(id)}`];
  const { stdout } = await place.run([...tmuxArgv({ place, socket }), ...ending], signal);
  return stdout.toString('utf8').includes('ended');
}
