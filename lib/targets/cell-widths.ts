/** How many cells a character takes in tmux, for the emulator: tmux asks its C library (wcwidth) and joins what a ZWJ joins. */

import type { IUnicodeVersionProvider } from '@xterm/headless';
import { eastAsianWidth } from 'get-east-asian-width';

type Width = 0 | 1 | 2;

const ZWJ = 0x200d;
/** Up to here nothing is wide and nothing is a mark. */
const SIMPLE = 0x300;
/** Behind the emoji: ideographs, and few others. */
const REMEMBERED = 0x20000;
/** Marks, and signs without a picture. */
const EMPTY = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]$/u;
/** Signs that stand before digits and enclose them have a picture (Unicode 15, 9.2 "Prepended_Concatenation_Mark"). */
const PREPENDED = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u;
/** Wide in the C library of GNU: numbers in squares and circles, hexagrams. */
const WIDE = /^[\u3248-\u324f\u4dc0-\u4dff]$/;

/** Makes xterm.js measure text as tmux does. */
export class CellWidths implements IUnicodeVersionProvider {
  readonly version = 'tmux';
  /** One more than the width; 0: not asked for yet. */
  readonly #known = new Uint8Array(REMEMBERED);

  wcwidth(code: number): Width {
    if (code < SIMPLE) return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 1;
    if (code >= REMEMBERED) return measured(code);
    const known = this.#known[code] ?? 0;
    if (known > 0) return (known - 1) as Width;
    const width = measured(code);
    this.#known[code] = width + 1;
    return width;
  }

  /** A word of xterm.js for `code` after the character with the word `preceding`: bit 0 joined to it, bits 1 and 2 the width, 3 a ZWJ. */
  charProperties(code: number, preceding: number): number {
    if (code < 0x7f && code >= 0x20) return 1 << 1;
    const width = this.wcwidth(code);
    const before = (preceding >> 1) & 3;
    const joins = before > 0 && (width === 0 || ((preceding & 8) !== 0 && code >= 0x80));
    return (code === ZWJ ? 8 : 0) | ((joins ? before : width) << 1) | (joins ? 1 : 0);
  }
}

function measured(code: number): Width {
  const character = String.fromCodePoint(code);
  if (EMPTY.test(character)) return PREPENDED.test(character) ? 1 : 0;
  return eastAsianWidth(code) === 2 || WIDE.test(character) ? 2 : 1;
}
