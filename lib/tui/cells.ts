/** A screen as two arrays of numbers, and rows of styled text painted into it by grapheme cluster. */

import type { Row } from '../base/style.js';
import { clusterWidth, graphemes } from '../base/width.js';
import { type GlyphSet, standIn } from './glyphs.js';
import type { StyleTable } from './sgr.js';

/** The second cell of a cluster that is two cells wide. */
export const CONTINUATION = 0;
/** A cell of which it is not known what the terminal shows. */
export const UNKNOWN = -0x40000000;
export const BLANK = 0x20;
const LAST_ASCII = 0x7e;

/** Numbers clusters of more than one code point: they are negative, a single code point stands for itself. */
export class ClusterTable {
  readonly #numbers = new Map<string, number>();
  readonly #clusters: string[] = [];

  get size(): number {
    return this.#clusters.length;
  }

  number(cluster: string): number {
    const code = cluster.codePointAt(0) ?? BLANK;
    if (cluster.length === (code > 0xffff ? 2 : 1)) return code;
    let number = this.#numbers.get(cluster);
    if (number === undefined) {
      this.#clusters.push(cluster);
      number = -this.#clusters.length;
      this.#numbers.set(cluster, number);
    }
    return number;
  }

  text(number: number): string {
    return number >= 0 ? String.fromCodePoint(number) : (this.#clusters[-number - 1] ?? ' ');
  }

  clear(): void {
    this.#numbers.clear();
    this.#clusters.length = 0;
  }
}

/** Cells in rows from the top left. `glyphs` holds cluster numbers, `styles` style numbers. */
export interface Grid {
  readonly cols: number;
  readonly rows: number;
  readonly glyphs: Int32Array;
  readonly styles: Int32Array;
}

/** A grid of blank cells in the terminal's own look, or of unknown ones. */
export function createGrid(cols: number, rows: number, glyph: number = BLANK): Grid {
  const grid = { cols, rows, glyphs: new Int32Array(cols * rows), styles: new Int32Array(cols * rows) };
  grid.glyphs.fill(glyph);
  return grid;
}

/**
 * Cells of a character that never joins its neighbours and whose width no terminal doubts; 0 for all others. ASCII, Latin-1 to IPA
 * (without the soft hyphen, © and ®), general punctuation without the invisible ones, box drawing and blocks; kana, CJK, Hangul: 2.
 */
export function certainWidth(code: number): 0 | 1 | 2 {
  if (code < 0x7f) return code >= 0x20 ? 1 : 0;
  if (code < 0x300) return code >= 0xa1 && code !== 0xad && code !== 0xa9 && code !== 0xae ? 1 : 0;
  if (code < 0x2500) return code >= 0x2010 && code <= 0x2027 ? 1 : 0;
  if (code <= 0x25af) return code !== 0x25aa && code !== 0x25ab ? 1 : 0;
  if (code >= 0x4e00 && code <= 0x9fff) return 2;
  if (code >= 0xac00 && code <= 0xd7a3) return 2;
  return code >= 0x3041 && code <= 0x30fe && !(code >= 0x3097 && code <= 0x309c) ? 2 : 0;
}

/** What painting needs besides the grid. */
export interface Palette {
  readonly styles: StyleTable;
  readonly clusters: ClusterTable;
  /** What the terminal can show; the rest is painted by its stand-ins. */
  readonly glyphSet: GlyphSet;
}

/** Where a row goes: cells `x` to `x + cols` of line `y`; what does not fit is cut, what is left over is filled. */
export interface Span {
  readonly x: number;
  readonly y: number;
  readonly cols: number;
}

/** Paints one row; null paints blanks. A wide cluster cut by an edge leaves a blank, also one of a row painted before. */
export function paintRow(grid: Grid, span: Span, line: Row | null, palette: Palette): void {
  const left = Math.max(0, span.x);
  const right = Math.min(grid.cols, span.x + span.cols);
  if (right <= left || span.y < 0 || span.y >= grid.rows) return;
  const start = span.y * grid.cols;
  if (left > 0 && grid.glyphs[start + left] === CONTINUATION) grid.glyphs[start + left - 1] = BLANK;
  if (right < grid.cols && grid.glyphs[start + right] === CONTINUATION) grid.glyphs[start + right] = BLANK;
  const brush: Brush = { grid, start, left, right, x: span.x, palette };
  if (line !== null) {
    for (const segment of line.segments) {
      if (brush.x >= right) break;
      paintText(brush, segment.text, palette.styles.number(segment.style));
    }
  }
  const from = start + Math.max(left, Math.min(brush.x, right));
  grid.glyphs.fill(BLANK, from, start + right);
  grid.styles.fill(line?.fill === undefined ? 0 : palette.styles.number(line.fill), from, start + right);
}

/** Where painting is in a line; `x` may be left of what is seen. */
interface Brush {
  readonly grid: Grid;
  readonly start: number;
  readonly left: number;
  readonly right: number;
  readonly palette: Palette;
  x: number;
}

function paintText(brush: Brush, text: string, style: number): void {
  const length = text.length;
  let at = 0;
  while (at < length && brush.x < brush.right) {
    const width = certainAt(text, at, length);
    if (width !== 0) {
      put(brush, text.charCodeAt(at), width, style);
      at += 1;
      continue;
    }
    let end = at + 1;
    while (end < length && certainAt(text, end, length) === 0) end += 1;
    for (const cluster of graphemes(text.slice(at, end))) paintCluster(brush, cluster, style);
    at = end;
  }
}

/** `certainWidth` of the character at `at`, 0 when what follows might join it. */
function certainAt(text: string, at: number, length: number): 0 | 1 | 2 {
  const width = certainWidth(text.charCodeAt(at));
  return width === 0 || at + 1 === length || certainWidth(text.charCodeAt(at + 1)) !== 0 ? width : 0;
}

function paintCluster(brush: Brush, cluster: string, style: number): void {
  const code = cluster.codePointAt(0) ?? BLANK;
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) {
    put(brush, BLANK, 1, style);
    return;
  }
  const whole = cluster.isWellFormed() ? cluster : '\ufffd';
  const width = clusterWidth(whole);
  if (width === 0) joinToLast(brush, whole);
  else put(brush, brush.palette.clusters.number(whole), width, style);
}

