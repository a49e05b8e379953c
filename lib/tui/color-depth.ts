/** How many colours the terminal is sent, and what a colour becomes when it has fewer. */

import { type Color, rgbOf } from '../base/style.js';

/** 24 bit, xterm's 256, the 16 of the palette, or attributes only. */
export type ColorDepth = 'truecolor' | '256' | '16' | 'mono';

/** Terminals that do 24 bit and do not always say so in COLORTERM. */
const TRUECOLOR_TERMS = /^(xterm-kitty|xterm-ghostty|alacritty|foot|wezterm|contour|rio|iterm2|.*-direct)/;
const TRUECOLOR_PROGRAMS = /^(iTerm\.app|WezTerm|ghostty|vscode|rio)$/;
const SIXTEEN_TERMS = /^(linux|xterm|vt\d+|ansi|cygwin|rxvt|screen|tmux)$/;

/** Decides from the environment: NO_COLOR (no-color.org) first, then COLORTERM, then TERM. */
export function colorDepthOf(env: Readonly<Record<string, string | undefined>>): ColorDepth {
  const set = (name: string) => env[name] ?? '';
  if (set('NO_COLOR') !== '') return 'mono';
  const term = set('TERM').toLowerCase();
  if (/^(vt|dumb)/.test(term)) return 'mono';
  if (/^(truecolor|24bit)$/i.test(set('COLORTERM'))) return 'truecolor';
  if (TRUECOLOR_TERMS.test(term)) return 'truecolor';
  // Inside tmux and screen TERM_PROGRAM names them or an outer terminal that they stand in front of.
  if (!/^(tmux|screen)/.test(term) && TRUECOLOR_PROGRAMS.test(set('TERM_PROGRAM'))) return 'truecolor';
  if (SIXTEEN_TERMS.test(term)) return '16';
  return '256';
}

/** Levels of the 6×6×6 cube of xterm's 256 colours (16–231); 232–255 is a grey ramp of 8, 18, … 238. */
const cube = [0, 95, 135, 175, 215, 255] as const;

/** xterm's default palette, the nearest there is to what a terminal's 16 colours are. */
const basic: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
];

type Bytes = readonly [number, number, number];

function distance(a: Bytes, b: Bytes): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

/** The bytes of one of the 256 colours. */
function paletteBytes(index: number): Bytes {
  const known = basic[index];
  if (known !== undefined) return known;
  if (index >= 232) {
    const grey = 8 + 10 * (index - 232);
    return [grey, grey, grey];
  }
  const level = (n: number) => cube[n % 6] ?? 0;
  return [level(Math.floor((index - 16) / 36)), level(Math.floor((index - 16) / 6)), level(index - 16)];
}

/** The nearest of the 256 colours (never one of the first 16: users change those). */
function to256(bytes: Bytes): number {
  const step = (value: number) => (value < 48 ? 0 : value < 115 ? 1 : Math.floor((value - 35) / 40));
  const inCube = 16 + 36 * step(bytes[0]) + 6 * step(bytes[1]) + step(bytes[2]);
  const mean = (bytes[0] + bytes[1] + bytes[2]) / 3;
  const inRamp = 232 + Math.min(23, Math.max(0, Math.round((mean - 8) / 10)));
  return distance(paletteBytes(inRamp), bytes) < distance(paletteBytes(inCube), bytes) ? inRamp : inCube;
}

function to16(bytes: Bytes): number {
  let best = 0;
  for (const [index, candidate] of basic.entries()) {
    if (distance(candidate, bytes) < distance(basic[best] ?? candidate, bytes)) best = index;
  }
  return best;
}

/** `color` as a terminal of `depth` can show it; null: not at all. */
export function reduceColor(color: Color, depth: ColorDepth): Color | null {
  if (depth === 'mono') return null;
  if (depth === 'truecolor') return color;
  const bytes = rgbOf(color);
  if (depth === '256') return bytes === null ? color : to256(bytes);
  if (bytes === null && color < 16) return color;
  return to16(bytes ?? paletteBytes(color));
}
