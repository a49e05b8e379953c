/** The trace: everything that was asked and everything that happened, as JSON lines (0600, redacted). */

import { BuddyError } from '../base/errors.js';
import { AppendFile, fileTrouble } from '../base/files.js';
import { jsonLine } from '../base/json-line.js';
import type { Redactor } from '../policy/redaction.js';
import type { RuntimeCommand } from '../protocol/commands.js';
import type { RuntimeEventEnvelope } from '../protocol/events.js';
import type { RuntimePort } from '../protocol/runtime-port.js';

/** One line of a trace. */
export type TraceLine =
  | { readonly kind: 'command'; readonly tsMs: number; readonly command: RuntimeCommand }
  | { readonly kind: 'event'; readonly seq: number; readonly tsMs: number; readonly event: RuntimeEventEnvelope['event'] }
  | { readonly kind: 'view'; readonly tsMs: number; readonly action: unknown };

/** Writes lines until the disk refuses one; then it says so once and stays silent. */
export class Trace {
  readonly #file: AppendFile;
  readonly #redact: Redactor;
  readonly #onTrouble: (message: string) => void;
  #broken = false;

  /** Throws `trace.open` when the file cannot be opened. */
  constructor(path: string, redact: Redactor, onTrouble: (message: string) => void) {
    try {
      this.#file = new AppendFile(path);
    } catch (thrown) {
      throw new BuddyError('trace.open', `cannot write the trace ${path}: ${fileTrouble(thrown)}`, {
        hint: 'Give --trace another file, or leave it out.',
        cause: thrown,
      });
    }
    this.#redact = redact;
    this.#onTrouble = onTrouble;
  }

  write(line: TraceLine): void {
    if (this.#broken) return;
    try {
      this.#file.append(`${jsonLine(line, this.#redact)}\n`);
    } catch (thrown) {
      this.#broken = true;
      this.#onTrouble(`the trace ends here: ${fileTrouble(thrown)}`);
    }
  }

  close(): void {
    this.#file.close();
  }
}

/** The same port, with every command and event written to the trace on its way. */
export function traced(port: RuntimePort, trace: Trace, now: () => number): RuntimePort {
  port.onEvent(({ seq, tsMs, event }) => trace.write({ kind: 'event', seq, tsMs, event }));
  return {
    onEvent: port.onEvent,
    send(command) {
      trace.write({ kind: 'command', tsMs: now(), command });
      port.send(command);
    },
  };
}
