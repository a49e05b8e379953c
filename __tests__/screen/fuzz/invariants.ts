/** What must hold of every frame, whatever happened. */

import { type Row, rowText } from '../../../lib/base/style.js';
import { clusterWidth, graphemes } from '../../../lib/base/width.js';
import { certainWidth } from '../../../lib/tui/cells.js';
import { contains, inside } from '../../../lib/view/layout.js';
import { conversationRect, screenLayout } from '../../../lib/view/screen.js';
import type { State } from '../../../lib/view/state.js';
import { openWindow } from '../../../lib/view/task-list.js';
import { blockAt } from '../../../lib/view/transcript.js';
import { viewport } from '../../../lib/view/viewport.js';
import type { Frame } from '../../../lib/view/widget.js';
import { foreignBytes } from '../../support/emitted-bytes.js';
import type { HeadlessTerminal } from '../../support/headless-terminal.js';
import type { Surface } from './dashboard-under-test.js';

const blank: Row = { segments: [] };
const rowCells = new WeakMap<Row, readonly string[]>();

/** The cells of a row: a cluster, '' for the second cell of a wide one. Rows are values, so they are measured once. */
function cellsOf(row: Row): readonly string[] {
  const known = rowCells.get(row);
  if (known !== undefined) return known;
  const cells: string[] = [];
  for (const { text } of row.segments)
    for (const cluster of graphemes(text)) {
      const width = clusterWidth(cluster);
      if (width > 0) cells.push(cluster);
      if (width === 2) cells.push('');
    }
  rowCells.set(row, cells);
  return cells;
}

/** What the screen should hold, painted the slow way. Throws when a row does not fit into its rectangle. */
function expectedCells({ size, parts }: Frame): readonly (readonly string[])[] {
  const screen = Array.from({ length: size.rows }, () => Array<string>(size.cols).fill(' '));
  for (const { rect, rows } of parts) {
    if (rows.length > rect.rows) throw new Error(`${rows.length} rows in a rectangle of ${rect.rows}`);
    for (let dy = 0; dy < rect.rows; dy += 1) {
      const line = screen[rect.y + dy];
      if (line === undefined) continue;
      const row = rows[dy] ?? blank;
      const cells = cellsOf(row);
      if (cells.length > rect.cols) throw new Error(`a row is wider than its ${rect.cols} cells: ${rowText(row)}`);
      const end = Math.min(rect.x + rect.cols, size.cols);
      if (rect.x > 0 && line[rect.x] === '') line[rect.x - 1] = ' ';
      if (line[end] === '') line[end] = ' ';
      for (let x = rect.x; x < end; x += 1) line[x] = cells[x - rect.x] ?? ' ';
    }
  }
  return screen;
}

/** Looks at the terminal's lines frame by frame. */
export interface CellCheck {
  /** The terminal's cells are the picture's: of the lines that the bytes went to or that are to look otherwise than before, or of all. */
  check(frame: Frame, bytes: string, all: boolean): void;
}

