/** Lines of an emulator as styled rows that a person may look at. */

import type { IBufferCell, IBufferLine } from '@xterm/headless';
import { plain, type Row, rgb, rowOf, type Segment, type Style } from '../../base/style.js';
import { visible } from '../../base/visible.js';

/** A row with what it was made from, so that an unchanged one stays the same object. */
export interface CachedRow {
  readonly key: string;
  readonly row: Row;
}

interface Run {
  text: string;
  readonly style: Style;
}

/** The row of a line; `before` itself when it looks the same. */
export function cachedRow(line: IBufferLine | undefined, cols: number, before: CachedRow | undefined): CachedRow {
  const runs = line === undefined ? [] : runsOf(line, cols);
  const key = runs.map((run) => `${run.text}\0${run.style === plain ? '' : JSON.stringify(run.style)}`).join('\0');
  if (before?.key === key) return before;
  return { key, row: rowOf(...runs.map(segment)) };
}

/** How many cells of the line were written to, up to the last one that was. */
export function writtenCells(line: IBufferLine, cols: number): number {
  for (let end = cols; end > 0; end--) {
    const cell = line.getCell(end - 1);
    if (cell !== undefined && (cell.getCode() !== 0 || cell.getWidth() === 0)) return end;
  }
  return 0;
}

/** True when no text stands between two columns; the ground may have any colour. */
export function isBlank(line: IBufferLine, from: number, to: number): boolean {
  for (let x = from; x < to; x++) {
    const cell = line.getCell(x);
    if (cell !== undefined && (cell.getWidth() === 0 || (cell.getCode() !== 0 && !isPlainSpace(cell)))) return false;
  }
  return true;
}

function isPlainSpace(cell: IBufferCell): boolean {
  return cell.getChars() === ' ' && cell.isAttributeDefault();
}

/** True when both lines look the same in their first cells. */
export function sameCells(one: IBufferLine, other: IBufferLine, cells: number): boolean {
  for (let x = 0; x < cells; x++) {
    const a = one.getCell(x);
    const b = other.getCell(x);
    if (a === undefined || b === undefined) return a === b;
    const same =
      isSameText(a.getChars() || ' ', b.getChars() || ' ') &&
      a.getWidth() === b.getWidth() &&
      flagsOf(a) === flagsOf(b) &&
      a.getFgColor() === b.getFgColor() &&
      a.getBgColor() === b.getBgColor() &&
      a.isFgRGB() === b.isFgRGB() &&
      a.isBgRGB() === b.isBgRGB();
    if (!same) return false;
  }
  return true;
}

/** Bytes that tmux keeps of one cell at least: a longer family of emoji loses its last members there, and need not here. */
const KEPT_BYTES = 18;

function isSameText(text: string, wanted: string): boolean {
  return text === wanted || (text.startsWith(wanted) && Buffer.byteLength(wanted) >= KEPT_BYTES);
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
    current.text += charactersOf(cell);
  }
  if (current !== null && current.style === plain) current.text = current.text.trimEnd();
  return runs.filter((run) => run.text !== '');
}

/** A ZWJ at the end of a cell joins nothing: tmux cut its text there. */
function charactersOf(cell: IBufferCell): string {
  const characters = cell.getChars() || ' ';
  return characters.endsWith('\u200d') ? characters.slice(0, -1) : characters;
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
