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
}

export function createFrames({ clock, draw, sink }: FramesOptions): Frames {
  let wanted = false;
  let queued = false;
  let ended = false;
  let timer: Disposable | null = null;
  let lastMs = Number.NEGATIVE_INFINITY;

  function consider(): void {
    queued = false;
    if (!wanted || ended || timer !== null || sink.busy) return;
    const waitMs = lastMs + FRAME_INTERVAL_MS - clock.monotonic();
    if (waitMs > 0) {
      timer = clock.after(waitMs, () => {
        timer = null;
        consider();
      });
      return;
    }
    wanted = false;
    lastMs = clock.monotonic();
    draw();
  }

  const drain = sink.onDrain(consider);
  const end = disposable(() => {
    ended = true;
    drain.dispose();
    timer?.dispose();
  });
  return {
    request() {
      wanted = true;
      if (queued) return;
      queued = true;
      queueMicrotask(consider);
    },
    dispose: () => end.dispose(),
  };
}