export function createCellCheck(terminal: HeadlessTerminal): CellCheck {
  let before: readonly string[] = [];
  return {
    check(frame, bytes, all) {
      const touched = new Set([...bytes.matchAll(/\x1b\[(\d+)(?:;\d+)?H/g)].map((found) => Number(found[1]) - 1));
      const expected = expectedCells(frame);
      const lines = expected.map((cells) => cells.join('').trimEnd());
      for (const [y, cells] of expected.entries()) {
        if (all || touched.has(y) || lines[y] !== before[y]) checkLine(cells, lines[y] ?? '', y, terminal);
      }
      before = lines;
    },
  };
}

/** Of a cluster of several code points a terminal shows what it can. */
function checkLine(cells: readonly string[], line: string, y: number, terminal: HeadlessTerminal): void {
  const told = terminal.line(y);
  if (line === told) return;
  for (const [x, cluster] of cells.entries()) {
    if (cluster === '') continue;
    const shown = terminal.cell(x, y).text || ' ';
    const certain = [...cluster].length === 1 && certainWidth(cluster.charCodeAt(0)) !== 0;
    const right = certain ? shown.normalize('NFD')[0] === cluster.normalize('NFD')[0] : [' ', ...cluster].includes([...shown][0] ?? '');
    if (!right) throw new Error(`cell ${x},${y} shows ${JSON.stringify(shown)}, not ${JSON.stringify(cluster)}: ${told}`);
  }
}

/** Painted by differences, the terminal shows what it would show painted anew: letters and looks. */
export function checkFresh(frame: Frame, terminal: HeadlessTerminal, fresh: Surface): void {
  fresh.resize(frame.size);
  fresh.paint(frame);
  for (let y = 0; y < frame.size.rows; y += 1) {
    for (let x = 0; x < frame.size.cols; x += 1) {
      const a = terminal.cell(x, y);
      const b = fresh.terminal.cell(x, y);
      const isSame = a.fg === b.fg && a.bg === b.bg && a.attributes === b.attributes && (a.text || ' ') === (b.text || ' ');
      if (!isSame) throw new Error(`cell ${x},${y} is ${JSON.stringify(a)}, painted anew ${JSON.stringify(b)}`);
    }
  }
}

/** Only what frames are made of was sent. */
export function checkBytes(bytes: string): void {
  // Joiners are kept in emoji and in scripts that join.
  const foreign = foreignBytes(bytes, '\u200c\u200d');
  if (foreign.length > 0) throw new Error(`foreign bytes were sent: ${foreign.join(' ')}`);
}

/** The cursor is where the keyboard goes, in the frame and in the terminal. */
export function checkCursor(state: State, { cursor, size }: Frame, terminal: HeadlessTerminal): void {
  const told = terminal.cursor();
  const shown = cursor?.shown === true;
  if (told.shown !== shown) throw new Error(`the terminal's cursor is ${told.shown ? 'shown' : 'hidden'}`);
  if (cursor !== null && shown && (told.x !== cursor.x || told.y !== cursor.y))
    throw new Error(`the terminal's cursor is at ${told.x},${told.y}, not at ${cursor.x},${cursor.y}`);
  const layout = screenLayout(state);
  if (layout.kind === 'small') return;
  if (cursor !== null && !contains({ x: 0, y: 0, ...size }, cursor.x, cursor.y)) throw new Error('the cursor is off the screen');
  const isCovered =
    state.leaving !== null ||
    state.help !== null ||
    state.picker !== null ||
    state.approvals.length > 0 ||
    state.usage.page !== null ||
    state.tree !== null ||
    openWindow(state) !== null;
  if (state.takeover !== null) {
    const { mirror } = layout.panes;
    if (cursor !== null && (mirror === null || !contains(inside(mirror), cursor.x, cursor.y)))
      throw new Error('the cursor of a takeover is outside of the mirror');
  } else if (
    state.answering !== null && state.leaving === null
      ? !(state.picker !== null && state.approvals.length === 0)
      : state.focus === 'editor' && !isCovered
  ) {
    if (cursor === null || !contains(layout.editor, cursor.x, cursor.y)) throw new Error('the cursor is not in the editor');
  }
}

/** What is read at the top: the block, and its row when the block is the same as before. */
export interface ReadPlace {
  readonly reading: State['reading'];
  readonly size: State['size'];
  readonly block: unknown;
  readonly id: number;
  readonly row: string;
  readonly atEnd: boolean;
}

/** Where the conversation is read; null when it is followed or not shown. */
export function readPlace(state: State): ReadPlace | null {
  const rect = conversationRect(state);
  if (rect === null || rect.rows < 1 || state.reading.kind === 'follow') return null;
  const { rows, atEnd } = viewport(state, rect);
  const [first] = rows;
  if (first === undefined) return null;
  return {
    reading: state.reading,
    size: state.size,
    block: blockAt(state.transcript, first.block),
    id: first.block,
    row: rowText(first.row),
    atEnd,
  };
}

/** Nothing but the person moves what is read. */
export function checkReading(before: State, after: State, placeBefore: ReadPlace | null): void {
  if (before.reading !== after.reading) throw new Error('the reading place was moved');
  const place = readPlace(after);
  // A larger pane that shows the end shows more above.
  if (placeBefore === null || place === null || place.size !== placeBefore.size || placeBefore.atEnd || place.atEnd) return;
  if (place.id !== placeBefore.id) throw new Error(`block ${place.id} is at the top, not ${placeBefore.id}`);
  const isSame = place.block === placeBefore.block && after.theme === before.theme && after.nowMs === before.nowMs;
  if (isSame && place.row !== placeBefore.row) throw new Error(`the row at the top is ${place.row}, not ${placeBefore.row}`);
}
