/** Whole control sequences from a terminal: which key, mouse movement, focus change or reply each one is. */

import type { InputEvent, KeyName } from '../protocol/input.js';
import { chord, type KeyCodes, letterKeys, modifierBits, rxvtArrows, tildeKeys } from './keys.js';

/** A control sequence in its parts (ECMA-48 5.4): `CSI parameters intermediates final`. */
export interface ControlSequence {
  readonly parameters: string;
  readonly intermediates: string;
  readonly final: string;
  /** All of it, byte for byte. */
  readonly bytes: string;
}

/** Looks up a key that was sent as its code point. */
type CodePointKey = (codes: KeyCodes, modifiers: number) => { readonly key: KeyName; readonly text: string } | null;

/** The end mark of a paste that is not under way (it timed out, or never began): nothing. */
const STRAY_PASTE_END = 201;
/** `CSI 27 ; modifiers ; code ~`: xterm's modifyOtherKeys. */
const MODIFY_OTHER_KEYS = 27;
/** Kitty's event type for a key going up. */
const KEY_RELEASE = 3;
/** F3 with modifiers looks like a cursor report in row 1; modifiers end at 16. */
const MODIFIERS_LAST = 16;
const REPLY_FINALS = /^[Rcntyx]$/;

/** What `sequence` says, or null when it says nothing that we take. */
export function csiEvent(sequence: ControlSequence, codePointKey: CodePointKey): InputEvent | null {
  const { parameters, intermediates, final, bytes } = sequence;
  const reply: InputEvent = { type: 'reply', bytes };
  if (parameters.startsWith('<') && (final === 'M' || final === 'm')) return sgrMouseEvent(parameters.slice(1), final === 'M');
  if (intermediates !== '' || /^[<=>?]/.test(parameters)) return reply;
  const fields = parameters.split(';').map((field) => field.split(':').map((part) => (part === '' ? undefined : Number(part))));
  const number = (index: number, absent: number) => fields[index]?.[0] ?? absent;
  const modifiers = Math.max(0, number(1, 1) - 1);
  if (final === '~') return tildeEvent(number, modifiers, codePointKey);
  if (final === 'u') {
    if (fields[1]?.[1] === KEY_RELEASE) return null;
    const key = codePointKey({ code: number(0, 0), shifted: fields[0]?.[1], base: fields[0]?.[2] }, modifiers);
    return key === null ? null : { type: 'key', ...key };
  }
  if (final === 'Z') return keyEvent(chord('tab', modifiers | modifierBits.shift));
  if (parameters === '' && (final === 'I' || final === 'O')) return { type: 'focus', gained: final === 'I' };
  const functionKey = final !== 'R' || parameters === '' || (number(0, 0) === 1 && number(1, 0) >= 1 && number(1, 0) <= MODIFIERS_LAST);
  const letter = letterKeys[final];
  if (letter !== undefined && functionKey) return fields[1]?.[1] === KEY_RELEASE ? null : keyEvent(chord(letter, modifiers));
  if (final === '^' || final === '@') {
    const rxvt = tildeKeys[number(0, 0)];
    const held = final === '^' ? modifierBits.ctrl : modifierBits.ctrl | modifierBits.shift;
    return rxvt === undefined ? null : keyEvent(chord(rxvt, held));
  }
  const arrow = rxvtArrows[final];
  if (arrow !== undefined && parameters === '') return keyEvent(chord(arrow, modifierBits.shift));
  return REPLY_FINALS.test(final) ? reply : null;
}

function tildeEvent(number: (index: number, absent: number) => number, modifiers: number, codePointKey: CodePointKey): InputEvent | null {
  const code = number(0, 0);
  if (code === STRAY_PASTE_END) return null;
  if (code === MODIFY_OTHER_KEYS) {
    const key = codePointKey({ code: number(2, 0) }, modifiers);
    return key === null ? null : { type: 'key', ...key };
  }
  const name = tildeKeys[code];
  return name === undefined ? null : keyEvent(chord(name, modifiers));
}

function keyEvent(key: KeyName | null): InputEvent | null {
  return key === null ? null : { type: 'key', key, text: '' };
}

/** SGR 1006: `CSI < button ; x ; y M` (down) or `m` (up), cells from 1. */
function sgrMouseEvent(parameters: string, down: boolean): InputEvent | null {
  const [button, x, y] = parameters.split(';').map(Number);
  if (button === undefined || x === undefined || y === undefined || !(x >= 1 && y >= 1)) return null;
  return mouseEvent(button, x - 1, y - 1, down);
}

/** The first form, `CSI M` and three bytes with 32 added; button 3 is "released". */
export function x10MouseEvent(button: number, x: number, y: number): InputEvent | null {
  if (x < 33 || y < 33) return null;
  const code = button - 32;
  return mouseEvent(code, x - 33, y - 33, (code & 3) !== 3 || (code & 64) !== 0);
}

const buttons = ['left', 'middle', 'right', 'none'] as const;

/** Bits of the button code: 0–1 the button, 2–4 modifiers, 32 moving, 64 the wheel, 128 further buttons. */
function mouseEvent(code: number, x: number, y: number, down: boolean): InputEvent | null {
  const button = buttons[code & 3] ?? 'none';
  if ((code & 128) !== 0) return null;
  if ((code & 64) !== 0) {
    if (!down || (code & 2) !== 0) return null;
    return { type: 'mouse', action: (code & 1) === 0 ? 'wheel-up' : 'wheel-down', button: 'none', x, y };
  }
  if ((code & 32) !== 0) return button === 'none' ? null : { type: 'mouse', action: 'drag', button, x, y };
  return { type: 'mouse', action: down ? 'press' : 'release', button, x, y };
}
