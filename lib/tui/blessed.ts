/**
 * The only file that knows blessed (neo-blessed 0.2.0). blessed keeps the screen and its tree of nodes; what it would do by itself
 * (read terminfo, parse input, set modes, catch signals, compare cells) is switched off: it gets streams that lead nowhere, and its
 * `draw` is replaced by ours.
 */

import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { plain, type Row, type Style } from '../base/style.js';
import type { Frame, Size } from '../view/widget.js';
import { ClusterTable, createGrid, type Grid, paintRow, UNKNOWN } from './cells.js';
import type { ColorDepth } from './color-depth.js';
import { CursorShapes } from './cursor-shape.js';
import { encodeLines } from './encoder.js';
import type { GlyphSet } from './glyphs.js';
import { StyleTable } from './sgr.js';

/** What we use of blessed that its published types do not have. */
interface ScreenInternals {
  readonly program: {
    cols: number;
    rows: number;
    useBuffer: boolean;
    _buf: string;
    _owrite(bytes: string): void;
    removeAllListeners(name: string): void;
    enableMouse(): void;
    disableMouse(): void;
  };
  readonly tput: { colors: number; brokenACS: boolean };
  _buf: string;
  alloc(): void;
  draw(): void;
  render(): void;
}

/** The parts of blessed by their files: all of its widgets together would take 20 ms of the first picture. */
const require = createRequire(import.meta.url);
const internals = {
  Tput: require('blessed/lib/tput'),
  Program: require('blessed/lib/program'),
  Screen: require('blessed/lib/widgets/screen'),
  Element: require('blessed/lib/widgets/element'),
} as {
  readonly Tput: { readonly prototype: { readTerminfo(): object } };
  readonly Program: { _bound?: boolean };
  readonly Screen: ((options: object) => ScreenInternals) & { _bound?: boolean };
  readonly Element: (options: object) => { render(): void };
};

/** What blessed believes to write to. */
const TERMINAL = 'xterm-256color';

/** Frames shorter than this are written in one go by every terminal: no need to ask it to hold still. */
const SYNCHRONIZE_FROM_BYTES = 64;
/** Synchronized output, DEC private mode 2026. */
const HOLD = '\x1b[?2026h';
const SHOW = '\x1b[?2026l';
/** Distinct styles or clusters after which both tables start anew, with a full repaint. */
const TABLE_LIMIT = 16_384;

/** Paints frames: keeps what the terminal shows and sends the difference. */
export interface Printer {
  /** Paints `frame` through the printer's `write`; nothing is written when nothing changed. */
  present(frame: Frame): void;
  /** The terminal has a new size; what it shows is not known any more. */
  resize(size: Size): void;
  /** What the terminal shows is not known any more: the next frame clears it and paints every cell. */
  invalidate(): void;
}

export interface PrinterOptions {
  readonly size: Size;
  readonly colorDepth: ColorDepth;
  /** Default: everything. */
  readonly glyphSet?: GlyphSet;
  /** Takes the bytes of a frame. */
  write(bytes: string): void;
  /** The process environment: blessed looks into it, and must not find `TMUX` there. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The input and output of blessed's program: a terminal that is there and says nothing. */
class NullTerminal extends EventEmitter {
  readonly isTTY = true;
  readonly isRaw = true;
  readonly writable = true;
  readonly columns = 1;
  readonly rows = 1;
  onWrite: (bytes: string) => void = () => undefined;

