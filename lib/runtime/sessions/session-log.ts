/** The writer of one session file. What the disk refuses waits in memory, in order, until it takes it. */

import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/disposable.js';
import { BuddyError } from '../../base/errors.js';
import { type AppendFile, fileTrouble } from '../../base/files.js';
import type { Redactor } from '../../policy/redaction.js';
import type { SessionId } from '../../protocol/sessions.js';
import { encodeRecord, type RecordBody } from './records.js';

/** Between two tries while the disk refuses (milliseconds). */
const RETRY_MS = 2000;

/** A file to append to, and the lock on it. */
export interface HeldFile {
  readonly file: Pick<AppendFile, 'append' | 'cut' | 'length' | 'sync' | 'close'>;
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
  /** Makes the file and takes its lock. Asked with the first record, and again after each failure. Throws a BuddyError or the system's error. */
  open(): HeldFile;
}

/** Owns the file, its lock and what waits for it. Nothing throws: trouble is told to `onTrouble`, and null when it is over. */
export class SessionLog {
  readonly #options: SessionLogOptions;
  #held: HeldFile | null = null;
  /** Lines that are not in the file yet. */
  #waiting: string[];
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
  #syncing: Promise<void> = Promise.resolve();
  #closed = false;
  /** Called when the disk refuses, with the reason, and with null once all is written. */
  onTrouble: (trouble: string | null) => void = () => undefined;

  constructor(options: SessionLogOptions) {
    this.#options = options;
    this.#lastId = options.lastId;
    this.#leaf = options.leaf;
    if (options.held !== undefined) this.#hold(options.held);
    this.#waiting = options.header === null ? [] : [`${options.header}\n`];
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
    this.#held?.file.close();
    this.#held?.release();
  }

  #add(body: RecordBody, tsMs: number): string {
    const id = String(++this.#lastId);
    this.#waiting.push(`${encodeRecord({ ...body, id, parentId: this.#leaf, tsMs }, this.#options.redact)}\n`);
    this.#leaf = id;
    return id;
  }

  #write(): void {
    try {
      const { file } = this.#held ?? this.#hold(this.#options.open());
      if (this.#torn) file.cut(this.#whole);
      this.#torn = true;
      const bytes = Buffer.from(this.#waiting.join(''), 'utf8');
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
    this.#write();
    if (this.#unkept) void this.settle();
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
    } else if (this.#retry === null && !this.#closed) this.#retry = this.#options.clock.every(RETRY_MS, () => this.#tryAgain());
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.onTrouble(trouble);
  }
}

function troubleOf(thrown: unknown): string {
  return thrown instanceof BuddyError ? thrown.message : fileTrouble(thrown);
}
