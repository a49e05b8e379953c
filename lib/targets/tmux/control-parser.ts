/** tmux control mode (tmux(1), CONTROL MODE) as events: bytes in, replies, pane output and notifications out. */

/** Who is told. All are called synchronously, in the order of the bytes. */
export interface ControlListener {
  /** A whole reply. `ours` is false for the blocks that the client's own command line caused. */
  reply(ok: boolean, lines: readonly Buffer[], ours: boolean): void;
  /** Bytes that a pane printed; they may be cut anywhere, also inside a character. */
  output(pane: string, bytes: Buffer): void;
  /** Every other `%name rest` line. */
  notification(name: string, rest: string): void;
}

interface Block {
  /** `time number flags`: the end line must repeat all three. */
  readonly id: string;
  readonly ours: boolean;
  readonly lines: Buffer[];
}

const LF = 0x0a;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;

/** Undoes the `\ooo` of an output line; bytes from 0x7f up come as they are. */
export function unescapeOutput(escaped: Buffer): Buffer {
  const first = escaped.indexOf(BACKSLASH);
  if (first < 0) return escaped;
  const bytes = Buffer.allocUnsafe(escaped.length);
  let length = escaped.copy(bytes, 0, 0, first);
  for (let at = first; at < escaped.length; at++) {
    const byte = escaped[at] ?? 0;
    if (byte === BACKSLASH && at + 3 < escaped.length) {
      bytes[length++] = (((escaped[at + 1] ?? 48) - 48) << 6) | (((escaped[at + 2] ?? 48) - 48) << 3) | ((escaped[at + 3] ?? 48) - 48);
      at += 3;
    } else bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

/** Reads one client's standard output. Lines that are no part of the protocol are dropped. */
export class ControlParser {
  readonly #listener: ControlListener;
  readonly #held: Buffer[] = [];
  #block: Block | null = null;

  constructor(listener: ControlListener) {
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      const part = chunk.subarray(start, end);
      if (this.#held.length > 0) {
        this.#held.push(part);
        this.#line(Buffer.concat(this.#held.splice(0)));
      } else this.#line(part);
      start = end + 1;
    }
    if (start < chunk.length) this.#held.push(chunk.subarray(start));
  }

  #line(line: Buffer): void {
    if (this.#block !== null) this.#bodyLine(this.#block, line);
    else if (line[0] === PERCENT) this.#event(line);
  }

  #bodyLine(block: Block, line: Buffer): void {
    if (line[0] === PERCENT) {
      const text = line.toString('latin1');
      const ok = text === `%end ${block.id}`;
      if (ok || text === `%error ${block.id}`) {
        this.#block = null;
        this.#listener.reply(ok, block.lines, block.ours);
        return;
      }
    }
    block.lines.push(line);
  }

  #event(line: Buffer): void {
    if (line.toString('latin1', 0, 8) === '%output ') {
      const blank = line.indexOf(' ', 8, 'latin1');
      if (blank > 0) this.#listener.output(line.toString('latin1', 8, blank), unescapeOutput(line.subarray(blank + 1)));
      return;
    }
    if (line.toString('latin1', 0, 17) === '%extended-output ') {
      const colon = line.indexOf(' : ', 17, 'latin1');
      if (colon < 0) return;
      const pane = line.toString('latin1', 17, colon).split(' ')[0] ?? '';
      this.#listener.output(pane, unescapeOutput(line.subarray(colon + 3)));
      return;
    }
    const text = line.toString('utf8');
    const blank = text.indexOf(' ');
    const name = blank < 0 ? text : text.slice(0, blank);
    const rest = blank < 0 ? '' : text.slice(blank + 1);
    if (name === '%begin') this.#block = { id: rest, ours: (Number(rest.split(' ')[2]) & 1) === 1, lines: [] };
    else this.#listener.notification(name, rest);
  }
}
