/** The trace: everything that was asked and everything that happened, as JSON lines (0600, redacted). */

import { BuddyError } from '../base/errors.js';
import { AppendFile, fileTrouble } from '../base/files.js';
import { jsonLine } from '../base/json-line.js';
import type { Redactor, Secrets } from '../policy/redaction.js';
import type { RuntimeCommand } from '../protocol/commands.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { PaneId } from '../protocol/panes.js';
import type { RuntimePort } from '../protocol/runtime-port.js';
import { maskedScreen } from './masked-screen.js';

/** What was typed or pasted during a takeover: only how much. */
interface UnreadInput {
  readonly type: 'pane.input' | 'pane.paste';
  readonly pane: PaneId;
  readonly length: number;
}

/** A picture of a pane during a takeover, or what has scrolled off it at any time: it shows what was typed. */
type UnseenScreen =
  | { readonly type: 'pane.screen'; readonly pane: PaneId; readonly screen: null }
  | { readonly type: 'pane.scrollback'; readonly pane: PaneId; readonly scrollback: null };

/** One line of a trace. */
export type TraceLine =
  | { readonly kind: 'command'; readonly tsMs: number; readonly command: RuntimeCommand | UnreadInput }
  | { readonly kind: 'event'; readonly seq: number; readonly tsMs: number; readonly event: RuntimeEvent | UnseenScreen }
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

/** The same port, with every command and event written to the trace on its way; of a takeover neither what was typed nor how it looked. `find` gives the secrets on a screen. */
export function traced(port: RuntimePort, trace: Trace, now: () => number, find: Secrets['find'] = () => []): RuntimePort {
  let taken = false;
  port.onEvent(({ seq, tsMs, event }) => {
    if (event.type === 'pane.taken') taken = true;
    if (event.type === 'pane.returned') taken = false;
    trace.write({ kind: 'event', seq, tsMs, event: unseen(event, taken, find) });
  });
  return {
    onEvent: port.onEvent,
    send(command) {
      trace.write({ kind: 'command', tsMs: now(), command: unread(command) });
      port.send(command);
    },
  };
}

function unseen(event: RuntimeEvent, taken: boolean, find: Secrets['find']): RuntimeEvent | UnseenScreen {
  if (event.type === 'pane.scrollback') return { type: 'pane.scrollback', pane: event.pane, scrollback: null };
  if (event.type !== 'pane.screen') return event;
  return { ...event, screen: taken ? null : maskedScreen(event.screen, find) };
}

function unread(command: RuntimeCommand): RuntimeCommand | UnreadInput {
  const { type } = command;
  if (type === 'pane.input') return { type, pane: command.pane, length: command.bytes.length };
  return type === 'pane.paste' ? { type, pane: command.pane, length: command.text.length } : command;
}
