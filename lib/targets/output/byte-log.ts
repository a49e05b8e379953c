/** What a command printed, bounded: its first bytes, its last bytes, and the count of all. */

/** Bytes kept at each end. */
export const KEPT_BYTES = 256 * 1024;

const LF = 0x0a;
const CR = 0x0d;

/** Both ends of an output. `tail` is null when `head` is all of it. */
export interface KeptBytes {
  readonly head: Buffer;
  readonly tail: Buffer | null;
}

/** Takes bytes as a terminal gets them. A line end CR LF counts as the one byte that the program printed. */
export class ByteLog {
  readonly #limit: number;
  readonly #head: Buffer[] = [];
  readonly #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #rawBytes = 0;
  #carriageReturns = 0;
  #lineFeeds = 0;
  #lastByte = LF;
  #hasGap = false;

  constructor(limit = KEPT_BYTES) {
    this.#limit = limit;
  }

  get totalBytes(): number {
    return this.#rawBytes - this.#carriageReturns;
  }

  /** As a terminal got them: offsets of `readOutput` count so. */
  get rawBytes(): number {
    return this.#rawBytes;
  }

  /** Lines begun; a last one without a line end counts. */
  get totalLines(): number {
    return this.#lineFeeds + (this.#lastByte === LF ? 0 : 1);
  }

  /** True when the program printed more than ever arrived here. */
  get hasGap(): boolean {
    return this.#hasGap;
  }

  /** Bytes were lost before they could be appended. */
  gap(): void {
    this.#hasGap = true;
  }

  append(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#count(bytes);
    const room = Math.min(this.#limit - this.#headBytes, bytes.length);
    if (room > 0) {
      this.#head.push(Buffer.from(bytes.subarray(0, room)));
      this.#headBytes += room;
    }
    if (room < bytes.length) this.#keepTail(Buffer.from(bytes.subarray(Math.max(room, bytes.length - this.#limit))));
  }

  kept(): KeptBytes {
    const head = Buffer.concat(this.#head);
    if (this.#tailBytes === 0) return { head, tail: null };
    const tail = Buffer.concat(this.#tail);
    if (this.#rawBytes === head.length + tail.length) return { head: Buffer.concat([head, tail]), tail: null };
    return { head, tail: tail.subarray(Math.max(0, tail.length - this.#limit)) };
  }

  /** The last bytes, at most `most`. */
  end(most: number): Buffer {
    const from = this.#tailBytes > 0 ? this.#tail : this.#head;
    const parts: Buffer[] = [];
    let length = 0;
    for (let at = from.length - 1; at >= 0 && length < most; at--) {
      const part = from[at] ?? Buffer.alloc(0);
      parts.unshift(part);
      length += part.length;
    }
    return Buffer.concat(parts).subarray(-most);
  }

  #count(bytes: Buffer): void {
    this.#rawBytes += bytes.length;
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
      this.#lineFeeds++;
      if ((at === 0 ? this.#lastByte : bytes[at - 1]) === CR) this.#carriageReturns++;
    }
    this.#lastByte = bytes[bytes.length - 1] ?? LF;
  }

  #keepTail(bytes: Buffer): void {
    this.#tail.push(bytes);
    this.#tailBytes += bytes.length;
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= this.#limit) this.#tailBytes -= this.#tail.shift()?.length ?? 0;
  }
}
