/** What `tmux capture-pane -e -N` prints and what an emulator holds, as cells that can be compared. */

import type { IBufferCell, Terminal } from '@xterm/headless';
import { cellWidth } from '../../lib/base/width.js';

/** A character with how it looks, in words: `x bold fg=1`. The second cell of a wide one is ''. */
export type Cell = string;

/** Attributes in the order in which both sides name them. */
const attributes: readonly (readonly [name: string, on: number, off: number, cell: (cell: IBufferCell) => number])[] = [
  ['bold', 1, 22, (cell) => cell.isBold()],
  ['dim', 2, 22, (cell) => cell.isDim()],
  ['italic', 3, 23, (cell) => cell.isItalic()],
  ['underline', 4, 24, (cell) => cell.isUnderline()],
  ['blink', 5, 25, (cell) => cell.isBlink()],
  ['inverse', 7, 27, (cell) => cell.isInverse()],
  ['hidden', 8, 28, (cell) => cell.isInvisible()],
  ['strike', 9, 29, (cell) => cell.isStrikethrough()],
  ['overline', 53, 55, (cell) => cell.isOverline()],
];

/** VT220 user guide, table "DEC special graphics", from 0x60 to 0x7e. */
const lineDrawing = '◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·';

function named(text: string, look: readonly string[]): Cell {
  return [text === '' ? ' ' : text, ...look].join(' ');
}

/** The cells of captured rows, as many as tmux tells of. It tells a change of looks once, also over several rows. */
export function capturedCells(lines: readonly string[]): readonly (readonly Cell[])[] {
  const on = new Set<string>();
  let colours: { fg: string; bg: string } = { fg: '', bg: '' };
  let isDrawing = false;
  const sgr = (parameters: string) => {
    const codes = parameters.split(';').map((code) => code.split(':').map(Number));
    for (let at = 0; at < codes.length; at++) {
      const [code = 0, sub] = codes[at] ?? [];
      if (code === 0) {
        on.clear();
        colours = { fg: '', bg: '' };
      }
      for (const [name, begins, ends] of attributes) {
        if (code === begins && sub !== 0) on.add(name);
        else if (code === ends || (code === begins && sub === 0)) on.delete(name);
      }
      const layer = (code >= 40 && code < 50) || code >= 100 ? 'bg' : 'fg';
      const digit = code % 10;
      if ([38, 48, 58].includes(code)) {
        const kind = sub ?? codes[at + 1]?.[0];
        const rest =
          sub === undefined ? codes.slice(at + 2, at + (kind === 2 ? 5 : 3)).flat() : (codes[at] ?? []).slice(kind === 2 ? -3 : 2);
        if (sub === undefined) at += rest.length + 1;
        if (code !== 58) colours = { ...colours, [layer]: ` ${layer}=${rest.join(',')}` };
      } else if ((code >= 30 && code < 50) || (code >= 90 && code < 108)) {
        colours = { ...colours, [layer]: digit === 9 ? '' : ` ${layer}=${code >= 90 ? digit + 8 : digit}` };
      }
    }
  };
  return lines.map((line) => {
    const cells: Cell[] = [];
    for (const [piece, parameters] of line.matchAll(/\x1b\[([\d;:]*)m|\x1b\][^\x1b\x07]*(?:\x07|\x1b\\)|[\x0e\x0f]|\P{M}\p{M}*/gu)) {
      if (parameters !== undefined) sgr(parameters);
      else if (piece === '\x0e' || piece === '\x0f') isDrawing = piece === '\x0e';
      else if (!piece.startsWith('\x1b')) {
        const text = isDrawing ? ([...lineDrawing][piece.charCodeAt(0) - 0x60] ?? piece) : piece;
        const look = attributes.flatMap(([name]) => (on.has(name) ? [name] : []));
        cells.push(named(text, look) + colours.fg + colours.bg);
        if (cellWidth(text) === 2) cells.push('');
      }
    }
    return cells;
  });
}

/** The cells of an emulator's screen. */
export function emulatedCells(terminal: Terminal): readonly (readonly Cell[])[] {
  const { active } = terminal.buffer;
  return Array.from({ length: terminal.rows }, (_, y) => {
    const line = active.getLine(active.baseY + y);
    return Array.from({ length: terminal.cols }, (_, x) => {
      const cell = line?.getCell(x);
      if (cell === undefined) return ' ';
      if (cell.getWidth() === 0) return '';
      const look = attributes.flatMap(([name, , , isOn]) => (isOn(cell) === 0 ? [] : [name]));
      const fg = cell.isFgDefault() ? '' : ` fg=${colour(cell.getFgColor(), cell.isFgRGB())}`;
      const bg = cell.isBgDefault() ? '' : ` bg=${colour(cell.getBgColor(), cell.isBgRGB())}`;
      return named(cell.getChars(), look) + fg + bg;
    });
  });
}

function colour(value: number, isRgb: boolean): string {
  return isRgb ? [value >> 16, (value >> 8) & 0xff, value & 0xff].join(',') : String(value);
}

/** True when the emulator's row is what tmux tells. Of erased cells at the end of a row it tells nothing: they are blank, on any ground. */
export function sameRow(emulated: readonly Cell[], captured: readonly Cell[]): boolean {
  return emulated.every((cell, x) => (x < captured.length ? cell === captured[x] : /^ {1,2}(?:bg=\S+)?$/.test(cell)));
}
