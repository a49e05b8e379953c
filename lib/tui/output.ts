/**
 * Bytes to the terminal without ever waiting for it: what it does not take at once is kept here (not in the stream, where it could
 * not be taken back when the terminal is restored) and offered again.
 */

import { Buffer } from 'node:buffer';
import type { WriteStream } from 'node:tty';
import { type Clock, pauseThread } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';
import { Emitter, type Event } from '../base/emitter.js';
import { systemCode, writeSync } from '../base/files.js';

const RETRY_FIRST_MS = 2;
const RETRY_MOST_MS = 32;
const LAST_WORDS_PAUSE_MS = 10;

export interface TerminalOutput extends Disposable {
  /** True while the terminal has not taken everything: no frame should be made now. */
  readonly busy: boolean;
  /** The terminal has taken everything. */
  readonly onDrain: Event<void>;
  /** The terminal is gone (EIO, EPIPE, EBADF); nothing is written any more. */
  readonly onLost: Event<void>;
  /** Sends `text`, or keeps what the terminal does not take now. */
  write(text: string): void;
  /** Drops what is kept, then writes `text` before it returns; false when the terminal did not take it all within `limitMs`. */
  writeNow(text: string, limitMs: number): boolean;
  /** From now on writes do not wait (true), or wait as other programs expect of a terminal (false). */
  setNonBlocking(on: boolean): void;
}

/** The stream's handle, which has the one switch that its public interface lacks (libuv `uv_stream_set_blocking`). */
interface BlockingSwitch {
  readonly _handle?: { setBlocking?(on: boolean): number } | null;
}

/** The descriptor of a terminal stream, which its type does not have; `usual` (1, 2) when a test's stream has none. */
export function descriptorOf(stream: WriteStream, usual: number): number {
  const { fd } = stream as { readonly fd?: unknown };
  return typeof fd === 'number' ? fd : usual;
}

/** Writes to the descriptor of `stdout`; its own buffer is never used. */
export function createTerminalOutput(stdout: WriteStream, clock: Clock): TerminalOutput {
  const drained = new Emitter<void>();
  const lost = new Emitter<void>();
  const descriptor = descriptorOf(stdout, 1);
  let kept: Buffer | null = null;
  let retry: Disposable | null = null;
  let retryMs = RETRY_FIRST_MS;
  let gone = false;

  /** What is left of `bytes` after the terminal took what it would. */
  function offer(bytes: Buffer): Buffer | null {
    let rest = bytes;
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
    } catch (thrown) {
      const code = systemCode(thrown);
      if (code === 'EAGAIN' || code === 'EWOULDBLOCK' || code === 'EINTR') return rest;
      lose();
    }
    return null;
  }

  function lose(): void {
    if (gone) return;
    gone = true;
    drop();
    lost.fire();
  }

  function drop(): void {
    retry?.dispose();
    retry = null;
    kept = null;
  }

  function again(): void {
    retry = null;
    if (kept === null) return;
    const before = kept.length;
    kept = offer(kept);
    if (gone) return;
    if (kept === null) {
      retryMs = RETRY_FIRST_MS;
      drained.fire();
      return;
    }
    retryMs = kept.length < before ? RETRY_FIRST_MS : Math.min(RETRY_MOST_MS, retryMs * 2);
    retry = clock.after(retryMs, again);
  }

  return {
    get busy() {
      return kept !== null;
    },
    onDrain: drained.event,
    onLost: lost.event,
    write(text) {
      if (gone || text === '') return;
      const bytes = Buffer.from(text, 'utf8');
      if (kept !== null) {
        kept = Buffer.concat([kept, bytes]);
        return;
      }
      kept = offer(bytes);
      if (kept !== null) retry = clock.after(retryMs, again);
    },
    writeNow(text, limitMs) {
      drop();
      if (gone) return false;
      let rest: Buffer | null = Buffer.from(text, 'utf8');
      for (let waitedMs = 0; ; waitedMs += LAST_WORDS_PAUSE_MS) {
        rest = offer(rest);
        if (rest === null) return !gone;
        if (waitedMs >= limitMs) return false;
        pauseThread(LAST_WORDS_PAUSE_MS);
      }
    },
    setNonBlocking(on) {
      try {
        (stdout as BlockingSwitch)._handle?.setBlocking?.(!on);
      } catch {
        // A stream that is closed already: there is nothing to switch.
      }
    },
    dispose() {
      drop();
      drained.dispose();
      lost.dispose();
    },
  };
}
