import { Emitter } from '../../lib/base/emitter.js';
import { createFrames, FRAME_INTERVAL_MS } from '../../lib/tui/frames.js';
import { FakeClock, settle } from '../support/fake-clock.js';

function bench() {
  const clock = new FakeClock();
  const drained = new Emitter<void>();
  const sink = { busy: false, onDrain: drained.event };
  const drawnAtMs: number[] = [];
  const startMs = clock.monotonic();
  const frames = createFrames({ clock, sink, draw: () => drawnAtMs.push(clock.monotonic() - startMs) });
  return { clock, sink, drained, drawnAtMs, frames };
}

describe('frames', () => {
  test('the first is drawn at once, all requests of one turn are one frame', async () => {
    const { frames, drawnAtMs } = bench();
    frames.request();
    frames.request();
    await settle();
    expect(drawnAtMs).toEqual([0]);
  });

  test('further ones keep their distance, and the last change is always drawn', async () => {
    const { frames, drawnAtMs, clock } = bench();
    for (let ms = 0; ms < 40; ms += 1) {
      frames.request();
      await clock.advance(1);
    }
    await clock.advance(100);
    expect(drawnAtMs).toEqual([0, FRAME_INTERVAL_MS, 2 * FRAME_INTERVAL_MS, 3 * FRAME_INTERVAL_MS]);
    expect(clock.pending).toBe(0);
  });

  test('what a person did does not wait', async () => {
    const { frames, drawnAtMs, clock } = bench();
    frames.request();
    await clock.advance(3);
    frames.request();
    await clock.advance(1);
    frames.requestNow();
    await settle();
    expect(drawnAtMs).toEqual([0, 4]);
    await clock.advance(100);
    expect(drawnAtMs).toEqual([0, 4]);
  });

  test('none is drawn while the terminal takes the last one, one when it has', async () => {
    const { frames, drawnAtMs, clock, sink, drained } = bench();
    sink.busy = true;
    frames.request();
    frames.requestNow();
    await clock.advance(100);
    expect(drawnAtMs).toEqual([]);
    sink.busy = false;
    drained.fire();
    expect(drawnAtMs).toEqual([100]);
  });

  test('none after the end', async () => {
    const { frames, drawnAtMs, clock } = bench();
    frames.request();
    frames.dispose();
    await clock.advance(100);
    expect(drawnAtMs).toEqual([]);
  });
});
