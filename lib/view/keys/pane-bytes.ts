/**
 * Input events as the bytes that the terminal of a pane sends for them, for one that was taken over. Pure tables.
 * Sources: xterm "ctlseqs" (PC-style function keys, mouse tracking); terminfo "screen-256color", which is what programs
 * in a pane believe in (Home and End); control characters as ECMA-48 and the VT220 have them.
 */

import type { InputEvent, KeyName } from '../../protocol/input.js';
import type { PaneModes } from '../../protocol/panes.js';

type MouseEvent = Extract<InputEvent, { type: 'mouse' }>;

/** `CSI X`, `SS3 X` with application cursor keys, `CSI 1 ; mod X` with modifiers. */
const cursorKeys: Readonly<Record<string, string>> = { up: 'A', down: 'B', right: 'C', left: 'D' };
/** `CSI n ~`, `CSI 1 ; mod X` with modifiers. */
const edgeKeys: Readonly<Record<string, { readonly number: number; readonly letter: string }>> = {
  home: { number: 1, letter: 'H' },
  end: { number: 4, letter: 'F' },
};
/** `SS3 X`, `CSI 1 ; mod X` with modifiers. */
const functionKeys: Readonly<Record<string, string>> = { f1: 'P', f2: 'Q', f3: 'R', f4: 'S' };
/** `CSI n ~`, `CSI n ; mod ~` with modifiers. */
const tildeKeys: Readonly<Record<string, number>> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};
/** Keys that are one byte whatever is held besides Alt; `control` with Ctrl where that is another one. */
const byteKeys: Readonly<Record<string, { readonly plain: string; readonly control?: string }>> = {
  enter: { plain: '\r' },
  tab: { plain: '\t' },
  escape: { plain: '\x1b' },
  backspace: { plain: '\x7f', control: '\b' },
  space: { plain: ' ', control: '\0' },
};
/** Ctrl with a character outside of `@` … `_` (VT220, table 3-5); others come as they are. */
const controlCharacters: Readonly<Record<string, string>> = {
  '2': '\0',
  '3': '\x1b',
  '4': '\x1c',
  '5': '\x1d',
  '6': '\x1e',
  '7': '\x1f',
  '8': '\x7f',
  '/': '\x1f',
  '?': '\x7f',
};

const ESC = '\x1b';
const modifierCodes = { shift: 1, alt: 2, ctrl: 4 } as const;

/** The bytes of a key; `text` is what it types. */
export function keyBytes(key: KeyName, text: string, modes: PaneModes): string {
  if (text !== '') return text;
  const parts = /^((?:[CMS]-)*)(.+)$/s.exec(key);
  const held = parts?.[1] ?? '';
  const name = parts?.[2] ?? key;
  const ctrl = held.includes('C-');
  const alt = held.includes('M-');
  const shift = held.includes('S-');
  const modifiers = (ctrl ? modifierCodes.ctrl : 0) + (alt ? modifierCodes.alt : 0) + (shift ? modifierCodes.shift : 0);
  const letter = cursorKeys[name] ?? functionKeys[name];
  if (letter !== undefined) {
    if (modifiers > 0) return `${ESC}[1;${modifiers + 1}${letter}`;
    return name in functionKeys || modes.applicationCursor ? `${ESC}O${letter}` : `${ESC}[${letter}`;
  }
  const edge = edgeKeys[name];
  if (edge !== undefined) return modifiers > 0 ? `${ESC}[1;${modifiers + 1}${edge.letter}` : `${ESC}[${edge.number}~`;
  const number = tildeKeys[name];
  if (number !== undefined) return modifiers > 0 ? `${ESC}[${number};${modifiers + 1}~` : `${ESC}[${number}~`;
  if (name === 'tab' && shift) return `${ESC}[Z`;
  const byte = byteKeys[name];
  const meta = alt ? ESC : '';
  if (byte !== undefined) return meta + (ctrl ? (byte.control ?? byte.plain) : byte.plain);
  return meta + (ctrl ? controlByte(name) : name);
}

/** `@` … `_` and the letters lose all but their low five bits. */
function controlByte(character: string): string {
  const upper = character.toUpperCase();
  if (/^[@-_]$/.test(upper)) return String.fromCharCode(upper.charCodeAt(0) & 0x1f);
  return controlCharacters[character] ?? character;
}

const buttonCodes = { left: 0, middle: 1, right: 2, none: 3 } as const;
const MOVING = 32;
const WHEEL = 64;
/** The first form knows cells up to 223; beyond 95 its bytes would be no UTF-8 characters of one byte. */
const X10_CELLS = 94;

/** The bytes of a mouse event at a cell of the pane, counted from 0; '' when its program did not ask for such. */
export function mouseBytes(event: MouseEvent, at: { readonly x: number; readonly y: number }, modes: PaneModes): string {
  const code = mouseCode(event, modes.mouse);
  if (code === null) return '';
  if (modes.mouseSgr) return `${ESC}[<${code};${at.x + 1};${at.y + 1}${event.action === 'release' ? 'm' : 'M'}`;
  if (at.x > X10_CELLS || at.y > X10_CELLS) return '';
  const button = event.action === 'release' ? buttonCodes.none : code;
  return `${ESC}[M${String.fromCharCode(32 + button, 33 + at.x, 33 + at.y)}`;
}

function mouseCode({ action, button }: MouseEvent, wanted: PaneModes['mouse']): number | null {
  if (wanted === 'none') return null;
  switch (action) {
    case 'press':
      return buttonCodes[button];
    case 'release':
      return wanted === 'x10' ? null : buttonCodes[button];
    case 'drag':
      return wanted === 'drag' || wanted === 'any' ? buttonCodes[button] + MOVING : null;
    case 'wheel-up':
      return wanted === 'x10' ? null : WHEEL;
    case 'wheel-down':
      return wanted === 'x10' ? null : WHEEL + 1;
  }
}
