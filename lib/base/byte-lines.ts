/** Lines of bytes: what comes in pieces, cut at each LF and nowhere else (JSON lines: a line separator of Unicode is no end of a line). */

const LF = 0x0a;

/** A line without its LF, or what is wrong with it. */
export type ByteLine = { readonly text: string } | { readonly problem: 'too long' | 'no UTF-8' };

/** Cuts one stream. Of a line that is longer than `most` bytes nothing is kept. */
export class ByteLines {
  readonly #most: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The lines that have ended with these bytes. */
  take(bytes: Uint8Array): readonly ByteLine[] {
    const lines: ByteLine[] = [];
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      this.#add(bytes.subarray(from, end));
      lines.push(this.#ended());
      from = end + 1;
    }
    this.#add(bytes.subarray(from));
    return lines;
  }

  /** What came after the last LF when there will be no more; null: nothing. */
  rest(): ByteLine | null {
    return this.#length === 0 ? null : this.#ended();
  }

  #add(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > this.#most) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #ended(): ByteLine {
    const pieces = this.#pieces;
    const length = this.#length;
    this.#pieces = [];
    this.#length = 0;
    if (length > this.#most) return { problem: 'too long' };
    try {
      return { text: this.#decoder.decode(joined(pieces, length)) };
    } catch {
      return { problem: 'no UTF-8' };
    }
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
