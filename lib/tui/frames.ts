/** When to draw: the first request at once, further ones at most every 16 ms, none while the terminal still takes the last frame. */

import type { Clock } from '../base/clock.js';
import { type Disposable, disposable } from '../base/disposable.js';
import type { Event } from '../base/emitter.js';

/** 60 frames a second. */
export const FRAME_INTERVAL_MS = 16;

export interface FramesOptions {
  readonly clock: Clock;
  /** Draws the state as it is now. */
  draw(): void;
  /** What the frames go to. */
  readonly sink: { readonly busy: boolean; readonly onDrain: Event<void> };
}

export interface Frames extends Disposable {
  /** Something changed. All requests of one turn of the event loop are one frame, drawn after the code that runs now. */
  request(): void;
  /** The same for what a person just did: it is shown without waiting for the next frame's time. */
  requestNow(): void;
}

export function createFrames({ clock, draw, sink }: FramesOptions): Frames {
  let wanted = false;
  let urgent = false;
  let queued = false;
  let ended = false;
  let timer: Disposable | null = null;
  let lastMs = Number.NEGATIVE_INFINITY;

  function consider(): void {
    queued = false;
    if (!wanted || ended || sink.busy || (timer !== null && !urgent)) return;
    const waitMs = urgent ? 0 : lastMs + FRAME_INTERVAL_MS - clock.monotonic();
    if (waitMs > 0) {
      timer = clock.after(waitMs, () => {
        timer = null;
        consider();
      });
      return;
    }
    timer?.dispose();
    timer = null;
    wanted = false;
    urgent = false;
    lastMs = clock.monotonic();
    draw();
  }

  const drain = sink.onDrain(consider);
  const end = disposable(() => {
    ended = true;
    drain.dispose();
    timer?.dispose();
  });
  function request(): void {
    wanted = true;
    if (queued) return;
    queued = true;
    queueMicrotask(consider);
  }

  return {
    request,
    requestNow() {
      urgent = true;
      request();
    },
    dispose: () => end.dispose(),
  };
}
