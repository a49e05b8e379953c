/** A bracketed paste while it arrives: any size, in any pieces, one event, and nothing of it ever a key. */

import { Buffer } from 'node:buffer';
import type { InputEvent } from '../protocol/input.js';

/** Pieces, newest first: adding one costs the same however many there are. */
interface Piece {
  readonly bytes: Buffer;
  readonly before: Piece | null;
}

/** What has come of a paste. */
export interface Paste {
  readonly last: Piece | null;
  readonly sizeBytes: number;
  /** True when it was too big and its rest was dropped. */
  readonly cut: boolean;
}

/** A paste that has just begun. */
export const noPaste: Paste = Object.freeze({ last: null, sizeBytes: 0, cut: false });

/** More than this is not kept: no editor should hold it, no model could read it. */
const PASTE_LIMIT_BYTES = 32 * 1024 * 1024;
const END_MARK = Buffer.from('\x1b[201~', 'latin1');
/** After a lost end mark: a piece longer than a key or two is still the paste. */
const TYPED_AT_MOST_BYTES = 64;

/** Adds what belongs to the paste. `rest`: after its end mark, or the bytes that may be the beginning of one. */
export function appendPaste(paste: Paste, input: Buffer): { readonly paste: Paste; readonly ended: boolean; readonly rest: Buffer } {
  const mark = input.indexOf(END_MARK);
  if (mark >= 0) return { paste: add(paste, input.subarray(0, mark)), ended: true, rest: input.subarray(mark + END_MARK.length) };
  const kept = input.length - halfMark(input);
  return { paste: add(paste, input.subarray(0, kept)), ended: false, rest: input.subarray(kept) };
}

function add(paste: Paste, bytes: Buffer): Paste {
  if (bytes.length === 0) return paste;
  const room = PASTE_LIMIT_BYTES - paste.sizeBytes;
  if (room <= 0) return { ...paste, cut: true };
  const kept = Buffer.from(bytes.subarray(0, room));
  return {
    last: { bytes: kept, before: paste.last },
    sizeBytes: paste.sizeBytes + kept.length,
    cut: paste.cut || kept.length < bytes.length,
  };
}

/** How many bytes at the end are the beginning of an end mark. */
function halfMark(input: Buffer): number {
  for (let length = Math.min(END_MARK.length - 1, input.length); length > 0; length -= 1) {
    if (input.subarray(input.length - length).equals(END_MARK.subarray(0, length))) return length;
  }
  return 0;
}

/** The event: UTF-8, every line end a LF. */
export function finishPaste(paste: Paste, ended: boolean): InputEvent {
  const pieces: Buffer[] = [];
  for (let piece = paste.last; piece !== null; piece = piece.before) pieces.push(piece.bytes);
  const text = Buffer.concat(pieces.reverse()).toString('utf8').replace(/\r\n?/g, '\n');
  return { type: 'paste', text, complete: ended && !paste.cut };
}

/** True when `input`, coming after a paste that timed out, is more of it: a stalled line must not turn a paste into keys. */
export function lostPasteGoesOn(input: Buffer): boolean {
  if (input.length > END_MARK.length && input.includes(END_MARK)) return true;
  return input.length > TYPED_AT_MOST_BYTES && input[0] !== END_MARK[0];
}
