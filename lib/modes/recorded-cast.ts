/** The moments of a recorded run as pictures for a file: as many as an eye can tell apart. Pure. */

import type { CastMoment } from '../tui/asciicast.js';
import { createComposer } from '../view/compose.js';
import type { State } from '../view/state.js';
import type { Size } from '../view/widget.js';

/** Pictures that follow each other faster are one: the last of them (milliseconds). */
const FRAME_MS = 33;

/** What is drawn: states by their moments. */
export interface DrawnRun {
  readonly times: readonly number[];
  readonly prompts: readonly { readonly moment: number; readonly text: string }[];
  stateAt(moment: number): State;
}

/** Its pictures at that size, whatever size it was recorded at. One that cannot be drawn is left out. */
export function* castMoments(run: DrawnRun, size: Size): Generator<CastMoment> {
  const compose = createComposer();
  const marks = new Map(run.prompts.map(({ moment, text }) => [moment, text.split('\n')[0] ?? '']));
  let drawn: State | null = null;
  let mark: string | null = null;
  for (const [moment, atMs] of run.times.entries()) {
    const state = run.stateAt(moment);
    mark = marks.get(moment) ?? mark;
    const next = run.times[moment + 1];
    const isPassing = next !== undefined && Math.floor(next / FRAME_MS) === Math.floor(atMs / FRAME_MS);
    if (isPassing || (state === drawn && mark === null)) continue;
    drawn = state;
    try {
      yield { atMs, frame: compose({ ...state, size }), mark };
    } catch {
      continue;
    }
    mark = null;
  }
}
