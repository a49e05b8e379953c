/**
 * Which characters the terminal can show, and what is drawn in the place of the others. Decided here alone: everything else of the program
 * draws as if every terminal had all of Unicode.
 */

import { isWithoutUtf8 } from './simple-terminals.js';

/**
 * `unicode`: everything. `console`: UTF-8 in a font of 256 glyphs (the Linux console): lines, blocks and letters, our other marks by their
 * stand-ins. `ascii`: nothing else than ASCII.
 */
export type GlyphSet = 'unicode' | 'console' | 'ascii';

/** What a person may choose: `auto` is decided from the environment. */
export type Glyphs = 'auto' | 'unicode' | 'ascii';

/**
 * From LC_ALL, LC_CTYPE and LANG (locale(7): the first that is set counts) and TERM. Where no locale is set at all UTF-8 is taken:
 * containers and `sudo -i` leave it out, in terminals that know it.
 */
export function glyphSetOf(env: Readonly<Record<string, string | undefined>>, glyphs: Glyphs = 'auto'): GlyphSet {
  if (glyphs !== 'auto') return glyphs;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '') ?? '';
  const term = env['TERM'] ?? '';
  if (isWithoutUtf8(term) || (locale !== '' && !/utf-?8/i.test(locale))) return 'ascii';
  return term === 'linux' ? 'console' : 'unicode';
}

/** Stand-ins: all characters of a row's first half are drawn as its second. */
const rows = [
  ['─━┄┅┈┉╌╍═−–—―', '-'],
  ['│┃┆┇┊┋╎╏║▏▎▕', '|'],
  ['┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬╭╮╯╰╞╡╪╱╲╳', '+'],
  ['█▇▓▉■◼', '#'],
  ['▆▅▒▊▀▐▋', '='],
  ['▄▃▌', ':'],
  ['▂▁░▍', '.'],
  ['●•∙◉⏺☑', '*'],
  ['·⋅', '.'],
  ['○◯◌∅☐', 'o'],
  ['◆◇', '*'],
  ['▶▸►⟩›»❯→↪↳⇥⇒➜', '>'],
  ['◀◂◄⟨‹«❮←↩⇐', '<'],
  ['▲△↑⇡', '^'],
  ['▼▽▾↓⇣', 'v'],
  ['✓✔', '+'],
  ['✗✘✕×', 'x'],
  ['∴≡', '='],
  ['↻⟳', '@'],
  ['⧗⌛', '%'],
  ['…⋯', '~'],
  ['‘’‚′', "'"],
  ['“”„″', '"'],
  ['⚠', '!'],
  ['°', 'o'],
  ['©', 'c'],
  ['®', 'r'],
  ['€', 'E'],
  ['\u00a0\u2007\u202f', ' '],
] as const;

const standIns: ReadonlyMap<string, string> = new Map(rows.flatMap(([of, as]) => Array.from(of, (one) => [one, as] as const)));

/** What a font of 256 glyphs has of them (IBM's code page 437, which the Linux console starts with), and punctuation of Latin-1. */
const CONSOLE = new Set('─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬█▓▒░▀▄▌▐■·°×«»\u00a0');

/** Stands for a character that has no stand-in. */
const UNKNOWN_GLYPH = '?';

/** What is drawn for a grapheme cluster: ASCII of one cell, or null where the terminal can show it as it is. */
export function standIn(cluster: string, set: GlyphSet): string | null {
  if (set === 'unicode' || (cluster.length === 1 && cluster <= '~')) return null;
  const known = standIns.get(cluster);
  if (set === 'console') return known === undefined || CONSOLE.has(cluster) ? null : known;
  if (known !== undefined) return known;
  const code = cluster.charCodeAt(0);
  if (code >= 0x2801 && code <= 0x28ff) return dots(code - 0x2800);
  // A letter with its accents is the letter.
  const base = cluster.normalize('NFD')[0] ?? UNKNOWN_GLYPH;
  return base > ' ' && base <= '~' ? base : UNKNOWN_GLYPH;
}

/** Braille, of which charts are drawn: how much of the cell is filled. */
function dots(pattern: number): string {
  let filled = 0;
  for (let rest = pattern; rest > 0; rest >>= 1) filled += rest & 1;
  return filled <= 2 ? '.' : ':';
}

/** A text for the terminal beside the screen (a title), as far as it can be shown. */
export function spellOut(text: string, set: GlyphSet): string {
  return Array.from(text, (character) => standIn(character, set) ?? character).join('');
}
