/** The input decoder, telling the bytes of each event too: for a person who wants to know what a key sends. */

import { Buffer } from 'node:buffer';
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';
import type { InputEvent } from '../protocol/input.js';
import { type Decoded, decode, expire, freshDecoder, type InputDecoder, waitingMs } from './input-decoder.js';

/** Some bytes and what they mean: nothing for those that are no key (one that goes up). */
export interface Spelled {
  readonly bytes: Uint8Array;
  readonly events: readonly InputEvent[];
}

/** A longer read with several events is told as one piece: it is no typing. */
const LONGEST_TYPED_BYTES = 512;

/** A decoder that tells `listener` bytes and events together. What one read brought is taken apart byte by byte when it is several events. */
export function createSpellingDecoder(clock: Clock, listener: (spelled: Spelled) => void): InputDecoder {
  let state = freshDecoder;
  let heard: Buffer = Buffer.alloc(0);
  let timer: Disposable | null = null;

  function take(bytes: Uint8Array, decoded: Decoded): void {
    state = decoded.state;
    heard = Buffer.concat([heard, bytes]);
    const open = state.paste === null ? state.pending.length : heard.length;
    if (decoded.events.length === 0 && open > 0) return;
    const told = heard.subarray(0, heard.length - open);
    heard = heard.subarray(told.length);
    listener({ bytes: told, events: decoded.events });
  }

  function wait(): void {
    timer?.dispose();
    const ms = waitingMs(state);
    timer = ms === null ? null : clock.after(ms, () => take(Buffer.alloc(0), expire(state)));
  }

  return {
    feed(bytes) {
      const whole = decode(state, bytes);
      // What is left of a lost paste is known by the whole read.
      const isOne = state.pasteLost || whole.events.length + (whole.state.paste === null ? 0 : 1) < 2;
      if (isOne || bytes.length > LONGEST_TYPED_BYTES) take(bytes, whole);
      else for (let at = 0; at < bytes.length; at += 1) take(bytes.subarray(at, at + 1), decode(state, bytes.subarray(at, at + 1)));
      wait();
    },
    dispose() {
      timer?.dispose();
      timer = null;
      state = freshDecoder;
      heard = Buffer.alloc(0);
    },
  };
}
