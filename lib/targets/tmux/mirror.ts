/** A live picture of one pane: its bytes through an emulator, as styled rows. */

import type { IBufferCell, IBufferLine, Terminal } from '@xterm/headless';
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/disposable.js';
import { plain, type Row, rgb, rowOf, type Segment, type Style } from '../../base/style.js';
import { visible } from '../../base/visible.js';
import type { PaneModes, PaneScreen } from '../../protocol/panes.js';

/** At most 30 pictures a second. */
const PICTURE_MS = 33;
/** Bytes not yet parsed above which the rest is skipped and the picture is asked for instead. */
const BACKLOG_BYTES = 4_000_000;
/** Bytes that are parsed at once without waiting for the next picture. */
const WAITING_BYTES = 128 * 1024;

/** The screen as tmux tells it, to start again from. */
export interface ScreenCopy {
  readonly cols: number;
  readonly rows: number;
  /** Text with SGR, one string per row from the top. */
  readonly lines: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number; readonly shown: boolean };
  /** What tmux knows of them; the others stay as they were. */
  readonly modes?: Partial<PaneModes>;
}

export class PaneMirror implements Disposable {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #onScreen: (screen: PaneScreen) => void;
  readonly #onLagging: () => void;
  #timer: Disposable | null = null;
  #lastPictureMs = Number.NEGATIVE_INFINITY;
  #backlog = 0;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #skipping = false;
  #disposed = false;
  #cursorShown = true;
  #mouseSgr = false;
  #rows: readonly CachedRow[] = [];
  #shown: PaneScreen | null = null;

