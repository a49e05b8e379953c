/**
 * The record of a session that was kept, a file in its private folder. tmux's own options are labels that anybody on the server can
 * write; what counts is that this file lies in a 0700 folder of ours.
 */

import type { Place } from '../places/place.js';

/** Name of the file. */
export const KEPT_RECORD = 'kept';

/** What the next run must know of a pane to go on with its shell. */
export interface KeptPane {
  /** Id in tmux. */
  readonly pane: string;
  readonly title: string;
  /** Where its files are. */
  readonly folder: string;
  /** Of the marks of its shell. */
  readonly nonce: string;
  /** Process id of the shell, 0 when not known. */
  readonly pid: number;
  /** Its folder. */
  readonly cwd: string;
  /** Number of its newest prompt: marks of older ones are replays. */
  readonly prompt: number;
  /** The row of the prompt when nothing was typed at it, else ''. */
  readonly promptLine: string;
  /** The command that was running, with the id of its marks (both '' for one that a person had typed), and since when. */
  readonly running: { readonly id: string; readonly command: string; readonly sinceMs: number } | null;
}

/** What is kept of a session. */
export interface KeptContent {
  /** Whose session it is, as it stands in its name. */
  readonly agent: string;
  /** The program of its shells. */
  readonly shell: string;
  /** The one that the session began with first. */
  readonly panes: readonly KeptPane[];
}

/** All that is written. */
export interface KeptRecord extends KeptContent {
  readonly name: string;
  readonly owner: string;
  readonly socket: string;
  readonly keptMs: number;
  /** Where the record was found. */
  readonly folder: string;
}

/** Another form means another way to talk with the shell: a session of it is left alone. */
const FORM = 1;
/** A command may be long; of one that is longer the start will do. */
const LONGEST_COMMAND = 2000;
const FOLDER = /^\/tmp\/buddy-\w+$/;
const WORD = /^[\w.-]+$/;
/** As many panes as may be, each with the longest command, in JSON: a file that is longer was not written by us (bytes). */
const LONGEST_RECORD = 2_000_000;

/** One line. */
export function keptRecordText(record: Omit<KeptRecord, 'folder'>): string {
  const panes = record.panes.map((pane) =>
    pane.running === null ? pane : { ...pane, running: { ...pane.running, command: pane.running.command.slice(0, LONGEST_COMMAND) } },
  );
  return `${JSON.stringify({ form: FORM, ...record, panes })}\n`;
}

/** Prints folder and record of every private folder that is really this user's own. */
const LOOK = `for f in /tmp/buddy-*/${KEPT_RECORD}; do
d=\${f%/*}
[ -f "$f" ] && [ ! -L "$f" ] && [ -O "$f" ] && [ -d "$d" ] && [ ! -L "$d" ] && [ -O "$d" ] || continue
case $(ls -ld "$d") in drwx------*) ;; *) continue ;; esac
printf '%s ' "$d"
head -c ${LONGEST_RECORD} "$f"
echo
done`;

/** The records that lie there, the newest first. None when they cannot be read; rejects only when cancelled. */
export async function keptRecords(place: Pick<Place, 'run'>, signal: AbortSignal): Promise<readonly KeptRecord[]> {
  try {
    const { stdout } = await place.run(['/bin/sh', '-c', LOOK], signal);
    const records = stdout.toString('utf8').split('\n').flatMap(parsed);
    return records.sort((one, other) => other.keptMs - one.keptMs);
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return [];
  }
}

/** Process ids of the shells in the text of a record; null for no text. */
export function keptPids(text: string | null): readonly number[] | null {
  if (text === null) return null;
  const panes = objectIn(text)?.['panes'];
  return Array.isArray(panes) ? panes.map((pane: unknown) => Number(objectOf(pane)?.['pid'])).filter((pid) => pid > 1) : [];
}

function parsed(line: string): readonly KeptRecord[] {
  const at = line.indexOf(' ');
  const folder = line.slice(0, at);
  const found = FOLDER.test(folder) ? objectIn(line.slice(at + 1)) : null;
  if (found === null || found['form'] !== FORM || !Array.isArray(found['panes'])) return [];
  const text = textsOf(found);
  const panes = found['panes'].flatMap((pane: unknown) => paneOf(objectOf(pane), folder));
  const keptMs = Number(found['keptMs']);
  const record = {
    folder,
    keptMs,
    panes,
    agent: text('agent'),
    shell: text('shell'),
    name: text('name'),
    owner: text('owner'),
    socket: text('socket'),
  };
  const good =
    panes.length > 0 &&
    WORD.test(record.agent) &&
    WORD.test(record.name) &&
    /^[\w.-]+\/\d+\/\w+$/.test(record.owner) &&
    Number.isSafeInteger(keptMs);
  return good ? [record] : [];
}

function paneOf(found: Readonly<Record<string, unknown>> | null, folder: string): readonly KeptPane[] {
  if (found === null) return [];
  const text = textsOf(found);
  const running = objectOf(found['running']);
  const told = running === null ? null : textsOf(running);
  const pane: KeptPane = {
    pane: text('pane'),
    title: text('title'),
    folder: text('folder'),
    nonce: text('nonce'),
    cwd: text('cwd'),
    promptLine: text('promptLine'),
    pid: Number(found['pid']),
    prompt: Number(found['prompt']),
    running: told === null ? null : { id: told('id'), command: told('command'), sinceMs: Number(running?.['sinceMs']) },
  };
  const isInside = pane.folder === folder || (pane.folder.startsWith(`${folder}/`) && /^\/\d+$/.test(pane.folder.slice(folder.length)));
  return isInside && /^%\d+$/.test(pane.pane) && WORD.test(pane.nonce) ? [pane] : [];
}

function textsOf(found: Readonly<Record<string, unknown>>): (key: string) => string {
  return (key) => (typeof found[key] === 'string' ? found[key] : '');
}

function objectIn(json: string): Readonly<Record<string, unknown>> | null {
  try {
    return objectOf(JSON.parse(json));
  } catch {
    return null;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}
