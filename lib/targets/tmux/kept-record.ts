/**
 * The record of a session that was kept, a file in its private folder. tmux's own options are labels that anybody on the server can
 * write; what counts is that this file lies in a 0700 folder of ours.
 */

import type { Place } from '../places/place.js';

/** Name of the file. */
export const KEPT_RECORD = 'kept';

/** What the next run must know of the shell to go on with it. */
export interface KeptShell {
  /** Of the agent whose session it is, as it stands in the session's name. */
  readonly agent: string;
  /** The shell's program. */
  readonly shell: string;
  /** Of its marks. */
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

/** All that is written. */
export interface KeptRecord extends KeptShell {
  readonly name: string;
  readonly owner: string;
  readonly pane: string;
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
/** A file is at most so long; what is longer was not written by us. */
const LONGEST_RECORD = 20_000;

/** One line. */
export function keptRecordText(record: Omit<KeptRecord, 'folder'>): string {
  const running = record.running === null ? null : { ...record.running, command: record.running.command.slice(0, LONGEST_COMMAND) };
  return `${JSON.stringify({ form: FORM, ...record, running })}\n`;
}

/** Prints folder and record of every private folder that is really this user's own. */
const LOOK = `for f in /tmp/buddy-*/${KEPT_RECORD}; do
d=\${f%/*}
[ -f "$f" ] && [ ! -L "$f" ] && [ -O "$f" ] && [ -d "$d" ] && [ ! -L "$d" ] && [ -O "$d" ] || continue
case $(ls -ld "$d") in drwx------*) ;; *) continue ;; esac
printf '%s ' "$d"
head -c ${LONGEST_RECORD} "$f"
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

/** Process id of the shell in the text of a record, 0 when it says none; null for no text. */
export function keptPid(text: string | null): number | null {
  if (text === null) return null;
  const pid = objectIn(text)?.['pid'];
  return typeof pid === 'number' ? pid : 0;
}

function parsed(line: string): readonly KeptRecord[] {
  const at = line.indexOf(' ');
  const folder = line.slice(0, at);
  const found = FOLDER.test(folder) ? objectIn(line.slice(at + 1)) : null;
  if (found === null || found['form'] !== FORM) return [];
  const running = objectOf(found['running']);
  const text = (key: string) => (typeof found[key] === 'string' ? found[key] : '');
  const number = (key: string) => (typeof found[key] === 'number' ? found[key] : 0);
  const record = {
    folder,
    agent: text('agent'),
    shell: text('shell'),
    nonce: text('nonce'),
    cwd: text('cwd'),
    promptLine: text('promptLine'),
    name: text('name'),
    owner: text('owner'),
    pane: text('pane'),
    socket: text('socket'),
    pid: number('pid'),
    prompt: number('prompt'),
    keptMs: number('keptMs'),
    running:
      running === null
        ? null
        : { id: String(running['id'] ?? ''), command: String(running['command'] ?? ''), sinceMs: Number(running['sinceMs'] ?? 0) },
  };
  const good =
    [record.agent, record.nonce, record.name].every((word) => WORD.test(word)) &&
    /^[\w.-]+\/\d+\/\w+$/.test(record.owner) &&
    /^%\d+$/.test(record.pane) &&
    Number.isSafeInteger(record.keptMs);
  return good ? [record] : [];
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