  write(bytes: string): boolean {
    this.onWrite(bytes);
    return true;
  }
  setRawMode(): this {
    return this;
  }
  resume(): this {
    return this;
  }
  pause(): this {
    return this;
  }
}

/** A screen that is never asked for cells: its size is 1×1 while it is built, and `alloc` does nothing afterwards. */
function createScreen(options: PrinterOptions): ScreenInternals {
  // It would read what terminfo knows of the terminal, and make a function of each of its strings; we write none of them.
  internals.Tput.prototype.readTerminfo = () => ({ name: TERMINAL, names: [TERMINAL], bools: {}, numbers: {}, strings: {} });
  // It would listen to signals, crashes and the exit of the process; with this it believes that it does.
  internals.Screen._bound = true;
  internals.Program._bound = true;
  const terminal = new NullTerminal();
  // With TMUX set blessed runs `tmux -V` and waits for it: it is not to see the variable while it starts.
  const env = options.env as Record<string, string | undefined>;
  const tmux = env['TMUX'];
  if (tmux !== undefined) delete env['TMUX'];
  let screen: ScreenInternals;
  try {
    screen = internals.Screen({
      input: terminal,
      output: terminal,
      terminal: TERMINAL,
      forceUnicode: true,
      fullUnicode: true,
      smartCSR: false,
    });
  } finally {
    if (tmux !== undefined) env['TMUX'] = tmux;
  }
  screen.tput.colors = 256;
  screen.tput.brokenACS = true;
  screen.program.removeAllListeners('resize');
  screen.program.enableMouse = () => undefined;
  screen.program.disableMouse = () => undefined;
  screen.program._buf = '';
  screen.program.useBuffer = false;
  screen._buf = '';
  screen.alloc = () => undefined;
  terminal.onWrite = options.write;
  return screen;
}

/** One row on its way to a line of the screen. */
interface Placed {
  readonly x: number;
  readonly cols: number;
  readonly row: Row | null;
}

/** One printer for a process: blessed has process-wide state. */
export function createPrinter(options: PrinterOptions): Printer {
  const screen = createScreen(options);
  const palette = { styles: new StyleTable(options.colorDepth), clusters: new ClusterTable(), glyphSet: options.glyphSet ?? 'unicode' };
  let shown: Grid;
  let next: Grid;
  let placed: Placed[][];
  let frame: Frame | null = null;
  let unknown = true;
  let changed: number[] = [];
  let cursorBytes = '';
  const shapes = new CursorShapes(options.env);
  let ground: Style | undefined;

  function resize(size: Size): void {
    screen.program.cols = size.cols;
    screen.program.rows = size.rows;
    shown = createGrid(size.cols, size.rows);
    next = createGrid(size.cols, size.rows);
    invalidate();
  }

  function invalidate(): void {
    unknown = true;
    shapes.forget();
    placed = Array.from({ length: next.rows }, () => []);
    next.glyphs.fill(UNKNOWN);
  }

  /** Rows are values: a line on which the same rows lie in the same places looks the same and is not painted again. */
  function paint(): void {
    changed = [];
    if (frame === null) return;
    const lines: Placed[][] = Array.from({ length: next.rows }, () => []);
    for (const part of frame.parts) {
      for (let y = 0; y < part.rect.rows; y += 1) {
        lines[part.rect.y + y]?.push({ x: part.rect.x, cols: part.rect.cols, row: part.rows[y] ?? null });
      }
    }
    for (const [y, line] of lines.entries()) {
      if (!unknown && samePlaces(placed[y], line)) continue;
      changed.push(y);
      paintRow(next, { x: 0, y, cols: next.cols }, null, palette);
      for (const { x, cols, row } of line) paintRow(next, { x, y, cols }, row, palette);
    }
    placed = lines;
  }

  function draw(): void {
    let bytes = '';
    if (unknown) {
      bytes = '\x1b[m\x1b[2J';
      // With a ground of its own even a blank has to be painted.
      shown.glyphs.fill(palette.styles.hasGround ? UNKNOWN : 0x20);
      shown.styles.fill(0);
      cursorBytes = '';
    }
    const cells = encodeLines(shown, next, changed, palette);
    unknown = false;
    bytes += cells;
    const cursor = frame?.cursor ?? null;
    const visible = cursor?.shown === true && cursor.x >= 0 && cursor.y >= 0 && cursor.x < next.cols && cursor.y < next.rows;
    const wanted = visible ? `\x1b[${cursor.y + 1};${cursor.x + 1}H\x1b[?25h` : '\x1b[?25l';
    const shaped = visible ? shapes.bytes(cursor.shape ?? null) : '';
    if (bytes === '' && wanted === cursorBytes && shaped === '') return;
    // A cursor that shows would be seen running over the screen by terminals that do not hold still.
    const hide = cells !== '' && cursorBytes.endsWith('h') && bytes.length >= SYNCHRONIZE_FROM_BYTES ? '\x1b[?25l' : '';
    const place = wanted === cursorBytes && hide === '' && visible ? wanted.slice(0, wanted.lastIndexOf('\x1b')) : wanted;
    cursorBytes = wanted;
    bytes = hide + bytes + shaped + place;
    screen.program._owrite(bytes.length >= SYNCHRONIZE_FROM_BYTES ? HOLD + bytes + SHOW : bytes);
  }

  resize(options.size);
  const surface = internals.Element({ parent: screen, top: 0, left: 0, width: '100%', height: '100%' });
  surface.render = paint;
  screen.draw = draw;

  return {
    present(picture) {
      if (picture.ground !== ground) {
        ground = picture.ground;
        palette.styles.setGround(ground ?? plain);
        invalidate();
      }
      if (palette.styles.size > TABLE_LIMIT || palette.clusters.size > TABLE_LIMIT) {
        palette.styles.clear();
        palette.clusters.clear();
        invalidate();
      }
      frame = picture;
      screen.render();
    },
    resize,
    invalidate,
  };
}

function samePlaces(before: readonly Placed[] | undefined, after: readonly Placed[]): boolean {
  if (before === undefined || before.length !== after.length) return false;
  for (let at = 0; at < after.length; at += 1) {
    const a = before[at];
    const b = after[at];
    if (a === undefined || b === undefined || a.row !== b.row || a.x !== b.x || a.cols !== b.cols) return false;
  }
  return true;
}
