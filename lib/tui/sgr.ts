/** Styles as small numbers, and each one's SGR sequence (ECMA-48 8.3.117; 38;2 and 38;5 as in xterm "ctlseqs"). */

import { type Color, plain, rgbOf, type Style } from '../base/style.js';
import { type ColorDepth, reduceColor } from './color-depth.js';

/** The number of the terminal's own look. */
export const PLAIN = 0;

/** Numbers styles: equal looks get equal numbers, so that cells can be compared. */
export class StyleTable {
  readonly #depth: ColorDepth;
  readonly #byLook = new Map<string, number>();
  #byIdentity = new WeakMap<Style, number>();
  readonly #sequences: string[] = [];
  #ground: Style = plain;

  constructor(depth: ColorDepth) {
    this.#depth = depth;
    this.clear();
  }

  /** Colours of cells that have none of their own. Forgets every style. */
  setGround(ground: Style): void {
    this.#ground = ground;
    this.clear();
  }

  /** Cells without a colour of their own have one all the same: erasing would not give it to them. */
  get hasGround(): boolean {
    return this.#ground !== plain;
  }

  get size(): number {
    return this.#sequences.length;
  }

  /** The number of `style` until the next `clear()`. */
  number(style: Style): number {
    const known = this.#byIdentity.get(style);
    if (known !== undefined) return known;
    const sequence = sgr(this.#ground === plain ? style : { ...this.#ground, ...style }, this.#depth);
    let number = this.#byLook.get(sequence);
    if (number === undefined) {
      number = this.#sequences.length;
      this.#sequences.push(sequence);
      this.#byLook.set(sequence, number);
    }
    this.#byIdentity.set(style, number);
    return number;
  }

  /** What to send so that the next cells look like that, whatever came before. */
  sequence(number: number): string {
    return this.#sequences[number] ?? '\x1b[m';
  }

  /** Forgets every style; numbers given out before mean nothing afterwards. */
  clear(): void {
    this.#byLook.clear();
    this.#byIdentity = new WeakMap();
    this.#sequences.length = 0;
    this.number(plain);
  }
}

/** The sequence that makes the terminal look like `style` and nothing else. */
export function sgr(style: Style, depth: ColorDepth): string {
  let codes = '';
  if (style.bold === true) codes += ';1';
  if (style.dim === true) codes += ';2';
  if (style.italic === true) codes += ';3';
  if (style.underline === true) codes += ';4';
  if (style.inverse === true) codes += ';7';
  if (style.strike === true) codes += ';9';
  codes += colorCodes(style.fg, 30, depth) + colorCodes(style.bg, 40, depth);
  return codes === '' ? '\x1b[m' : `\x1b[0${codes}m`;
}

/** `base` is 30 for the foreground, 40 for the background; the bright eight are 60 above. */
function colorCodes(color: Color | undefined, base: number, depth: ColorDepth): string {
  if (color === undefined || !(color >= 0)) return '';
  const reduced = reduceColor(color, depth);
  if (reduced === null) return '';
  const bytes = rgbOf(reduced);
  if (bytes !== null) return `;${base + 8};2;${bytes[0]};${bytes[1]};${bytes[2]}`;
  if (reduced < 8) return `;${base + reduced}`;
  return reduced < 16 ? `;${base + 60 + reduced - 8}` : `;${base + 8};5;${reduced}`;
}
