/** Commands that a person types into a pane: found by the marks without an id, read as they stood at the prompt. */

import type { Terminal } from '@xterm/headless';
import { type PaneCommand, privateCommand } from '../../protocol/panes.js';
import { type EmulatorFactory, writeAll } from '../terminal-emulator.js';
import type { Mark } from './mark-scanner.js';

/** What a command looked like while it was typed, and how it ended. */
export interface TypedEcho {
  /** From the start of the prompt. */
  readonly bytes: Buffer;
  /** Where in them the typed text begins. */
  readonly from: number;
  readonly exitCode: number | null;
  readonly cwd: string;
}

/** Bytes of a prompt with its line that are kept; a longer line is read as far as that. */
const KEPT_BYTES = 64 * 1024;
/** Rows that an emulator keeps: more than a line of `KEPT_BYTES` takes in a pane of usual width. */
const KEPT_ROWS = 2000;
const LF = 0x0a;

/** One per shell: sees every byte and mark of it, in order. */
export class TypedCommands {
  readonly #onCommand: (echo: TypedEcho) => void;
  readonly #marksStart: boolean;
  #bytes: Buffer[] = [];
  #size = 0;
  #from = 0;
  #listening = false;
  #typed: { readonly bytes: Buffer; readonly from: number } | null = null;
  #exitCode: number | null = null;
  #ended = false;
  #cwd = '';

  /** `marksStart`: the shell marks where the output of a command begins. Without it a line ends with its line end. */
  constructor(marksStart: boolean, onCommand: (echo: TypedEcho) => void) {
    this.#marksStart = marksStart;
    this.#onCommand = onCommand;
  }

  data(bytes: Buffer): void {
    if (!this.#listening || this.#size >= KEPT_BYTES) return;
    const kept = Buffer.from(bytes.subarray(0, KEPT_BYTES - this.#size));
    this.#bytes.push(kept);
    this.#size += kept.length;
  }

  mark(mark: Mark): void {
    const persons = mark.id === '' || mark.id === '0';
    if (mark.cwd !== null) this.#cwd = mark.cwd;
    switch (mark.kind) {
      case 'A':
        this.#forget(true);
        return;
      case 'B':
        this.#from = this.#size;
        this.#tell();
        return;
      case 'C':
        this.#typed = persons && this.#listening ? { bytes: Buffer.concat(this.#bytes), from: this.#from } : null;
        this.#forget(false);
        return;
      case 'D':
        if (!persons) {
          this.#typed = null;
          this.#forget(false);
          return;
        }
        if (!this.#marksStart && this.#listening) this.#typed = this.#firstLine();
        this.#exitCode = mark.exitCode;
        this.#ended = this.#typed !== null;
        return;
      case 'P':
        return;
    }
  }

  #forget(listening: boolean): void {
    this.#listening = listening;
    this.#bytes = [];
    this.#size = 0;
    this.#from = 0;
  }

  /** The prompt is back: the folder is known now. */
  #tell(): void {
    const typed = this.#typed;
    if (typed === null || !this.#ended) return;
    this.#typed = null;
    this.#ended = false;
    this.#onCommand({ ...typed, exitCode: this.#exitCode, cwd: this.#cwd });
  }

  /** Up to the line end behind the prompt; null when there is none, or the line was given up with Ctrl-C. */
  #firstLine(): { readonly bytes: Buffer; readonly from: number } | null {
    const bytes = Buffer.concat(this.#bytes);
    const end = bytes.indexOf(LF, this.#from);
    const line = end < 0 ? bytes : bytes.subarray(0, end);
    const text = line.toString('latin1', this.#from).trim();
    return end < 0 || text === '' || text.endsWith('^C') ? null : { bytes: line, from: this.#from };
  }
}

/** Reads echoes with an emulator, as a person saw them at the end: erased text gone, recalled text there. */
export class EchoReader {
  readonly #emulators: () => Promise<EmulatorFactory>;
  #terminal: Terminal | null = null;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(emulators: () => Promise<EmulatorFactory>) {
    this.#emulators = emulators;
  }

  /** The command in a pane of `cols` cells; null when nothing was typed. In the order of the calls. */
  read(echo: TypedEcho, cols: number): Promise<PaneCommand | null> {
    const next = this.#busy.then(async () => {
      this.#terminal ??= (await this.#emulators()).create(cols, 50, KEPT_ROWS);
      const terminal = this.#terminal;
      terminal.reset();
      if (terminal.cols !== cols) terminal.resize(cols, terminal.rows);
      await writeAll(terminal, echo.bytes.subarray(0, echo.from));
      const { active } = terminal.buffer;
      const place = { x: active.cursorX, y: active.baseY + active.cursorY };
      await writeAll(terminal, echo.bytes.subarray(echo.from));
      const line = textFrom(terminal, place);
      if (line.trim() === '') return null;
      return { text: /^\s/.test(line) ? privateCommand : line, exitCode: echo.exitCode, cwd: echo.cwd };
    });
    this.#busy = next.catch(() => undefined);
    return next;
  }

  dispose(): void {
    this.#terminal?.dispose();
    this.#terminal = null;
  }
}

/** The text behind a place, wrapped rows joined, without blank ends. */
function textFrom(terminal: Terminal, place: { readonly x: number; readonly y: number }): string {
  const { active } = terminal.buffer;
  let text = '';
  for (let y = place.y; y < active.length; y++) {
    const row = active.getLine(y);
    if (row === undefined) break;
    const shown = row.translateToString(false, y === place.y ? place.x : 0);
    text += y > place.y && !row.isWrapped ? `\n${shown}` : shown;
  }
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}
