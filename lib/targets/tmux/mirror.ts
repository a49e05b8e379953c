/** A live picture of one pane: its bytes through an emulator, as styled rows, held against what tmux shows. */

import type { IBufferLine, Terminal } from '@xterm/headless';
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/disposable.js';
import type { CursorShape, PaneModes, PaneScreen } from '../../protocol/panes.js';
import { type CachedRow, cachedRow, isBlank, sameCells, writtenCells } from './mirrored-rows.js';
import { modelSequences, modeSequences, repairSequences, type ScreenCopy, sameState, type WrongRow } from './screen-copy.js';
import { withoutScrolledOff } from './scrolled-off.js';

/** At most 30 pictures a second. */
const PICTURE_MS = 33;
/** Bytes not yet parsed above which the rest is skipped and the picture is asked for instead. */
const BACKLOG_BYTES = 4_000_000;
/** Bytes that are parsed at once without waiting for the next picture. */
const WAITING_BYTES = 128 * 1024;
/** xterm.js and tmux read some bytes differently; when the pane has been quiet for so long, tmux is asked what it shows. */
const QUIET_MS = 250;
/** The same while it is never quiet. */
const BUSY_MS = 2000;

/** Of DECSCUSR, by its parameter; blinking and steady ones are alike here. */
const shapes: readonly (CursorShape | null)[] = [null, 'block', 'block', 'underline', 'underline', 'bar', 'bar'];

export class PaneMirror implements Disposable {
  readonly #create: () => Terminal;
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #onScreen: (screen: PaneScreen) => void;
  readonly #askCopy: () => void;
  #timer: Disposable | null = null;
  #lastPictureMs = Number.NEGATIVE_INFINITY;
  #backlog = 0;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #fed = 0;
  #parsedThrough = 0;
  #skipping = false;
  /** Bytes were lost since the emulator last agreed with tmux. */
  #hasGap = false;
  /** The copy that is being compared: later bytes wait until that is done. */
  #compared: ScreenCopy | null = null;
  /** Shows copies for comparison. */
  #model: Terminal | null = null;
  #check: Disposable | null = null;
  #uncheckedMs = 0;
  #lastFedMs = 0;
  #disposed = false;
  #cursorShown = true;
  /** Null: the terminal's own. tmux 3.3a does not tell it: what was not seen being set is not known. */
  #cursorShape: CursorShape | null = null;
  #mouseSgr = false;
  #hasMargins = false;
  /** Writes under way that may set anything. */
  #unreadSettings = 0;
  #rows: readonly CachedRow[] = [];
  #shown: PaneScreen | null = null;

