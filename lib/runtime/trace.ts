/** The trace: everything that was asked, everything that happened and all that the screen was told, as JSON lines (0600, redacted). */

import { createHash } from 'node:crypto';
import { type Clock, systemClock } from '../base/clock.js';
import { BuddyError } from '../base/errors.js';
import { AppendFile, fileTrouble } from '../base/files.js';
import { jsonLine } from '../base/json-line.js';
import type { Redactor, Secrets } from '../policy/redaction.js';
import type { Brings, RuntimeCommand } from '../protocol/commands.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { InputEvent } from '../protocol/input.js';
import type { ImagePart } from '../protocol/messages.js';
import type { PaneId } from '../protocol/panes.js';
import type { RuntimePort } from '../protocol/runtime-port.js';
import { maskedScreen } from './masked-screen.js';
import { withoutOldPast } from './trace-past.js';
import { isErasing, typedBy, typedText, withoutTypedSecrets } from './typed-text.js';

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

/** The first line of each run in the file: several runs may follow one another. */
export interface TraceHeader {
  readonly kind: 'header';
  /** Of the format of the lines. */
  readonly trace: typeof TRACE_VERSION;
  readonly tsMs: number;
  /** Version of the program. */
  readonly program: string;
  /** The screen as it was first drawn (`modes/screen-recording`); null: there is none. */
  readonly screen: unknown;
}

/** The format that is written and read here. */
export const TRACE_VERSION = 1;

/** What is written down. Each line also has `atMs`: monotonic, in milliseconds since the header of its run. */
export type TraceLine =
  | TraceHeader
  | { readonly kind: 'command'; readonly tsMs: number; readonly command: RuntimeCommand | UnreadInput }
  | { readonly kind: 'event'; readonly seq: number; readonly tsMs: number; readonly event: RuntimeEvent | UnseenScreen }
  /** What the reducer of the screen was told besides events (`modes/screen-recording`). */
  | { readonly kind: 'view'; readonly tsMs: number; readonly action: unknown }
  /** What a person did with keyboard and mouse; `tsMs` is the time that it was taken for. */
  | { readonly kind: 'input'; readonly tsMs: number; readonly input: InputEvent };

/** A run of typed characters is written once the next key is none, or after this long (milliseconds), or with so many lines. */
const TYPING_MS = 2000;
/** What may be half of a secret is held back longer: whoever has not gone on by then will not. */
const THINKING_MS = 30_000;
const MOST_HELD = 2000;

/** What a trace knows besides where it is written and what is kept out of it. */
interface TraceOptions {
  readonly clock?: Clock;
  /** Version of the program. */
  readonly program?: string;
  /** From where on a text may become a secret, whatever follows (`policy/redaction`). */
  readonly openEnd?: (text: string) => number;
}

/** Writes lines until the disk refuses one; then it says so once and stays silent. */
export class Trace {
  readonly #file: AppendFile;
  readonly #redact: Redactor;
  readonly #onTrouble: (message: string) => void;
  readonly #clock: Clock;
  readonly #program: string;
  readonly #openEnd: (text: string) => number;
  #startMs = 0;
  #begun = false;
  /** The file is closed, or the disk refused it. */
  #over = false;
  #lastSeq = 0;
  /** Typed characters and what came between them, until it is known what they spell. */
  #held: (TraceLine & { readonly atMs: number })[] = [];
  #typedMs = 0;

  /** Throws `trace.open` when the file cannot be opened. */
  constructor(path: string, redact: Redactor, onTrouble: (message: string) => void, more: TraceOptions = {}) {
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
    this.#clock = more.clock ?? systemClock;
    this.#program = more.program ?? '';
    this.#openEnd = more.openEnd ?? ((text) => text.length);
  }

  /** Writes the header; `write` does it, without a screen, when nobody did before. */
  begin(screen: unknown): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#startMs = this.#clock.monotonic();
    const header: TraceHeader = { kind: 'header', trace: TRACE_VERSION, tsMs: this.#clock.now(), program: this.#program, screen };
    this.#append({ ...header, atMs: 0 });
  }

