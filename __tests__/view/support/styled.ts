/** Pictures with their looks, as small as they can be written: a line of text, and under it a letter for each look. */

import { plain, type Row, rgbOf, type Style } from '../../../lib/base/style.js';
import { clusterWidth, graphemes } from '../../../lib/base/width.js';
import type { Frame, Rect } from '../../../lib/view/widget.js';

type Parts = Frame['parts'];

interface Cell {
  readonly text: string;
  readonly style: Style;
}

const flags = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strike'] as const;
const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$%&*+=?!'];

function colorName(color: number): string {
  const bytes = rgbOf(color);
  return bytes === null ? String(color) : `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** `bold 3 on #202020`; `-` for the terminal's own look. */
function lookName(style: Style): string {
  const words = [
    ...flags.filter((flag) => style[flag] === true),
    ...(style.fg === undefined ? [] : [colorName(style.fg)]),
    ...(style.bg === undefined ? [] : ['on', colorName(style.bg)]),
  ];
  return words.length === 0 ? '-' : words.join(' ');
}

/** The least rectangle around all parts. */
function around(parts: Parts): Rect {
  const x = Math.min(...parts.map(({ rect }) => rect.x));
  const y = Math.min(...parts.map(({ rect }) => rect.y));
  const right = Math.max(...parts.map(({ rect }) => rect.x + rect.cols));
  const bottom = Math.max(...parts.map(({ rect }) => rect.y + rect.rows));
  return { x, y, cols: right - x, rows: bottom - y };
}

function cellsOf(parts: Parts): readonly (readonly Cell[])[] {
  const whole = around(parts);
  const blank: Cell = { text: ' ', style: plain };
  const screen = Array.from({ length: whole.rows }, () => Array<Cell>(whole.cols).fill(blank));
  for (const { rect, rows } of parts) {
    for (let y = 0; y < rect.rows; y++) {
      const line = screen[rect.y - whole.y + y];
      if (line !== undefined) paint(line, rows[y] ?? { segments: [] }, rect.x - whole.x, rect.cols);
    }
  }
  return screen;
}

function paint(line: Cell[], row: Row, from: number, cols: number): void {
  let x = from;
  for (const { text, style } of row.segments) {
    for (const cluster of graphemes(text)) {
      const width = clusterWidth(cluster);
      if (width === 0) continue;
      if (x + width > from + cols) throw new Error(`a row is wider than its ${cols} cells`);
      line[x] = { text: cluster, style };
      if (width === 2) line[x + 1] = { text: '', style };
      x += width;
    }
  }
  while (x < from + cols) line[x++] = { text: ' ', style: row.fill ?? plain };
}

/** Pictures that differ in nothing but their looks become one: a look is a letter, and the letters are explained at the end. */
export class StyledBook {
  readonly #themes: readonly string[];
  readonly #looks = new Map<string, string>();
  #pages = '';

  constructor(themes: readonly string[]) {
    this.#themes = themes;
  }

  /** Adds the same picture in each theme. Throws when a theme changes a letter of it. */
  add(title: string, inThemes: readonly Parts[]): void {
    const pictures = inThemes.map(cellsOf);
    const [first = []] = pictures;
    const lines = first.flatMap((cells, y) => {
      const text = cells.map((cell) => cell.text).join('');
      for (const picture of pictures)
        if (picture[y]?.map((cell) => cell.text).join('') !== text)
          throw new Error(`${title}: a theme changes the text of row ${y}: ${text}`);
      const marks = cells.map((_, x) => this.#letter(pictures.map((picture) => lookName(picture[y]?.[x]?.style ?? plain)))).join('');
      return [`│${text}│`, ...(marks.trim() === '' ? [] : [` ${marks.trimEnd()}`])];
    });
    this.#pages += `== ${title}\n${lines.join('\n')}\n`;
  }

  #letter(looks: readonly string[]): string {
    if (looks.every((look) => look === '-')) return ' ';
    const key = looks.join(' | ');
    const known = this.#looks.get(key);
    if (known !== undefined) return known;
    const letter = letters[this.#looks.size];
    if (letter === undefined) throw new Error('more looks than letters');
    this.#looks.set(key, letter);
    return letter;
  }

  toString(): string {
    const legend = [...this.#looks].map(([key, letter]) => `${letter}  ${key}`);
    return `${this.#pages}== ${this.#themes.join(' | ')}\n${legend.join('\n')}\n`;
  }
}
