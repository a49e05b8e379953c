/** Styled text as data: what widgets give and the printer draws. */

import type { Visible } from './visible.js';

/** A colour: 0–255 is the terminal's palette; `rgb()` values are 24 bit. Undefined is the terminal's default. */
export type Color = number;

const RGB_FLAG = 0x1000000;

/** A 24-bit colour from its three bytes. */
export function rgb(red: number, green: number, blue: number): Color {
  return RGB_FLAG | (red << 16) | (green << 8) | blue;
}

/** The bytes of a 24-bit colour, or null for one of the palette. */
export function rgbOf(color: Color): readonly [number, number, number] | null {
  return color < RGB_FLAG ? null : [(color >> 16) & 0xff, (color >> 8) & 0xff, color & 0xff];
}

/** How text looks. Absent means off, or the terminal's default colour. */
export interface Style {
  readonly fg?: Color;
  readonly bg?: Color;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
  readonly strike?: boolean;
}

/** The look of the terminal itself. One shared value, so that it can be compared by identity. */
export const plain: Style = Object.freeze({});

/** A run of text in one style. */
export interface Segment {
  readonly text: Visible;
  readonly style: Style;
}

/** One line of cells, left to right. It may be shorter than its rectangle; the printer fills with `fill`. */
export interface Row {
  readonly segments: readonly Segment[];
  /** Background of what is left of the line. */
  readonly fill?: Style;
}

/** A row of several styled runs; empty ones are left out. */
export function rowOf(...segments: readonly Segment[]): Row {
  return { segments: segments.filter((segment) => segment.text !== '') };
}

/** The text of a row without its styles. */
export function rowText(line: Row): string {
  return line.segments.map((segment) => segment.text).join('');
}
