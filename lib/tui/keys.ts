/**
 * The key tables of the terminals: bytes after `ESC [` or `ESC O` and their canonical names.
 * Sources: xterm "ctlseqs" (PC-style function keys, modifyOtherKeys), the Kitty keyboard protocol, rxvt, the Linux console.
 */

import type { KeyName } from '../protocol/input.js';

/** Modifier bits as xterm and Kitty send them, after the 1 they add is taken off. */
export const modifierBits = { shift: 1, alt: 2, ctrl: 4 } as const;

/** Super, Hyper and Meta belong to the window system: such a key is not for us. Bits 64 and 128 are the locks. */
const FOREIGN_MODIFIERS = 8 | 16 | 32;

/** `CSI 1 ; mod X` and `SS3 X`. */
export const letterKeys: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** rxvt: `CSI a` is shift+up, `SS3 a` is ctrl+up. */
export const rxvtArrows: Readonly<Record<string, KeyName>> = { a: 'up', b: 'down', c: 'right', d: 'left' };

/** `SS3 X` from a keypad in application mode: what the key would type. */
export const keypadText: Readonly<Record<string, string>> = {
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  p: '0',
  q: '1',
  r: '2',
  s: '3',
  t: '4',
  u: '5',
  v: '6',
  w: '7',
  x: '8',
  y: '9',
  X: '=',
};

/** `CSI n ~`, `CSI n ; mod ~`. */
export const tildeKeys: Readonly<Record<number, KeyName>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};

/** Code points of `CSI code ; mod u` and `CSI 27 ; mod ; code ~` that are keys with names (57399 up: Kitty's keypad). */
export const codeKeys: Readonly<Record<number, KeyName>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  32: 'space',
  127: 'backspace',
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageup',
  57422: 'pagedown',
  57423: 'home',
  57424: 'end',
  57425: 'insert',
  57426: 'delete',
};

/** Kitty's keypad keys that type something: 57399 is KP_0. */
const KEYPAD_FIRST = 57_399;
const KEYPAD_TYPES = '0123456789./*-+\u0000=,';
/** Kitty's functional keys live in this block of the Private Use Area. */
const FUNCTIONAL_FIRST = 57_344;
const FUNCTIONAL_LAST = 63_743;

/** C0 controls below ESC that are keys of their own; the rest are Ctrl with a letter. BS is what old terminals send for Backspace. */
const controlKeys: Readonly<Record<number, KeyName>> = {
  0: 'C-space',
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  28: 'C-\\',
  29: 'C-]',
  30: 'C-^',
  31: 'C-_',
  127: 'backspace',
};

/** The name of a key that arrived as one control byte, with Alt when ESC came before it. */
export function controlKey(byte: number, alt: boolean): KeyName {
  const name = controlKeys[byte] ?? `C-${String.fromCharCode(byte + 96)}`;
  if (!alt) return name;
  return name.startsWith('C-') ? `C-M-${name.slice(2)}` : `M-${name}`;
}

/** `key` with its modifiers in canonical order, or null when it is not for us. Shift is written only for keys with names. */
export function chord(key: string, modifiers: number): KeyName | null {
  if ((modifiers & FOREIGN_MODIFIERS) !== 0) return null;
  const named = key.length > 1 && /^[a-z0-9]+$/.test(key);
  const shift = (modifiers & modifierBits.shift) !== 0;
  const upper = shift && !named ? key.toUpperCase() : key;
  const shows = shift && (named || upper === upper.toLowerCase());
  const ctrl = (modifiers & modifierBits.ctrl) !== 0 ? 'C-' : '';
  const alt = (modifiers & modifierBits.alt) !== 0 ? 'M-' : '';
  return `${ctrl}${alt}${shows ? 'S-' : ''}${upper}`;
}

/** The codes of a key in `CSI code : shifted : base u`: on this keyboard, with Shift, and of the same key on a US keyboard. */
export interface KeyCodes {
  readonly code: number;
  readonly shifted?: number | undefined;
  readonly base?: number | undefined;
}

/** A key that was sent as its code point: its name and what it types, or null when it is not for us. */
export function codePointKey(codes: KeyCodes, modifiers: number): { readonly key: KeyName; readonly text: string } | null {
  const { code, shifted: shiftedCode } = onOwnKeyboard(codes, modifiers);
  const name = codeKeys[code];
  const typing = (modifiers & ~modifierBits.shift & 63) === 0;
  if (name !== undefined) {
    const key = chord(name, modifiers);
    return key === null ? null : { key, text: name === 'space' && typing ? ' ' : '' };
  }
  const keypad = KEYPAD_TYPES[code - KEYPAD_FIRST];
  const character = keypad ?? (isCharacter(code) ? String.fromCodePoint(code) : null);
  if (character === null || character === '\u0000') return null;
  const shift = (modifiers & modifierBits.shift) !== 0;
  if (shift && shiftedCode !== undefined && isCharacter(shiftedCode)) {
    const shifted = String.fromCodePoint(shiftedCode);
    const key = chord(shifted, modifiers & ~modifierBits.shift);
    return key === null ? null : { key, text: typing ? shifted : '' };
  }
  // xterm sends Shift together with the character that Shift made (`!`): only letters and digits still have a shifted form.
  const made = shift && !/[\p{L}\p{N}]/u.test(character);
  const key = chord(character, made ? modifiers & ~modifierBits.shift : modifiers);
  if (key === null) return null;
  const typed = shift ? character.toUpperCase() : character;
  return { key, text: typing && !key.startsWith('S-') ? typed : '' };
}

/** Where letters are not Latin, Ctrl and Alt go with the letter that stands on the same key of a US keyboard. */
function onOwnKeyboard(codes: KeyCodes, modifiers: number): KeyCodes {
  const { code, base } = codes;
  const isForeign = code > 0x7f && isCharacter(code) && !/\p{Script=Latin}/u.test(String.fromCodePoint(code));
  const held = (modifiers & (modifierBits.ctrl | modifierBits.alt)) !== 0;
  return held && isForeign && base !== undefined && base > 0x20 && base < 0x7f ? { code: base } : codes;
}

function isCharacter(code: number): boolean {
  if (!Number.isInteger(code) || code < 0x20 || code > 0x10ffff) return false;
  if ((code >= 0x7f && code <= 0x9f) || (code >= 0xd800 && code <= 0xdfff)) return false;
  return code < FUNCTIONAL_FIRST || code > FUNCTIONAL_LAST;
}
