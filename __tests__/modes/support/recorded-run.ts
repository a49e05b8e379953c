/** A dashboard of which a trace is written, with everything outside of it left out; and the same screen made again from the lines. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slashStep } from '../../../lib/commands/index.js';
import { blankScreen, type Drawing, type RecordedScreen, screenAfter } from '../../../lib/modes/recorded-screen.js';
import { ScreenRecording } from '../../../lib/modes/screen-recording.js';
import { createRedactor } from '../../../lib/policy/redaction.js';
import type { RuntimeEvent } from '../../../lib/protocol/events.js';
import type { InputEvent } from '../../../lib/protocol/input.js';
import { Trace, traced } from '../../../lib/runtime/trace.js';
import { type ReadLine, readTraceLine } from '../../../lib/runtime/trace-lines.js';
import { handleInput, settle } from '../../../lib/view/app.js';
import type { Step } from '../../../lib/view/effects.js';
import type { Action } from '../../../lib/view/reducer.js';
import type { State } from '../../../lib/view/state.js';
import { FakeClock } from '../../support/fake-clock.js';
import { seen } from '../../view/support/picture.js';

/** A dashboard of which a trace is written, as modes/dashboard does it. */
export function recordedRun(start: State, folder: string, secrets: readonly string[] = []) {
  const clock = new FakeClock();
  const path = join(folder, 'trace.jsonl');
  const trace = new Trace(path, createRedactor(secrets), () => undefined, { clock, program: '9' });
  const screen = new ScreenRecording(trace, clock);
  let state = start;
  let seq = 0;
  let isKeyed = false;
  const pictures: string[] = [];
  const take = (step: Step) => {
    const settled = isKeyed ? settle(step.state) : { state: step.state, effects: [] };
    state = settled.state;
    for (const effect of [...step.effects, ...settled.effects]) if (effect.type === 'slash') take(slashStep(effect.line, state));
  };
  const dispatch = (action: Action) => {
    if (action.type === 'commands.loaded') isKeyed = true;
    take({ state: screen.reduce(state, action), effects: [] });
    pictures.push(seen(state));
  };
  const listeners: ((envelope: { seq: number; tsMs: number; event: RuntimeEvent }) => void)[] = [];
  const port = traced(
    {
      onEvent(listener) {
        listeners.push(listener);
        return { dispose: () => undefined };
      },
      send: () => undefined,
    },
    trace,
    () => clock.now(),
  );
  port.onEvent((envelope) => dispatch({ type: 'runtime', envelope }));
  screen.begin(state, 'unicode');
  return {
    clock,
    trace,
    dispatch,
    pictures,
    state: () => state,
    tell(event: RuntimeEvent) {
      seq += 1;
      for (const listener of listeners) listener({ seq, tsMs: clock.now(), event });
    },
    hear(input: InputEvent) {
      take(screen.heard(input, clock.now(), state, handleInput(state, input, clock.now())));
      pictures.push(seen(state));
    },
    written: () => readFileSync(path, 'utf8'),
    lines(): ReadLine[] {
      return readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((text) => {
          const line = readTraceLine(text);
          if ('problem' in line) throw new Error(`${line.problem}: ${text}`);
          return line;
        });
    },
  };
}

/** The event of a key by its name. */
export const key = (name: string, text = name.length === 1 ? name : ''): InputEvent => ({ type: 'key', key: name, text });

/** The screens that a player makes of such lines: the last one, and the picture after each. */
export function played(
  lines: readonly ReadLine[],
  drawing: Drawing,
): { readonly last: RecordedScreen; readonly pictures: readonly string[] } {
  let at = blankScreen(drawing);
  const pictures: string[] = [];
  for (const line of lines) {
    at = screenAfter(at, line, drawing);
    pictures.push(seen(at.state));
  }
  return { last: at, pictures };
}
