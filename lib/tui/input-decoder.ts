/**
 * Bytes of a terminal's keyboard side become InputEvents. `decode` and `expire` are pure; `createInputDecoder` gives them a clock.
 * Sources: ECMA-48 (control functions), xterm "ctlseqs" (SGR mouse 1006, focus 1004, bracketed paste 2004, modifyOtherKeys), Kitty.
 */

import { Buffer } from 'node:buffer';
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';
import { graphemes } from '../base/width.js';
import type { InputEvent } from '../protocol/input.js';
import { csiEvent, x10MouseEvent } from './input-sequences.js';
import { chord, codePointKey, controlKey, keypadText, letterKeys, modifierBits, rxvtArrows } from './keys.js';
import { appendPaste, finishPaste, lostPasteGoesOn, noPaste, type Paste } from './paste.js';

/** How long a lone ESC may still become a sequence. tmux and ssh pass sequences on whole; people are slower. */
export const ESCAPE_TIMEOUT_MS = 40;
/** How long the rest of something that no key sends (`ESC [ 1 ;`, a reply) is waited for. */
export const SEQUENCE_TIMEOUT_MS = 500;
/** Silence in a paste after which its end mark is taken as lost. */
export const PASTE_TIMEOUT_MS = 2000;
/** A timer that comes so much later found the process busy (milliseconds). */
const LATE_MS = 20;
/** An unfinished reply longer than this is given up. */
const SEQUENCE_LIMIT_BYTES = 65_536;

/** What of the bytes so far is not decided yet. */
export interface DecoderState {
  readonly pending: Buffer;
  /** The paste under way, or null. */
  readonly paste: Paste | null;
  /** True after a paste timed out: what still comes of it must not become keys. */
  readonly pasteLost: boolean;
}

/** A decoder that has seen nothing. */
export const freshDecoder: DecoderState = Object.freeze({ pending: Buffer.alloc(0), paste: null, pasteLost: false });

/** What came of some bytes. */
export interface Decoded {
  readonly state: DecoderState;
  readonly events: readonly InputEvent[];
}

/** What a state waits for: decides how long. */
export type Waiting = 'nothing' | 'escape' | 'sequence' | 'paste';

const ESC = 0x1b;
const DEL = 0x7f;

/** Takes in `bytes`. However a stream is cut into pieces, it gives the same events (typed text: the same text). */
export function decode(state: DecoderState, bytes: Uint8Array): Decoded {
  const events: InputEvent[] = [];
  const arrived = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let input = state.pending.length === 0 ? arrived : Buffer.concat([state.pending, arrived]);
  let paste = state.paste;
  if (state.pasteLost && paste === null && lostPasteGoesOn(input)) paste = noPaste;
  let at = 0;
  while (at < input.length || paste !== null) {
    if (paste !== null) {
      const taken = appendPaste(paste, input.subarray(at));
      if (!taken.ended) return { state: { pending: own(taken.rest), paste: taken.paste, pasteLost: false }, events };
      events.push(finishPaste(taken.paste, true));
      paste = null;
      input = taken.rest;
      at = 0;
      continue;
    }
    const length = step(input, at, false, events);
    if (length === 0) break;
    if (length === PASTE_BEGINS) {
      paste = noPaste;
      at += PASTE_START_BYTES;
    } else at += length;
  }
  return { state: { pending: own(input.subarray(at)), paste, pasteLost: false }, events };
}

/** What `state` waits for. */
export function waiting(state: DecoderState): Waiting {
  if (state.paste !== null) return 'paste';
  const { pending } = state;
  if (pending.length === 0 || pending[0] !== ESC) return 'nothing';
  return pending.length <= 2 ? 'escape' : 'sequence';
}

const timeoutsMs = { escape: ESCAPE_TIMEOUT_MS, sequence: SEQUENCE_TIMEOUT_MS, paste: PASTE_TIMEOUT_MS };

/** How long that is waited for (milliseconds); null: `state` waits for nothing. */
export function waitingMs(state: DecoderState): number | null {
  const kind = waiting(state);
  return kind === 'nothing' ? null : timeoutsMs[kind];
}

/** The time for what was waited for is over: decides with what there is. */
export function expire(state: DecoderState): Decoded {
  if (state.paste !== null) {
    const whole = appendPaste(state.paste, Buffer.alloc(0));
    const paste = { ...whole.paste, last: { bytes: state.pending, before: whole.paste.last } };
    return { state: { pending: freshDecoder.pending, paste: null, pasteLost: true }, events: [finishPaste(paste, false)] };
  }
  const events: InputEvent[] = [];
  let at = 0;
  while (at < state.pending.length) at += Math.max(1, step(state.pending, at, true, events));
  return { state: freshDecoder, events };
}

/** `step` answers this when a bracketed paste begins. */
const PASTE_BEGINS = -1;
const PASTE_START_BYTES = '\x1b[200~'.length;