  /** `onLagging` is called when bytes were skipped and the emulator has caught up: answer with `restore`. */
  constructor(terminal: Terminal, clock: Clock, onScreen: (screen: PaneScreen) => void, onLagging: () => void) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#onScreen = onScreen;
    this.#onLagging = onLagging;
    const privateMode = (shown: boolean) => (parameters: readonly (number | number[])[]) => {
      if (parameters.includes(25)) this.#cursorShown = shown;
      if (parameters.includes(1006)) this.#mouseSgr = shown;
      return false;
    };
    terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, privateMode(true));
    terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, privateMode(false));
  }

  get cols(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /** Takes bytes of the pane. They are parsed when the next picture is due: small commands in a row cost one picture, not many. */
  feed(bytes: Buffer): void {
    if (this.#skipping || this.#disposed) return;
    this.#waiting.push(bytes);
    this.#backlog += bytes.length;
    this.#waitingBytes += bytes.length;
    if (this.#backlog > BACKLOG_BYTES) {
      this.#skipping = true;
      this.#dropWaiting();
      if (this.#backlog === 0) this.#onLagging();
    } else if (this.#waitingBytes > WAITING_BYTES) this.#flush();
    else this.#schedule();
  }

  resize(cols: number, rows: number): void {
    if (this.#disposed || (cols === this.#terminal.cols && rows === this.#terminal.rows)) return;
    this.#terminal.resize(cols, rows);
    this.#schedule();
  }

  /** Starts again from what tmux shows; bytes that come after this call follow it. */
  restore(copy: ScreenCopy): void {
    if (this.#disposed) return;
    this.#dropWaiting();
    this.#skipping = false;
    this.#cursorShown = copy.cursor.shown;
    const modes = { ...this.#modes(), ...copy.modes };
    this.#mouseSgr = modes.mouseSgr;
    this.#terminal.resize(copy.cols, copy.rows);
    const painted = copy.lines.slice(0, copy.rows).map((line, at) => `\x1b[${at + 1};1H\x1b[0m${line}`);
    this.#write(
      `\x1bc${modeSequences(modes)}${painted.join('')}\x1b[0m\x1b[${copy.cursor.y + 1};${copy.cursor.x + 1}H${copy.cursor.shown ? '' : '\x1b[?25l'}`,
    );
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    this.#terminal.dispose();
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#waiting);
    this.#dropWaiting();
    if (bytes.length > 0) this.#write(bytes);
  }

  #dropWaiting(): void {
    this.#backlog -= this.#waitingBytes;
    this.#waitingBytes = 0;
    this.#waiting.length = 0;
  }

  #write(bytes: Buffer | string): void {
    this.#backlog += bytes.length;
    this.#terminal.write(bytes, () => {
      this.#backlog -= bytes.length;
      if (this.#disposed) return;
      if (this.#skipping && this.#backlog === 0) this.#onLagging();
      else this.#parsed();
    });
  }

  /** What is parsed is drawn when a picture is due, also when more bytes have come meanwhile. */
  #parsed(): void {
    const due = this.#lastPictureMs + PICTURE_MS <= this.#clock.monotonic();
    if (due) this.#draw();
    if (!due || this.#waitingBytes > 0) this.#schedule();
  }

  /** Parses what waits and draws: now, or when the last picture is old enough. */
  #schedule(): void {
    if (this.#timer !== null) return;
    const wait = this.#lastPictureMs + PICTURE_MS - this.#clock.monotonic();
    if (wait <= 0) {
      this.#tick();
      return;
    }
    this.#timer = this.#clock.after(wait, () => {
      this.#timer = null;
      this.#tick();
    });
  }

  #tick(): void {
    if (this.#waitingBytes > 0) this.#flush();
    else this.#draw();
  }

  #modes(): PaneModes {
    const { applicationCursorKeysMode, bracketedPasteMode, mouseTrackingMode } = this.#terminal.modes;
    return {
      applicationCursor: applicationCursorKeysMode,
      bracketedPaste: bracketedPasteMode,
      mouse: mouseTrackingMode,
      mouseSgr: this.#mouseSgr,
    };
  }

  #draw(): void {
    if (this.#disposed) return;
    this.#lastPictureMs = this.#clock.monotonic();
    const buffer = this.#terminal.buffer.active;
    const before = this.#rows;
    this.#rows = Array.from({ length: this.#terminal.rows }, (_, y) =>
      cachedRow(buffer.getLine(buffer.baseY + y), this.#terminal.cols, before[y]),
    );
    const cursor = { x: Math.min(buffer.cursorX, this.#terminal.cols - 1), y: buffer.cursorY, shown: this.#cursorShown };
    const modes = this.#modes();
    const shown = this.#shown;
    const same =
      shown !== null &&
      shown.cols === this.#terminal.cols &&
      this.#rows.length === before.length &&
      this.#rows.every((row, y) => row === before[y]) &&
      shown.cursor.x === cursor.x &&
      shown.cursor.y === cursor.y &&
      shown.cursor.shown === cursor.shown &&
      modeSequences(shown.modes) === modeSequences(modes);
    if (same) return;
    this.#shown = { cols: this.#terminal.cols, rows: this.#rows.map((cached) => cached.row), cursor, modes };
    this.#onScreen(this.#shown);
  }
}

/** The sequences that ask a fresh terminal for these modes. */
function modeSequences(modes: PaneModes): string {
  const mouse = { none: '', x10: '\x1b[?9h', vt200: '\x1b[?1000h', drag: '\x1b[?1002h', any: '\x1b[?1003h' };
  const keys = `${modes.applicationCursor ? '\x1b[?1h' : ''}${modes.bracketedPaste ? '\x1b[?2004h' : ''}`;
  return `${keys}${mouse[modes.mouse]}${modes.mouseSgr ? '\x1b[?1006h' : ''}`;
}

/** A row with what it was made from, so that an unchanged one stays the same object. */
interface CachedRow {
  readonly key: string;
  readonly row: Row;
}

interface Run {
  text: string;
  readonly style: Style;
}

function cachedRow(line: IBufferLine | undefined, cols: number, before: CachedRow | undefined): CachedRow {
  const runs = line === undefined ? [] : runsOf(line, cols);
  const key = runs.map((run) => `${run.text}\0${run.style === plain ? '' : JSON.stringify(run.style)}`).join('\0');
  if (before?.key === key) return before;
  return { key, row: rowOf(...runs.map(segment)) };
}

/** Neighbouring cells of one look, blanks at the end of the line left out when they have none. */
function runsOf(line: IBufferLine, cols: number): readonly Run[] {
  const runs: Run[] = [];
  let current: Run | null = null;
  let foreground = 0;
  let background = 0;
  let flags = 0;
  let reused: IBufferCell | undefined;
  for (let x = 0; x < cols; x++) {
    const cell: IBufferCell | undefined = line.getCell(x, reused);
    if (cell === undefined) break;
    reused = cell;
    if (cell.getWidth() === 0) continue;
    const cellForeground = cell.getFgColorMode() + cell.getFgColor();
    const cellBackground = cell.getBgColorMode() + cell.getBgColor();
    const cellFlags = flagsOf(cell);
    if (current === null || cellForeground !== foreground || cellBackground !== background || cellFlags !== flags) {
      foreground = cellForeground;
      background = cellBackground;
      flags = cellFlags;
      current = { text: '', style: styleOf(cell) };
      runs.push(current);
    }
    current.text += cell.getChars() || ' ';
  }
  if (current !== null && current.style === plain) current.text = current.text.trimEnd();
  return runs.filter((run) => run.text !== '');
}

function flagsOf(cell: IBufferCell): number {
  const flags = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isInverse(), cell.isStrikethrough()];
  let packed = 0;
  for (const flag of flags) packed = (packed << 1) | (flag === 0 ? 0 : 1);
  return packed;
}

/** Blinking is dropped, concealed text is shown: nothing on a screen may hide (`legible` does the rest). */
function styleOf(cell: IBufferCell): Style {
  if (cell.isAttributeDefault()) return plain;
  const style: Style = {
    ...(cell.isFgDefault() ? {} : { fg: cell.isFgRGB() ? colorOf(cell.getFgColor()) : cell.getFgColor() }),
    ...(cell.isBgDefault() ? {} : { bg: cell.isBgRGB() ? colorOf(cell.getBgColor()) : cell.getBgColor() }),
    ...(cell.isBold() ? { bold: true } : {}),
    ...(cell.isDim() ? { dim: true } : {}),
    ...(cell.isItalic() ? { italic: true } : {}),
    ...(cell.isUnderline() ? { underline: true } : {}),
    ...(cell.isInverse() ? { inverse: true } : {}),
    ...(cell.isStrikethrough() ? { strike: true } : {}),
  };
  return Object.keys(style).length === 0 ? plain : style;
}

function colorOf(packed: number): number {
  return rgb((packed >> 16) & 0xff, (packed >> 8) & 0xff, packed & 0xff);
}

/** Invisible characters would widen the row when spelled out: in a picture those with a cell become a replacement character. */
function segment(run: Run): Segment {
  const shown = visible(run.text);
  const style = legible(run);
  if (shown === run.text) return { text: shown, style };
  const cells = Array.from(run.text.replace(/\p{Cf}/gu, ''), (character) => (visible(character) === character ? character : '\ufffd'));
  return { text: visible(cells.join('')), style };
}

/** Blanks, blocks and shades: pictures are made of them, in one colour as well. */
const PICTURE = /^[\s\u2580-\u259f]*$/;

/** Words in the colour of their ground get the terminal's own colours: hidden is hidden, whatever the trick. */
function legible({ text, style }: Run): Style {
  if (style.fg === undefined || style.fg !== style.bg || PICTURE.test(text)) return style;
  const { fg: _fg, bg: _bg, ...rest } = style;
  return rest;
}
