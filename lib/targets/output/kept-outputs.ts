/** Whole outputs of commands that printed more than a model is shown: kept in a private folder on this host, to be read on by offset. */

import { randomBytes } from 'node:crypto';
import { BuddyError } from '../../base/errors.js';
import { AppendFile, rm } from '../../base/files.js';
import { wholeCharacters } from '../../base/whole-characters.js';
import { readLocalFile } from '../places/local-files.js';
import { remakePrivateFolder, removePrivateFolder } from '../places/local-folders.js';
import type { CommandOutput, OutputPiece } from '../target.js';
import { plainText } from './cleaning.js';

/** Outputs that are kept; the oldest goes first. */
const MOST_OUTPUTS = 20;
/** Bytes of one output that are kept. */
const MOST_BYTES = 128_000_000;
/** Bytes that are collected before they are written; an output below that never becomes a file. */
const BLOCK_BYTES = 64 * 1024;

/** Takes the bytes of one command. Nothing that goes wrong here disturbs the command: then the rest is not kept. */
export class KeptOutput {
  readonly id: string;
  readonly #file: () => AppendFile;
  #open: AppendFile | null = null;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #ended = false;

  constructor(id: string, file: () => AppendFile) {
    this.id = id;
    this.#file = file;
  }

  append(bytes: Buffer): void {
    if (this.#ended) return;
    const room = MOST_BYTES - this.#bytes;
    const taken = bytes.length > room ? bytes.subarray(0, room) : bytes;
    this.#bytes += taken.length;
    this.#waiting.push(taken);
    this.#waitingBytes += taken.length;
    if (this.#waitingBytes >= BLOCK_BYTES) this.flush();
    if (this.#bytes >= MOST_BYTES) this.end();
  }

  /** What came so far is in the file. */
  flush(): void {
    if (this.#waitingBytes === 0) return;
    const block = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      this.#open ??= this.#file();
      this.#open.append(block);
    } catch {
      this.end();
    }
  }

  /** Takes no more. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.flush();
    this.#open?.close();
    this.#open = null;
    this.#waiting = [];
  }
}

export class KeptOutputs {
  readonly #pid: number;
  #folder: string | null = null;
  /** Oldest first. */
  readonly #outputs = new Map<string, KeptOutput>();
  #count = 0;

  /** `pid` of this program: its name stands in the folder, so that it can be found when it was left behind. */
  constructor(pid: number) {
    this.#pid = pid;
  }

  /** A place for what the next command prints. */
  open(): KeptOutput {
    const id = `o${++this.#count}`;
    const output = new KeptOutput(id, () => new AppendFile(this.#path(id)));
    this.#outputs.set(id, output);
    const [oldest] = this.#outputs.keys();
    if (this.#outputs.size > MOST_OUTPUTS && oldest !== undefined) this.#forget(oldest);
    return output;
  }

  /** The output with its name when the rest of it can be read; one that has ended and was shown whole is not kept. */
  named(kept: KeptOutput | null, hasEnded: boolean, shown: CommandOutput): CommandOutput {
    if (kept === null || !this.#outputs.has(kept.id)) return shown;
    if (shown.truncated) return { ...shown, id: kept.id };
    if (hasEnded) this.#forget(kept.id);
    return shown;
  }

  /** The text between two offsets (bytes as the terminal got them). Throws `target.output` when there is no such output. */
  async read(id: string, range: { readonly offset: number; readonly limit: number }, signal: AbortSignal): Promise<OutputPiece> {
    const kept = this.#outputs.get(id);
    kept?.flush();
    if (kept === undefined || this.#folder === null) {
      throw new BuddyError('target.output', `there is no output "${id}" (any more)`, {
        hint: `The outputs of the last ${MOST_OUTPUTS} commands are kept; run the command again, and write what it prints into a file.`,
      });
    }
    const { bytes, size } = await readLocalFile(this.#path(id), range, signal);
    const end = range.offset + unbroken(bytes, range.offset + bytes.length === size).length;
    const whole = bytes.subarray(0, end - range.offset);
    return { text: plainText(whole), size, next: end < size && whole.length > 0 ? end : null };
  }

  /** Nothing is kept any more. Never rejects. */
  async close(): Promise<void> {
    for (const output of this.#outputs.values()) output.end();
    this.#outputs.clear();
    const folder = this.#folder;
    this.#folder = null;
    if (folder !== null) await removePrivateFolder(folder);
  }

  #path(id: string): string {
    if (this.#folder === null) {
      const folder = `/tmp/buddy-${randomBytes(3).toString('hex')}`;
      remakePrivateFolder(folder, this.#pid);
      this.#folder = folder;
    }
    return `${this.#folder}/${id}`;
  }

  #forget(id: string): void {
    const output = this.#outputs.get(id);
    if (output === undefined) return;
    this.#outputs.delete(id);
    output.end();
    if (this.#folder !== null) void rm(`${this.#folder}/${id}`, { force: true }).catch(() => undefined);
  }
}

/** A line end, or an escape sequence, that has only begun. */
const BEGUN = /(?:\x1b(?:\[[0-9;:?<=>]*[ -/]*|\][^\x07\x1b]{0,200}|[ -/]*)|\r+)$/;

/** `bytes` without what is cut in two at their end, unless they end the output or hold nothing else. */
function unbroken(bytes: Uint8Array, isLast: boolean): Uint8Array {
  if (isLast) return bytes;
  const whole = wholeCharacters(bytes);
  const begun = BEGUN.exec(Buffer.from(whole).toString('latin1'))?.index ?? whole.length;
  return begun === 0 ? whole : whole.subarray(0, begun);
}