/** A mark without a base of its own goes onto the cell before it, as a terminal would have it; other zero-width text is not sent. */
function joinToLast(brush: Brush, mark: string): void {
  if (brush.palette.glyphSet === 'ascii' || !/^\p{M}+$/u.test(mark)) return;
  const { glyphs } = brush.grid;
  let at = brush.start + brush.x - 1;
  if (brush.x <= brush.left || brush.x > brush.right) return;
  if (glyphs[at] === CONTINUATION) at -= 1;
  const joined = brush.palette.clusters.text(glyphs[at] ?? BLANK) + mark;
  if (graphemes(joined).length === 1) glyphs[at] = brush.palette.clusters.number(joined);
}

function put(brush: Brush, glyph: number, width: number, style: number): void {
  const { glyphSet, clusters } = brush.palette;
  const shown = glyphSet === 'unicode' || (glyph >= BLANK && glyph <= LAST_ASCII) ? null : standIn(clusters.text(glyph), glyphSet);
  // As wide as what it stands for: nothing beside it moves.
  putCells(brush, shown?.charCodeAt(0) ?? glyph, shown === null ? width : 1, style);
  if (shown !== null && width === 2) putCells(brush, BLANK, 1, style);
}

function putCells(brush: Brush, glyph: number, width: number, style: number): void {
  const { grid, left, right } = brush;
  const x = brush.x;
  brush.x = x + width;
  const at = brush.start + x;
  if (x >= left && x + width <= right) {
    grid.glyphs[at] = glyph;
    grid.styles[at] = style;
    if (width === 2) {
      grid.glyphs[at + 1] = CONTINUATION;
      grid.styles[at + 1] = style;
    }
    return;
  }
  const seen = x >= left ? x : x + 1;
  if (seen < left || seen >= right || seen >= x + width) return;
  grid.glyphs[brush.start + seen] = BLANK;
  grid.styles[brush.start + seen] = style;
}