  /** An event that was written before is left out: `seq` only grows. */
  write(line: TraceLine): void {
    if (this.#over) return;
    this.begin(null);
    if (line.kind === 'event') {
      if (line.seq <= this.#lastSeq) return;
      this.#lastSeq = line.seq;
    }
    const typed = typedBy(line);
    const stamped = { ...line, atMs: Math.round((this.#clock.monotonic() - this.#startMs) * 10) / 10 };
    if (typed) this.#typedMs = stamped.atMs;
    if (!typed && this.#held.length === 0) {
      this.#append(stamped);
      return;
    }
    this.#held.push(stamped);
    if ((typed === '' && !isErasing(line)) || this.#held.length >= MOST_HELD) this.#release();
    else this.pulse();
  }

  /** To be called now and then: what is held back longer than a person types is written, unless it is half a secret. */
  pulse(): void {
    const waitedMs = this.#clock.monotonic() - this.#startMs - this.#typedMs;
    if (this.#held.length === 0 || waitedMs < TYPING_MS) return;
    const run = typedText(this.#held);
    if (waitedMs >= THINKING_MS || this.#openEnd(run) >= run.length) this.#release();
  }

  close(): void {
    if (this.#over) return;
    this.#release();
    this.#over = true;
    this.#file.close();
  }

  #release(): void {
    const held = withoutTypedSecrets(this.#held, this.#redact);
    this.#held = [];
    for (const line of held) this.#append(line);
  }

  #append(line: TraceLine & { readonly atMs: number }): void {
    if (this.#over) return;
    try {
      this.#file.append(`${jsonLine(line, this.#redact)}\n`);
    } catch (thrown) {
      this.#over = true;
      this.#held = [];
      this.#file.close();
      this.#onTrouble(`the trace ends here: ${fileTrouble(thrown)}`);
    }
  }
}

/** The same port, with every command and event written to the trace on its way: of an earlier conversation its end, of a takeover neither what was typed nor how it looked. `find` gives the secrets on a screen. */
export function traced(port: RuntimePort, trace: Trace, now: () => number, find: Secrets['find'] = () => []): RuntimePort {
  let taken = false;
  port.onEvent(({ seq, tsMs, event }) => {
    if (event.type === 'pane.taken') taken = true;
    if (event.type === 'pane.returned') taken = false;
    trace.write({ kind: 'event', seq, tsMs, event: recorded(event, taken, find) });
  });
  return {
    onEvent: port.onEvent,
    send(command, answered) {
      trace.write({ kind: 'command', tsMs: now(), command: unread(command) });
      port.send(command, answered);
    },
  };
}

function recorded(event: RuntimeEvent, taken: boolean, find: Secrets['find']): RuntimeEvent | UnseenScreen {
  if (event.type === 'session.resumed' || event.type === 'session.branched') return withoutOldPast(event);
  if (event.type === 'pane.scrollback') return { type: 'pane.scrollback', pane: event.pane, scrollback: null };
  if (event.type !== 'pane.screen') return event;
  return { ...event, screen: taken ? null : maskedScreen(event.screen, find) };
}

/** A picture by its size and its hash. */
function withoutPictures<T extends Brings>(command: T): T {
  if (command.images === undefined) return command;
  const told = ({ data, ...image }: ImagePart): ImagePart => {
    const hash = createHash('sha256').update(data).digest('hex').slice(0, 16);
    return { ...image, data: `(${data.length} characters, sha256 ${hash})` };
  };
  return { ...command, images: command.images.map(told) };
}

function unread(command: RuntimeCommand): RuntimeCommand | UnreadInput {
  const { type } = command;
  if (type === 'prompt.submit' || type === 'prompt.steer') return withoutPictures(command);
  if (type === 'pane.input') return { type, pane: command.pane, length: command.bytes.length };
  return type === 'pane.paste' ? { type, pane: command.pane, length: command.text.length } : command;
}