  /**
   * `create` makes emulators of the pane's size. `askCopy` is called when tmux is to tell what it shows, because bytes were skipped or
   * to see whether the picture is right: answer with `restore`.
   */
  constructor(create: () => Terminal, clock: Clock, onScreen: (screen: PaneScreen) => void, askCopy: () => void) {
    this.#create = create;
    this.#terminal = create();
    this.#clock = clock;
    this.#onScreen = onScreen;
    this.#askCopy = askCopy;
    const { parser } = this.#terminal;
    parser.registerCsiHandler({ final: 'r' }, ([top, bottom]) => {
      this.#hasMargins = Number(top ?? 0) > 1 || (Number(bottom ?? 0) > 0 && Number(bottom) < this.#terminal.rows);
      return false;
    });
    const privateMode = (shown: boolean) => (parameters: readonly (number | number[])[]) => {
      if (parameters.includes(25)) this.#cursorShown = shown;
      if (parameters.includes(1006)) this.#mouseSgr = shown;
      return false;
    };
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, privateMode(true));
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, privateMode(false));
    parser.registerCsiHandler({ intermediates: ' ', final: 'q' }, ([style]) => {
      this.#cursorShape = shapes[Number(style ?? 0)] ?? null;
      return false;
    });
    parser.registerEscHandler({ final: 'c' }, () => {
      this.#cursorShown = true;
      this.#cursorShape = null;
      this.#mouseSgr = false;
      this.#hasMargins = false;
      return false;
    });
  }

  get cols(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /** True when all bytes are parsed and every copy has been compared. */
  get isSettled(): boolean {
    return this.#backlog === 0 && this.#compared === null;
  }

  /** Bytes that were fed, from the beginning. */
  get fed(): number {
    return this.#fed;
  }

  /** How many of them the picture holds. */
  get parsedThrough(): number {
    return this.#parsedThrough;
  }

  /** Takes bytes of the pane. They are parsed when the next picture is due: small commands in a row cost one picture, not many. */
  feed(bytes: Buffer): void {
    if (this.#disposed) return;
    this.#checkLater();
    this.#fed += bytes.length;
    if (this.#skipping) return;
    this.#waiting.push(bytes);
    this.#backlog += bytes.length;
    this.#waitingBytes += bytes.length;
    if (this.#backlog > BACKLOG_BYTES) {
      this.#skipping = true;
      this.#hasGap = true;
      this.#dropWaiting();
      if (this.#backlog === 0) this.#askCopy();
    } else if (this.#waitingBytes > WAITING_BYTES) this.#flush();
    else this.#schedule();
  }

  /** Bytes of the pane were lost on their way: `restore` is to follow. */
  gap(): void {
    this.#hasGap = true;
  }

  resize(cols: number, rows: number): void {
    if (this.#disposed || (cols === this.#terminal.cols && rows === this.#terminal.rows)) return;
    this.#terminal.resize(cols, rows);
    this.#schedule();
  }

  /**
   * Shows what tmux shows; bytes that come after this call follow it. Those that came before are parsed first: what they set and tmux
   * does not tell must not be lost. A copy without state is another terminal's beginning.
   */
  restore(copy: ScreenCopy): void {
    if (this.#disposed) return;
    if (this.#skipping || copy.state === undefined) this.#dropWaiting();
    this.#skipping = false;
    this.#compared = null;
    this.#flush();
    if (copy.state === undefined) {
      this.#terminal.resize(copy.cols, copy.rows);
      this.#repair(copy, []);
      return;
    }
    this.#compared = copy;
    this.#terminal.write('', () => this.#compare(copy));
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    this.#check?.dispose();
    this.#terminal.dispose();
    this.#model?.dispose();
  }

  /** Everything before the copy is parsed, nothing after it: both must look alike. */
  #compare(copy: ScreenCopy): void {
    if (this.#disposed || this.#compared !== copy) return;
    this.#model ??= this.#create();
    const model = this.#model;
    model.resize(copy.cols, copy.rows);
    model.write(modelSequences(copy), () => {
      if (this.#disposed || this.#compared !== copy) return;
      this.#compared = null;
      this.#terminal.resize(copy.cols, copy.rows);
      const wrong = wrongRows(this.#terminal, model, !this.#hasGap);
      const same = sameState(this.#terminal, { cursor: this.#cursorShown, mouseSgr: this.#mouseSgr }, copy);
      if (wrong.length > 0 || !same || this.#hasGap) this.#repair(copy, wrong);
      if (this.#waitingBytes > 0) this.#schedule();
    });
  }

  #repair(copy: ScreenCopy, wrong: readonly WrongRow[]): void {
    this.#write(repairSequences(copy, wrong, !this.#hasGap));
    this.#hasGap = false;
  }

  /** Bytes have come: the picture is to be checked when no more come, or after a while. */
  #checkLater(): void {
    this.#lastFedMs = this.#clock.monotonic();
    if (this.#check !== null) return;
    this.#uncheckedMs = this.#lastFedMs;
    this.#check = this.#clock.after(QUIET_MS, () => this.#checkNow());
  }

  #checkNow(): void {
    const now = this.#clock.monotonic();
    const wait = Math.min(this.#lastFedMs + QUIET_MS, this.#uncheckedMs + BUSY_MS) - now;
    this.#check = wait <= 0 ? null : this.#clock.after(wait, () => this.#checkNow());
    if (wait <= 0 && !this.#skipping) this.#askCopy();
  }

  #flush(): void {
    if (this.#compared !== null) return;
    const [only] = this.#waiting;
    if (only === undefined) return;
    const all = this.#waiting.length === 1 ? only : Buffer.concat(this.#waiting);
    this.#dropWaiting();
    const { bytes, isPlain } = withoutScrolledOff(all, this.#terminal.rows);
    // Margins that are about to be set would count as well.
    const scrolls = !this.#hasMargins && this.#unreadSettings === 0;
    this.#write(scrolls ? bytes : all, isPlain);
  }

  #dropWaiting(): void {
    this.#backlog -= this.#waitingBytes;
    this.#waitingBytes = 0;
    this.#waiting.length = 0;
  }

  #write(bytes: Buffer | string, isPlain = false): void {
    const through = this.#fed;
    this.#backlog += bytes.length;
    if (!isPlain) this.#unreadSettings++;
    this.#terminal.write(bytes, () => {
      this.#backlog -= bytes.length;
      if (!isPlain) this.#unreadSettings--;
      this.#parsedThrough = through;
      if (this.#disposed) return;
      if (this.#skipping && this.#backlog === 0) this.#askCopy();
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
    if (this.#waitingBytes > 0 && this.#compared === null) this.#flush();
    else this.#draw();
  }

  #modes(): PaneModes {
    const { applicationCursorKeysMode, mouseTrackingMode } = this.#terminal.modes;
    return { applicationCursor: applicationCursorKeysMode, mouse: mouseTrackingMode, mouseSgr: this.#mouseSgr };
  }

  #draw(): void {
    if (this.#disposed) return;
    this.#lastPictureMs = this.#clock.monotonic();
    const { cols } = this.#terminal;
    const buffer = this.#terminal.buffer.active;
    const before = this.#rows;
    this.#rows = rowsOf(this.#terminal, before);
    const shape = this.#cursorShape;
    const place = { x: Math.min(buffer.cursorX, cols - 1), y: buffer.cursorY, shown: this.#cursorShown };
    const cursor = shape === null ? place : { ...place, shape };
    const modes = this.#modes();
    const shown = this.#shown;
    const same =
      shown !== null &&
      shown.cols === cols &&
      this.#rows.length === before.length &&
      this.#rows.every((row, y) => row === before[y]) &&
      shown.cursor.x === cursor.x &&
      shown.cursor.y === cursor.y &&
      shown.cursor.shown === cursor.shown &&
      (shown.cursor.shape ?? null) === shape &&
      modeSequences(shown.modes) === modeSequences(modes);
    if (same) return;
    this.#shown = { cols, rows: this.#rows.map((cached) => cached.row), cursor, modes };
    this.#onScreen(this.#shown);
  }
}

/** The rows of the screen; `before` says what they were. */
function rowsOf(terminal: Terminal, before: readonly CachedRow[]): readonly CachedRow[] {
  return Array.from({ length: terminal.rows }, (_, y) => cachedRow(lineAt(terminal, y), terminal.cols, before[y]));
}

/** Rows in which `terminal` differs from the model. tmux tells nothing of erased cells at the end of a row: those must be blank. */
function wrongRows(terminal: Terminal, model: Terminal, trustsColours: boolean): readonly WrongRow[] {
  const { cols, rows } = terminal;
  return Array.from({ length: rows }, (_, y) => y).flatMap((y) => {
    const line = lineAt(terminal, y);
    const wanted = lineAt(model, y);
    if (line === undefined || wanted === undefined) return [];
    const end = writtenCells(wanted, cols);
    const clears = !trustsColours || !isBlank(line, end, cols);
    return !clears && sameCells(line, wanted, end) ? [] : [{ y, clears }];
  });
}

function lineAt({ buffer }: Terminal, y: number): IBufferLine | undefined {
  return buffer.active.getLine(buffer.active.baseY + y);
}
