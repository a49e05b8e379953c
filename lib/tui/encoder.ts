/** The difference between two grids as bytes for the terminal, as few as are safe (ECMA-48 CUP, CUF, EL, SGR). */

import { clusterWidth } from '../base/width.js';
import { BLANK, CONTINUATION, certainWidth, type Grid, type Palette, UNKNOWN } from './cells.js';
import { PLAIN } from './sgr.js';

/** Where the terminal's own cursor and style are while a frame is written; `x` -1: not known. */
interface Pen {
  x: number;
  y: number;
  style: number;
  readonly palette: Palette;
}

/** No number of a style: whatever comes first sets its own. */
const UNKNOWN_STYLE = -1;

/** Runs of blanks shorter than this are written out: erasing costs the style reset and `ESC [ K`. */
const ERASE_FROM_CELLS = 8;

/** Joiners and marks that every table of widths has. */
const LONG_KNOWN = /^(?:[\u0300-\u036f]|[\u20d0-\u20dc]|\u200c|\u200d|\ufe0e|\ufe0f)/;

/** Some terminals put these onto the cell before, whatever that holds: marks, vowels and finals of Hangul by themselves. */
const JOINS_BACK = /^[\p{M}\u1160-\u11ff\ud7b0-\ud7ff]/u;

/** Bytes that turn line `y` of `old` into that of `next`, and brings `old` up to date. The style may be left changed. */
function encodeLine(old: Grid, next: Grid, y: number, pen: Pen): string {
  const { cols } = next;
  const start = y * cols;
  let out = '';
  let redrawTo = -1;
  for (let x = 0; x < cols; x += 1) {
    const at = start + x;
    const glyph = next.glyphs[at] ?? BLANK;
    const style = next.styles[at] ?? PLAIN;
    const wide = x + 1 < cols && next.glyphs[at + 1] === CONTINUATION;
    const same = glyph === old.glyphs[at] && style === old.styles[at] && (!wide || old.glyphs[at + 1] === CONTINUATION);
    if (same && x >= redrawTo) {
      if (wide) x += 1;
      continue;
    }
    // What stood on this cell from the next one goes with it.
    if (old.glyphs[at] === UNKNOWN) redrawTo = Math.max(redrawTo, x + (wide ? 3 : 2));
    if (
      glyph === BLANK &&
      style === PLAIN &&
      !pen.palette.styles.hasGround &&
      cols - x >= ERASE_FROM_CELLS &&
      isBlank(next, at, start + cols)
    ) {
      out += moveTo(pen, x, y) + setStyle(pen, PLAIN);
      out += '\x1b[K';
      old.glyphs.fill(BLANK, at, start + cols);
      old.styles.fill(PLAIN, at, start + cols);
      return out;
    }
    if (pen.x !== x || pen.y !== y) out += moveTo(pen, x, y);
    if (pen.style !== style) out += setStyle(pen, style);
    const width = wide ? 2 : 1;
    if (certainWidth(glyph) !== 0) {
      out += String.fromCharCode(glyph);
      pen.x = x + width;
      // In the last column the terminal's cursor waits to wrap: only an absolute move is safe.
      if (pen.x >= cols) pen.x = -1;
    } else {
      const text = pen.palette.clusters.text(glyph);
      // Terminals disagree about the width: blank the cells first, anchor afterwards, and redraw what it may have spilled into.
      const joins = JOINS_BACK.test(text);
      out += width === 2 || joins ? `${' '.repeat(width)}\x1b[${y + 1};${x + 1}H${text}` : text;
      pen.x = -1;
      redrawTo = Math.max(redrawTo, x + spill(text));
      // It may stand on the cell before now: that one is painted anew with the next change of the line.
      if (joins && x > 0) old.glyphs[old.glyphs[at - 1] === CONTINUATION ? at - 2 : at - 1] = UNKNOWN;
    }
    old.glyphs[at] = glyph;
    old.styles[at] = style;
    if (wide) {
      old.glyphs[at + 1] = CONTINUATION;
      old.styles[at + 1] = style;
      x += 1;
    }
  }
  return out;
}

/**
 * The most cells that any terminal could give a cluster: every code point by itself, an ambiguous one two. After a move nothing stands
 * before it to be joined: where it begins with a mark, xterm.js gives each further mark a cell as well. A mark that is newer than the tables
 * of a terminal (Unicode adds some each year) has a cell there, too.
 */
function spill(text: string): number {
  let cells = 0;
  const least = text.length <= 2 ? 2 : JOINS_BACK.test(text) ? 1 : 0;
  for (const character of text) cells += Math.max(clusterWidth(character), LONG_KNOWN.test(character) ? least : Math.max(least, 1));
  return Math.max(2, cells);
}

function isBlank(grid: Grid, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (grid.glyphs[at] !== BLANK || grid.styles[at] !== PLAIN) return false;
  return true;
}

function moveTo(pen: Pen, x: number, y: number): string {
  const gap = x - pen.x;
  const sameLine = pen.y === y && pen.x >= 0;
  pen.x = x;
  pen.y = y;
  if (sameLine && gap === 0) return '';
  if (sameLine && gap > 0) return gap === 1 ? '\x1b[C' : `\x1b[${gap}C`;
  return x === 0 ? `\x1b[${y + 1}H` : `\x1b[${y + 1};${x + 1}H`;
}

function setStyle(pen: Pen, style: number): string {
  if (pen.style === style) return '';
  pen.style = style;
  return pen.palette.styles.sequence(style);
}

/** Bytes for the `lines` that may have changed; `old` is then what the terminal shows. The terminal's style is plain before and after. */
export function encodeLines(old: Grid, next: Grid, lines: Iterable<number>, palette: Palette): string {
  const { hasGround } = palette.styles;
  const pen: Pen = { x: -1, y: -1, style: hasGround ? UNKNOWN_STYLE : PLAIN, palette };
  let out = '';
  for (const y of lines) out += encodeLine(old, next, y, pen);
  if (out === '') return '';
  return hasGround ? `${out}\x1b[m` : out + setStyle(pen, PLAIN);
}
