/** Commands that a person types into a pane: found by the marks without an id, read as they stood at the prompt. */

import type { Terminal } from '@xterm/headless';
import { type PaneCommand, privateCommand } from '../../protocol/panes.js';
import { type EmulatorFactory, writeAll } from '../terminal-emulator.js';
import type { Mark } from './mark-scanner.js';

/** What a line looked like while it was typed. */
export interface Echo {
  /** From the start of the prompt. */
  readonly bytes: Buffer;
  /** Where in them the typed text begins. */
  readonly from: number;
  /** The line itself when the shell told it: a line editor may draw it in many ways. */
  readonly line: string | null;
}

/** A line that a person entered, and how it ended. */
export interface TypedEcho extends Echo {
  readonly exitCode: number | null;
  readonly cwd: string;
}

/** Bytes of a prompt with its line that are kept; a longer line is read as far as that. */
const KEPT_BYTES = 64 * 1024;
/** Rows that an emulator keeps: more than a line of `KEPT_BYTES` takes in a pane of usual width. */
const KEPT_ROWS = 2000;
/** busybox goes to the next row so; a terminal wraps by itself. */
const WRAP = '\r\r\n';

/** Who is told; synchronously. */
export interface TypedListener {
  /** A person entered a line. */
  entered(echo: Echo): void;
  /** It has ended and the prompt is back. */
  typed(echo: TypedEcho): void;
}

/** Our own typed line (see shells/script.ts). */
const OWN_LINE = '__bd';

/** One per shell: sees every byte and mark of it, in order. */
export class TypedCommands {
  readonly #listener: TypedListener;
  readonly #marksStart: boolean;
  #bytes: Buffer[] = [];
  #size = 0;
  #from = 0;
  #listening = false;
  #typed: Echo | null = null;
  #exitCode: number | null = null;
  #ended = false;
  #cwd = '';

  /** `marksStart`: the shell marks where the output of a command begins. Without it a line ends with its line end. */
  constructor(marksStart: boolean, listener: TypedListener) {
    this.#marksStart = marksStart;
    this.#listener = listener;
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
        // The hook that tells the end was taken away.
        if (this.#typed !== null && !this.#ended && mark.exitCode !== null) {
          this.#exitCode = mark.exitCode;
          this.#ended = true;
        }
        this.#forget(true);
        return;
      case 'B':
        this.#from = this.#size;
        this.#tell();
        return;
      case 'C':
        this.#enter(persons && this.#listening ? { bytes: Buffer.concat(this.#bytes), from: this.#from, line: mark.line } : null);
        this.#forget(false);
        return;
      case 'D':
        if (!persons) {
          this.#typed = null;
          this.#forget(false);
          return;
        }
        if (!this.#marksStart && this.#listening) this.#enter(this.#firstLine());
        this.#exitCode = mark.exitCode;
        this.#ended = this.#typed !== null;
        return;
      case 'P':
      case 'R':
      case 'E':
        return;
    }
  }

  #enter(echo: Echo | null): void {
    this.#typed = echo === null || echo.bytes.includes(OWN_LINE) || echo.line?.includes(OWN_LINE) === true ? null : echo;
    if (this.#typed !== null) this.#listener.entered(this.#typed);
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
    this.#listener.typed({ ...typed, exitCode: this.#exitCode, cwd: this.#cwd });
  }

  /** Up to the line end behind the prompt; null when there is none, or the line was given up with Ctrl-C. */
  #firstLine(): Echo | null {
    const bytes = Buffer.concat(this.#bytes);
    const typed = bytes.toString('latin1', this.#from).replaceAll(WRAP, '');
    const end = typed.indexOf('\n');
    const text = typed.slice(0, end).trim();
    if (end < 0 || text === '' || text.endsWith('^C')) return null;
    const line = Buffer.concat([bytes.subarray(0, this.#from), Buffer.from(typed.slice(0, end), 'latin1')]);
    return { bytes: line, from: this.#from, line: null };
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

  /** The line in a pane of `cols` cells; '' when nothing was typed. In the order of the calls. */
  read(echo: Echo, cols: number): Promise<string> {
    const next = this.#busy.then(async () => {
      if (echo.line !== null && echo.line !== '') return echo.line.trimEnd();
      this.#terminal ??= (await this.#emulators()).create(cols, 50, KEPT_ROWS);
      const terminal = this.#terminal;
      terminal.reset();
      if (terminal.cols !== cols) terminal.resize(cols, terminal.rows);
      await writeAll(terminal, echo.bytes.subarray(0, echo.from));
      const { active } = terminal.buffer;
      const place = { x: active.cursorX, y: active.baseY + active.cursorY };
      await writeAll(terminal, echo.bytes.subarray(echo.from));
      return textFrom(terminal, place);
    });
    this.#busy = next.catch(() => undefined);
    return next;
  }

  dispose(): void {
    this.#terminal?.dispose();
    this.#terminal = null;
  }
}

/** As in a shell's history, a line that begins with a blank is private. */
export function isPrivate(line: string): boolean {
  return /^\s/.test(line);
}

/** The line as a command that has ended. */
export function commandOf(line: string, { exitCode, cwd }: TypedEcho): PaneCommand {
  return { text: isPrivate(line) ? privateCommand : line, exitCode, cwd };
}

/** A screen as text, with private lines, which stand at the ends of its rows, left out. */
export function withoutPrivate(screen: string, lines: readonly string[]): string {
  if (lines.length === 0) return screen;
  const hidden = lines.flatMap((line) => line.split('\n')).filter((row) => row.trim() !== '');
  const shown = (row: string): string => {
    const found = hidden.find((part) => row.endsWith(part));
    return found === undefined ? row : `${row.slice(0, row.length - found.length)} ${privateCommand}`;
  };
  return screen.split('\n').map(shown).join('\n');
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
