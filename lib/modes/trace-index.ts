/** Where the lines of a trace begin: a file of any size is opened at once, and what is looked at is read when it is looked at. */

import { closeSync, openRegular, readPart, realpath, stat } from '../base/files.js';
import { openTrace } from './trace-file.js';

const PIECE_BYTES = 4 << 20;
const NEWLINE = 0x0a;
/** Bytes of a line that are read at most: who writes longer ones has written no trace. */
const MOST_LINE_BYTES = 8 << 20;

/** The lines of a file that may grow, be cut, or be replaced by another one. */
export class TraceIndex {
  readonly #path: string;
  #descriptor: number;
  #inode: number;
  /** Where each line begins; behind the last one, where the next will. */
  #starts: number[] = [0];
  /** Up to here the file has been looked through. */
  #read = 0;

  private constructor(path: string, descriptor: number, inode: number) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#inode = inode;
  }

  /** Throws `trace.open`. */
  static async open(path: string): Promise<TraceIndex> {
    const { descriptor } = await openTrace(path);
    return new TraceIndex(path, descriptor, await inodeOf(path));
  }

  /** Lines that have been found; a last one without a line end counts once `isRead`. */
  get count(): number {
    return this.#starts.length - 1;
  }

  /** Looks through one more piece of the file. False: there was nothing more. Throws the system's error. */
  extend(): boolean {
    const piece = readPart(this.#descriptor, this.#read, PIECE_BYTES);
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, end + 1)) this.#starts.push(this.#read + end + 1);
    this.#read += piece.length;
    return piece.length > 0;
  }

  /** Bytes behind the last line end: a line that is being written, or that was cut off. */
  get rest(): number {
    return this.#read - (this.#starts.at(-1) ?? 0);
  }

  /** The text of a line, at most `most` bytes of it; `whole`: that was all. */
  line(at: number, most = MOST_LINE_BYTES): { readonly text: string; readonly whole: boolean } {
    const start = this.#starts[at] ?? 0;
    const next = this.#starts[at + 1];
    const bytes = (next === undefined ? this.#read : next - 1) - start;
    const text = readPart(this.#descriptor, start, Math.max(0, Math.min(bytes, most))).toString('utf8');
    return { text, whole: bytes <= most };
  }

  /** Is it another file now, or a shorter one? Then all begins anew, and this is true. Never rejects. */
  async reopened(): Promise<boolean> {
    try {
      const { size, ino } = await stat(this.#path);
      if (ino === this.#inode && size >= this.#read) return false;
      const { descriptor } = openRegular(await realpath(this.#path));
      closeSync(this.#descriptor);
      this.#descriptor = descriptor;
      this.#inode = ino;
      this.#starts = [0];
      this.#read = 0;
      return true;
    } catch {
      // It is gone: what was read of it stays open, and stands.
      return false;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

async function inodeOf(path: string): Promise<number> {
  return (await stat(path)).ino;
}
