/** Frames as bytes for a terminal that is not ours: each one is the difference to the one before, as the printer would send it. */

import { plain, type Style } from '../base/style.js';
import type { Frame } from '../view/widget.js';
import { ClusterTable, createGrid, type Grid, paintRow, UNKNOWN } from './cells.js';
import type { ColorDepth } from './color-depth.js';
import { encodeLines } from './encoder.js';
import type { GlyphSet } from './glyphs.js';
import { StyleTable } from './sgr.js';

/** What the terminal can show. */
export interface EncoderOptions {
  readonly colorDepth: ColorDepth;
  readonly glyphSet: GlyphSet;
}

/** A function from a frame to what brings a terminal of its size from the frame before to it; '' when nothing changed. The first clears it. */
export function createFrameEncoder({ colorDepth, glyphSet }: EncoderOptions): (frame: Frame) => string {
  const palette = { styles: new StyleTable(colorDepth), clusters: new ClusterTable(), glyphSet };
  let shown: Grid | null = null;
  let ground: Style | undefined;
  let cursorBytes = '';
  return (frame) => {
    const { cols, rows } = frame.size;
    let bytes = '';
    if (frame.ground !== ground) {
      ground = frame.ground;
      palette.styles.setGround(ground ?? plain);
      shown = null;
    }
    if (shown === null || shown.cols !== cols || shown.rows !== rows) {
      shown = createGrid(cols, rows, palette.styles.hasGround ? UNKNOWN : undefined);
      cursorBytes = '';
      bytes = '\x1b[m\x1b[2J';
    }
    const next = createGrid(cols, rows);
    for (let y = 0; y < rows; y++) paintRow(next, { x: 0, y, cols }, null, palette);
    for (const { rect, rows: lines } of frame.parts) {
      for (let y = 0; y < rect.rows; y++) paintRow(next, { x: rect.x, y: rect.y + y, cols: rect.cols }, lines[y] ?? null, palette);
    }
    const cells = encodeLines(
      shown,
      next,
      Array.from({ length: rows }, (_, y) => y),
      palette,
    );
    const { cursor } = frame;
    const isSeen = cursor?.shown === true && cursor.x >= 0 && cursor.y >= 0 && cursor.x < cols && cursor.y < rows;
    const wanted = isSeen ? `\x1b[${cursor.y + 1};${cursor.x + 1}H\x1b[?25h` : '\x1b[?25l';
    if (bytes === '' && cells === '' && wanted === cursorBytes) return '';
    cursorBytes = wanted;
    return `${bytes}${cells}${wanted}`;
  };
}
