/** Terminal bytes as the text a model reads: what would be seen at the end, without colours, nothing that was printed lost. */

import type { Terminal } from '@xterm/headless';
import type { CommandOutput } from '../target.js';
import { type EmulatorFactory, writeAll } from '../terminal-emulator.js';
import type { ByteLog } from './byte-log.js';

/** Characters of cleaned text kept at each end. */
const KEPT_CHARACTERS = 16 * 1024;
/** Rows an emulator keeps: cleaned text is cut to `KEPT_CHARACTERS` anyway, so more would only cost memory. */
const EMULATED_ROWS = 5000;
const EMULATED_SCREEN = 50;

/** SGR, and OSC strings (titles, links): they move nothing, so they can simply go. */
const DECORATION = /\x1b\[[0-9;:]*m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g;
/** What moves the cursor: ESC, backspace, VT, FF, and a CR that is no line end. */
const MOVES = /[\x1b\x08\x0b\x0c]|\r(?!\r*\n)/;
/** Clearing (ED alone or after home, RIS) must not take away what was printed before. */
const CLEARING = /\x1b\[(?:1;1)?H(?:\x1b\[[023]?J)+|\x1b\[[23]J(?:\x1b\[(?:1;1)?H)?|\x1bc/g;
/** What `set -x` prints about our script: the exit code after the command; in zsh also what gives `$?` back before it. */
const OWN_TRACE = /^\+(?:\+*|\S*>) __bd_.*\n|^\+__bd_st:.*\n/gm;

const GAP = '[… some of the output is missing: it came faster than it could be read …]';

/** Cleans outputs with one emulator that is made when first needed and used again: making one costs 10 ms. */
export class OutputCleaner {
  readonly #emulators: () => Promise<EmulatorFactory>;
  #terminal: Terminal | null = null;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(emulators: () => Promise<EmulatorFactory>) {
    this.#emulators = emulators;
  }

  /** The output of `log` for a terminal of `cols` cells. */
  async clean(log: ByteLog, cols: number): Promise<CommandOutput> {
    const { head, tail } = log.kept();
    const counts = { totalBytes: log.totalBytes, totalLines: log.totalLines };
    if (isBinary(head))
      return { ...counts, text: `[binary output, ${counts.totalBytes} bytes, not shown]`, truncated: counts.totalBytes > 0 };
    const first = await this.#text(head, cols);
    const last = tail === null ? null : await this.#text(tail, cols);
    const joined = joinEnds(first, last, counts);
    return log.hasGap ? { ...counts, text: `${joined.text}\n${GAP}`, truncated: true } : { ...counts, ...joined };
  }

  async #text(bytes: Buffer, cols: number): Promise<string> {
    const raw = bytes.toString('utf8');
    const undecorated = raw.replace(DECORATION, '');
    const text = MOVES.test(undecorated) ? await this.#emulated(raw, cols) : undecorated.replace(/\r+\n/g, '\n');
    return text.replace(OWN_TRACE, '').replaceAll('\x07', '');
  }

  #emulated(raw: string, cols: number): Promise<string> {
    const next = this.#busy.then(async () => {
      this.#terminal ??= (await this.#emulators()).create(cols, EMULATED_SCREEN, EMULATED_ROWS);
      const terminal = this.#terminal;
      // CAN first: `reset` leaves a string that an earlier output began and never ended open (ECMA-48 8.3.6).
      await writeAll(terminal, '\x18');
      terminal.reset();
      if (terminal.cols !== cols) terminal.resize(cols, EMULATED_SCREEN);
      await writeAll(terminal, withoutClearing(raw));
      return bufferText(terminal);
    });
    this.#busy = next.catch(() => undefined);
    return next;
  }
}

/** Instead of clearing, a new line where one had begun. */
function withoutClearing(raw: string): string {
  return raw.replace(CLEARING, (_, at: number) => (at === 0 || raw[at - 1] === '\n' ? '' : '\r\n'));
}

/** The text of the normal screen and its scrollback, wrapped rows joined, blanks at line ends gone. */
function bufferText(terminal: Terminal): string {
  const buffer = terminal.buffer.normal;
  const lines: string[] = [];
  let line = '';
  let last = buffer.baseY + buffer.cursorY;
  for (let at = buffer.length - 1; at > last; at--) if ((buffer.getLine(at)?.translateToString(true) ?? '') !== '') last = at;
  for (let at = 0; at <= last; at++) {
    const wrapsOn = buffer.getLine(at + 1)?.isWrapped ?? false;
    line += buffer.getLine(at)?.translateToString(!wrapsOn) ?? '';
    if (wrapsOn && at < last) continue;
    lines.push(line.trimEnd());
    line = '';
  }
  return lines.join('\n');
}

/** NUL, or more than a tenth of broken UTF-8, in the first 8 kB. */
function isBinary(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, 8192);
  if (sample.includes(0)) return true;
  const text = sample.toString('utf8');
  let broken = 0;
  for (const character of text) if (character === '\ufffd') broken++;
  return broken > 3 && broken * 10 > text.length;
}

/** One text from an output's beginning and, when it was too long to keep, its end. */
function joinEnds(
  first: string,
  last: string | null,
  counts: { readonly totalBytes: number; readonly totalLines: number },
): { readonly text: string; readonly truncated: boolean } {
  if (last === null && first.length <= 2 * KEPT_CHARACTERS) return { text: first, truncated: false };
  const end = last ?? first;
  const head = atLineEnd(first.slice(0, KEPT_CHARACTERS));
  const tail = atLineStart(end.slice(-KEPT_CHARACTERS));
  const note = `[… cut here: the whole output is ${counts.totalBytes} bytes in ${counts.totalLines} lines; its beginning and its end are shown …]`;
  return { text: `${head}\n${note}\n${tail}`, truncated: true };
}

/** Without the broken last line, unless that is most of it. */
function atLineEnd(text: string): string {
  const end = text.lastIndexOf('\n');
  return (end > text.length / 2 ? text.slice(0, end) : text).replace(/[\ud800-\udbff]$/, '');
}

function atLineStart(text: string): string {
  const start = text.indexOf('\n');
  return (start >= 0 && start < text.length / 2 ? text.slice(start + 1) : text).replace(/^[\udc00-\udfff]/, '');
}

/** Output bytes as text without escape sequences; what moved the cursor is not played. */
export function plainText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('utf8').replace(DECORATION, '');
  return text.replace(/\x1b\[[0-9;:?<=>]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g, '').replace(/\r+\n/g, '\n');
}

/** The last line of some output bytes that says something, without escape sequences. */
export function lastLineOf(bytes: Buffer): string {
  const lines = plainText(bytes)
    .split(/[\r\n]+/)
    .map((line) => line.trim());
  return lines.filter((line) => line !== '').at(-1) ?? '';
}
