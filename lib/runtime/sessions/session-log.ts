/** The writer of one session file. What the disk refuses waits in memory, in order, until it takes it. */

import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/disposable.js';
import { BuddyError } from '../../base/errors.js';
import { type AppendFile, fileTrouble } from '../../base/files.js';
import type { Redactor } from '../../policy/redaction.js';
import type { SessionId } from '../../protocol/sessions.js';
import { encodeRecord, type RecordBody } from './records.js';

/** Between the first two tries while the disk refuses, and the longest that it becomes: each time twice as long (milliseconds). */
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 8000;

/** A file to append to, and the lock on it. */
export interface HeldFile {
  readonly file: Pick<AppendFile, 'append' | 'content' | 'cut' | 'length' | 'sync' | 'close'>;
  /**
   * Looked at before each writing: it is ours; only its lock was taken away; the file was; or another program writes it. Throws the
   * system's error when that cannot be seen.
   */
  state(): 'ours' | 'unlocked' | 'gone' | 'theirs';
  release(): void;
}

export interface SessionLogOptions {
  readonly session: SessionId;
  readonly clock: Clock;
  readonly redact: Redactor;
  /** The first line of a new file; null when there is one already. */
  readonly header: string | null;
  /** Ids used so far; the last record is the one with that id. */
  readonly lastId: number;
  /** The record that the next one follows. */
  readonly leaf: string | null;
  /** The file, when it is open already. */
  readonly held?: HeldFile | undefined;
  /** What is in a file that is not open yet; none for a new one. */
  readonly unopened?: Buffer | undefined;
  /** Makes the file and takes its lock. Asked with the first record, and again after each failure. Throws a BuddyError or the system's error. */
  open(): HeldFile;
  /** Opens or makes it again, after it or its lock was taken away. Throws as `open` does, also when there are not so many bytes in it. */
  reopen(length: number): HeldFile;
}

/** Owns the file, its lock and what waits for it. Nothing throws: trouble is told to `onTrouble`, and null when it is over. */
export class SessionLog {
  readonly #options: SessionLogOptions;
  #held: HeldFile | null = null;
  /** Whole lines that are not in the file yet. */
  #waiting: Buffer[];
  /** Bytes of whole lines in the file. */
  #whole = 0;
  /** A part of a line may stand behind them. */
  #torn = false;
  #dirty = false;
  /** The last sync failed: only one that works says that bytes the disk took are kept. */
  #unkept = false;
  #lastId: number;
  #leaf: string | null;
  #trouble: string | null = null;
  #retry: Disposable | null = null;
  #retryMs = RETRY_MS;
  #syncing: Promise<void> = Promise.resolve();
  #closed = false;
  /** Called when the disk refuses, with the reason, and with null once all is written. */
  onTrouble: (trouble: string | null) => void = () => undefined;

  constructor(options: SessionLogOptions) {
    this.#options = options;
    this.#lastId = options.lastId;
    this.#leaf = options.leaf;
    if (options.held !== undefined) this.#hold(options.held);
    this.#waiting = options.header === null ? [] : [Buffer.from(`${options.header}\n`, 'utf8')];
  }

  get session(): SessionId {
    return this.#options.session;
  }

  /** True while the file holds everything that was appended, and the disk has not refused to keep it. */
  get isWritten(): boolean {
    return this.#held !== null && this.#waiting.length === 0 && !this.#unkept;
  }

  /** True while the file lacks records. A header that no record follows is not waited for. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0 && this.#lastId > this.#options.lastId;
  }

  /** True while nothing was ever appended. */
  get isEmpty(): boolean {
    return this.#lastId === 0;
  }

