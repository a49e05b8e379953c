/** Standard output as a line of JSON: nothing else is written there, and nothing is left out. */

import type { Clock } from '../base/clock.js';
import { jsonLine } from '../base/json-line.js';
import { settledWithin } from '../base/settled.js';
import type { WireLine } from '../protocol/wire.js';

/** So much may wait for a client that does not read (bytes). */
const MOST_WAITING = 64 * 1024 * 1024;
/** At the end a client has so long to read what waits (milliseconds). */
const LAST_READ_MS = 5000;

/** Where lines go: standard output, or what a test puts in its place. */
export interface LineSink {
  readonly writableLength: number;
  write(text: string): boolean;
  on(event: 'error', run: (error: Error) => void): unknown;
  end(run: () => void): unknown;
}

/** Owns the writing side. Once it is broken nothing is written any more: a client never sees a line without all those before it. */
export class RpcOutput {
  readonly #sink: LineSink;
  readonly #onBroken: (why: string) => void;
  #isBroken = false;

  /** `onBroken` is told once, why nobody can be told anything any more. */
  constructor(sink: LineSink, onBroken: (why: string) => void) {
    this.#sink = sink;
    this.#onBroken = onBroken;
    sink.on('error', (error) => this.#break(`standard output cannot be written to: ${error.message}`));
  }

  write(line: WireLine): void {
    if (this.#isBroken) return;
    this.#sink.write(`${jsonLine(line)}\n`);
    if (this.#sink.writableLength <= MOST_WAITING) return;
    this.#break(`nobody reads standard output: more than ${MOST_WAITING / 1024 / 1024} MiB wait there`);
  }

  /** Resolves with true when all has been handed over, with false when nobody takes it. */
  close(clock: Clock): Promise<boolean> {
    if (this.#isBroken) return Promise.resolve(false);
    return settledWithin(new Promise<void>((resolve) => this.#sink.end(resolve)), LAST_READ_MS, clock);
  }

  #break(why: string): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#onBroken(why);
  }
}