/** A copy that does not hold on to a big read buffer. */
function own(bytes: Buffer): Buffer {
  return bytes.length === 0 ? freshDecoder.pending : Buffer.from(bytes);
}

/** Decodes what begins at `at`; answers how many bytes that was, 0 when more are needed (never when `final`). */
function step(input: Buffer, at: number, final: boolean, events: InputEvent[]): number {
  const first = input[at] ?? 0;
  if (first === ESC) return escapeSequence(input, at, final, events);
  if (first < 0x20 || first === DEL) {
    events.push({ type: 'key', key: controlKey(first, false), text: '' });
    return 1;
  }
  return text(input, at, final, events);
}

function text(input: Buffer, at: number, final: boolean, events: InputEvent[]): number {
  let end = at;
  while (end < input.length && !isControl(input[end] ?? 0)) end += 1;
  if (!final && end === input.length) end -= unfinishedUtf8(input, at, end);
  if (end === at) return 0;
  for (const cluster of graphemes(input.toString('utf8', at, end))) {
    const code = cluster.charCodeAt(0);
    if (code >= 0x80 && code <= 0x9f) continue;
    events.push({ type: 'key', key: cluster === ' ' ? 'space' : cluster, text: cluster });
  }
  return end - at;
}

function isControl(byte: number): boolean {
  return byte < 0x20 || byte === DEL;
}