  /** Why the disk refuses now, or null. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** All whole lines, those as well that the disk has not taken. Throws the system's error when the file cannot be read. */
  content(): Buffer {
    const written = this.#held === null ? this.#options.unopened : this.#held.file.content(this.#whole);
    return Buffer.concat([written ?? Buffer.alloc(0), ...this.#waiting]);
  }

  /** Appends a record behind the last one, of now when no time is given, and answers its id. */
  append(body: RecordBody, tsMs = this.#options.clock.now()): string {
    const id = this.#add(body, tsMs);
    this.#write();
    return id;
  }

  /** Appends records in one write, each behind the one before it, and answers their ids. */
  appendAll(records: readonly (RecordBody & { readonly tsMs: number })[]): readonly string[] {
    const ids = records.map(({ tsMs, ...body }) => this.#add(body, tsMs));
    if (ids.length > 0) this.#write();
    return ids;
  }

  /** Appends a record behind the one with that id (null: none); what is appended next follows that one too. Answers its id. */
  branch(leaf: string | null, body: RecordBody): string {
    this.#leaf = leaf;
    const id = this.append(body);
    this.#leaf = leaf;
    return id;
  }

  /** Resolves when what was appended is on the disk, or when the disk refuses. */
  settle(): Promise<void> {
    this.#syncing = this.#syncing.then(() => this.#sync());
    return this.#syncing;
  }

  /** One more try for what waits, then lets go of the file. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#retry?.dispose();
    if (this.isWaiting) this.#write();
    await this.settle();
    const held = this.#held;
    if (held === null) return;
    for (const letGo of [() => held.file.close(), () => held.release()]) {
      try {
        letGo();
      } catch {
        // A disk that is read-only by now keeps the lock, which counts for nothing once this process is gone. What was not written is told of.
      }
    }
  }

  #add(body: RecordBody, tsMs: number): string {
    const id = String(++this.#lastId);
    const line = encodeRecord({ ...body, id, parentId: this.#leaf, tsMs }, this.#options.redact);
    this.#waiting.push(Buffer.from(`${line}\n`, 'utf8'));
    this.#leaf = id;
    return id;
  }

  #write(): void {
    try {
      const { file } = this.#inPlace();
      if (this.#torn) file.cut(this.#whole);
      this.#torn = true;
      const bytes = Buffer.concat(this.#waiting);
      file.append(bytes);
      this.#torn = false;
      this.#whole += bytes.length;
      this.#waiting = [];
      this.#dirty = true;
      if (!this.#unkept) this.#tell(null);
    } catch (thrown) {
      this.#tell(troubleOf(thrown));
    }
  }

  #tryAgain(): void {
    this.#retry?.dispose();
    this.#retry = null;
    this.#write();
    if (this.#unkept) void this.settle();
  }

  /** The file, looked at anew. One that was taken away is made again with all that was in it. */
  #inPlace(): HeldFile {
    const held = this.#held;
    if (held === null) return this.#hold(this.#options.open());
    const state = held.state();
    if (state === 'ours') return held;
    const { length } = held.file;
    if (state === 'theirs' || (state === 'unlocked' && length !== this.#whole && !this.#torn)) throw heldByOther();
    const before = state === 'gone' ? [held.file.content(this.#whole)] : [];
    held.release();
    const next = this.#options.reopen(state === 'gone' ? 0 : length);
    held.file.close();
    this.#waiting.unshift(...before);
    if (state === 'gone') this.#torn = false;
    const whole = state === 'gone' ? 0 : this.#whole;
    this.#hold(next);
    this.#whole = whole;
    return next;
  }

  #hold(held: HeldFile): HeldFile {
    this.#held = held;
    this.#whole = held.file.length;
    return held;
  }

  async #sync(): Promise<void> {
    if (!this.#dirty || this.#held === null) return;
    this.#dirty = false;
    try {
      await this.#held.file.sync();
      this.#unkept = false;
      if (this.#waiting.length === 0) this.#tell(null);
    } catch (thrown) {
      this.#dirty = true;
      this.#unkept = true;
      this.#tell(troubleOf(thrown));
    }
  }

  #tell(trouble: string | null): void {
    if (trouble === null) {
      this.#retry?.dispose();
      this.#retry = null;
      this.#retryMs = RETRY_MS;
    } else if (this.#retry === null && !this.#closed) {
      // A timer that no process stays alive for: the last try is made when the file is let go of.
      this.#retry = this.#options.clock.every(this.#retryMs, () => this.#tryAgain());
      this.#retryMs = Math.min(LONGEST_RETRY_MS, 2 * this.#retryMs);
    }
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.onTrouble(trouble);
  }
}

/** Two writers of one file would spoil it for both. */
export function heldByOther(): BuddyError {
  return new BuddyError('session.held', 'another program writes this session now; /fork goes on in a copy of it');
}

function troubleOf(thrown: unknown): string {
  return thrown instanceof BuddyError ? thrown.message : fileTrouble(thrown);
}