/** How many bytes at the end of a run are the beginning of a character whose rest has not come. */
function unfinishedUtf8(input: Buffer, start: number, end: number): number {
  for (let back = 1; back <= 3 && end - back >= start; back += 1) {
    const byte = input[end - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < utf8Length(byte) ? back : 0;
  }
  return 0;
}

function utf8Length(lead: number): number {
  if (lead >= 0xf0) return lead >= 0xf8 ? 1 : 4;
  return lead >= 0xe0 ? 3 : 2;
}

function escapeSequence(input: Buffer, at: number, final: boolean, events: InputEvent[]): number {
  const second = input[at + 1];
  if (second === undefined) {
    if (final) events.push({ type: 'key', key: 'escape', text: '' });
    return final ? 1 : 0;
  }
  switch (String.fromCharCode(second)) {
    case '[':
      return controlSequence(input, at, final, events);
    case 'O':
      return singleShift(input, at, final, events);
    case ']':
    case 'P':
    case '_':
    case '^':
    case 'X':
      return controlString(input, at, final, events);
    case '\x1b':
      return doubleEscape(input, at, final, events);
  }
  if (isControl(second)) {
    events.push({ type: 'key', key: controlKey(second, true), text: '' });
    return 2;
  }
  const length = second < 0x80 ? 1 : utf8Length(second);
  if (!final && at + 1 + length > input.length) return 0;
  const character = [...input.toString('utf8', at + 1, at + 1 + length)][0] ?? '';
  altKey(character, events);
  return 1 + Math.max(1, Math.min(length, input.length - at - 1));
}

function altKey(character: string, events: InputEvent[]): void {
  events.push({ type: 'key', key: `M-${character === ' ' ? 'space' : character}`, text: '' });
}

/** rxvt and some macOS terminals send Alt+Up as `ESC ESC [ A`; otherwise it is Escape, and whatever follows. */
function doubleEscape(input: Buffer, at: number, final: boolean, events: InputEvent[]): number {
  const third = input[at + 2];
  if (third === undefined && !final) return 0;
  if (third === 0x5b || third === 0x4f) {
    const inner: InputEvent[] = [];
    const length = step(input, at + 1, final, inner);
    if (length === 0) return 0;
    const [only] = inner;
    if (length > 0 && inner.length === 1 && only?.type === 'key' && !/^(C-)?M-/.test(only.key)) {
      events.push({ type: 'key', key: only.key.replace(/^(C-)?/, '$1M-'), text: '' });
      return length + 1;
    }
  }
  events.push({ type: 'key', key: 'escape', text: '' });
  return 1;
}

/** SS3: arrows and function keys in application mode, the keypad. */
function singleShift(input: Buffer, at: number, final: boolean, events: InputEvent[]): number {
  let end = at + 2;
  while (end < input.length && isDigit(input[end] ?? 0)) end += 1;
  const letter = input[end];
  if (letter === undefined) {
    if (!final) return 0;
    altKey('O', events);
    return 2;
  }
  const digits = input.toString('latin1', at + 2, end);
  const modifiers = digits === '' ? 0 : Math.max(0, Number(digits) - 1);
  const name = String.fromCharCode(letter);
  const arrow = rxvtArrows[name];
  const typed = keypadText[name];
  if (letterKeys[name] !== undefined) push(chord(letterKeys[name], modifiers), '', events);
  else if (name === 'M') push(chord('enter', modifiers), '', events);
  else if (arrow !== undefined) push(chord(arrow, modifierBits.ctrl), '', events);
  else if (typed !== undefined) events.push({ type: 'key', key: typed, text: typed });
  else {
    altKey('O', events);
    return 2;
  }
  return end + 1 - at;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function push(key: string | null, typed: string, events: InputEvent[]): void {
  if (key !== null) events.push({ type: 'key', key, text: typed });
}

/** OSC, DCS, APC, PM, SOS: a terminal answers in these; up to ST (an OSC also up to BEL). CAN and SUB break one off. */
function controlString(input: Buffer, at: number, final: boolean, events: InputEvent[]): number {
  const osc = input[at + 1] === 0x5d;
  for (let end = at + 2; end < input.length; end += 1) {
    const byte = input[end];
    if (byte === 0x18 || byte === 0x1a) return end + 1 - at;
    const bell = osc && byte === 0x07;
    if (byte === ESC && input[end + 1] === undefined) break;
    if (bell || (byte === ESC && input[end + 1] === 0x5c)) return reply(input, at, end + (bell ? 1 : 2), events);
    if (byte === ESC) return reply(input, at, end, events);
  }
  const length = input.length - at;
  if (length === 2 && final) {
    altKey(String.fromCharCode(input[at + 1] ?? 0), events);
    return 2;
  }
  return final || length > SEQUENCE_LIMIT_BYTES ? reply(input, at, input.length, events) : 0;
}

function reply(input: Buffer, at: number, end: number, events: InputEvent[]): number {
  events.push({ type: 'reply', bytes: input.toString('latin1', at, end) });
  return end - at;
}

/** CSI: keys, mouse, focus, paste marks and replies. A byte that cannot be part of one breaks it off and is decoded by itself. */
function controlSequence(input: Buffer, at: number, final: boolean, events: InputEvent[]): number {
  let end = at + 2;
  while (inRange(input[end], 0x30, 0x3f)) end += 1;
  const parametersEnd = end;
  while (inRange(input[end], 0x20, 0x2f)) end += 1;
  const last = input[end];
  if (last === undefined) {
    if (end - at > SEQUENCE_LIMIT_BYTES) return end - at;
    if (!final) return 0;
    if (end - at === 2) altKey('[', events);
    else reply(input, at, end, events);
    return end - at;
  }
  if (!inRange(last, 0x40, 0x7e)) return end - at;
  const parameters = input.toString('latin1', at + 2, parametersEnd);
  const intermediates = input.toString('latin1', parametersEnd, end);
  const letter = String.fromCharCode(last);
  if (parameters === '' && intermediates === '') {
    if (letter === '[') return linuxFunctionKey(input, at, final, events);
    if (letter === 'M') {
      if (input.length - at < 6) return final ? input.length - at : 0;
      const event = x10MouseEvent(input[at + 3] ?? 0, input[at + 4] ?? 0, input[at + 5] ?? 0);
      if (event !== null) events.push(event);
      return 6;
    }
  }
  if (letter === '~' && parameters === '200' && intermediates === '') return PASTE_BEGINS;
  const event = csiEvent({ parameters, intermediates, final: letter, bytes: input.toString('latin1', at, end + 1) }, codePointKey);
  if (event !== null) events.push(event);
  return end + 1 - at;
}

/** The Linux console sends F1 to F5 as `ESC [ [ A` to `ESC [ [ E`. */
function linuxFunctionKey(input: Buffer, at: number, final: boolean, events: InputEvent[]): number {
  const letter = input[at + 3];
  if (letter === undefined) return final ? 3 : 0;
  if (!inRange(letter, 0x41, 0x45)) return 3;
  events.push({ type: 'key', key: `f${letter - 0x40}`, text: '' });
  return 4;
}

function inRange(byte: number | undefined, from: number, to: number): boolean {
  return byte !== undefined && byte >= from && byte <= to;
}

/** A decoder with a clock: events come out of `listener`, those that need time-outs included. */
export interface InputDecoder extends Disposable {
  feed(bytes: Uint8Array): void;
}

/** Disposing forgets what is undecided. */
export function createInputDecoder(clock: Clock, listener: (event: InputEvent) => void): InputDecoder {
  let state = freshDecoder;
  let timer: Disposable | null = null;

  /** Late, the process was busy: the rest may have come meanwhile, and is read before this ends again. */
  function wait(ms: number): void {
    const dueMs = clock.monotonic() + ms;
    timer = clock.after(ms, () => {
      if (clock.monotonic() - dueMs > LATE_MS) wait(LATE_MS);
      else settle(expire(state));
    });
  }

  function settle(decoded: Decoded): void {
    timer?.dispose();
    timer = null;
    state = decoded.state;
    const ms = waitingMs(state);
    if (ms !== null) wait(ms);
    for (const event of decoded.events) listener(event);
  }

  return {
    feed: (bytes) => settle(decode(state, bytes)),
    dispose() {
      timer?.dispose();
      timer = null;
      state = freshDecoder;
    },
  };
}
