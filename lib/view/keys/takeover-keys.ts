/** The keyboard of the mirrored pane: taking it over, typing with it, handing it back. */

import type { InputEvent } from '../../protocol/input.js';
import { freshModes } from '../../protocol/panes.js';
import { type Step, send, step } from '../effects.js';
import { type ActionId, rowFor } from '../keymap.js';
import { contains, inside } from '../layout.js';
import { screenLayout } from '../screen.js';
import type { State } from '../state.js';
import { noTakeoverReason } from '../takeover.js';
import { withToast } from '../toasts.js';
import { mirrorOffset } from '../widgets/mirror.js';
import type { Handler } from './editor-keys.js';
import { focusOn } from './global-keys.js';
import { keyBytes, mouseBytes, pasteBytes } from './pane-bytes.js';

/** The pane under the keyboard, or a toast that says why not. */
export function takeOver(state: State, nowMs: number): Step {
  const reason = noTakeoverReason(state);
  if (reason !== null || state.pane === null) return step(withToast(state, `Not now: ${reason}.`, 'warning', nowMs));
  const pane = state.pane.id;
  return step({ ...focusOn(state, 'mirror'), takeover: pane }, send({ type: 'pane.takeover', pane }));
}

/** The draft has the keyboard again. What was typed until now answers no question. */
export function handBack(state: State, nowMs: number): Step {
  if (state.takeover === null) return step(state);
  const approval = state.approval === null ? null : { ...state.approval, quietSinceMs: nowMs };
  return step({ ...focusOn(state, 'editor'), takeover: null, approval }, send({ type: 'pane.handback', pane: state.takeover }));
}

/** The ids this file answers for. */
export type TakeoverAction = Extract<ActionId, `takeover.${string}`>;

/** What each of them does. */
export const takeoverHandlers: Readonly<Record<TakeoverAction, Handler>> = {
  'takeover.begin': takeOver,
  'takeover.end': handBack,
};

/** Input while the pane is taken over: bytes for it, and nothing else, but for the key that hands back and a click elsewhere. */
export function takenInput(state: State, input: InputEvent, nowMs: number, elsewhere: (state: State) => Step): Step {
  const modes = state.pane?.screen?.modes ?? freshModes;
  switch (input.type) {
    case 'key':
      return rowFor(state, input.key) === null ? typed(state, keyBytes(input.key, input.text, modes)) : handBack(state, nowMs);
    case 'paste':
      return typed(state, pasteBytes(input.text, modes));
    case 'mouse':
      return mouse(state, input, nowMs, elsewhere);
    case 'focus':
    case 'reply':
      return step(state);
  }
}

function typed(state: State, bytes: string): Step {
  if (bytes === '' || state.takeover === null) return step(state);
  return step(state, send({ type: 'pane.input', pane: state.takeover, bytes }));
}

function mouse(state: State, event: Extract<InputEvent, { type: 'mouse' }>, nowMs: number, elsewhere: (state: State) => Step): Step {
  const outer = screenLayout(state).panes.mirror;
  const screen = state.pane?.screen ?? null;
  if (contains(outer, event.x, event.y)) {
    const rect = inside(outer);
    if (screen === null || !contains(rect, event.x, event.y)) return step(state);
    const offset = mirrorOffset(screen, rect);
    return typed(state, mouseBytes(event, { x: event.x - rect.x + offset.x, y: event.y - rect.y + offset.y }, screen.modes));
  }
  if (event.action === 'wheel-up' || event.action === 'wheel-down') return elsewhere(state);
  if (event.action !== 'press' || event.button !== 'left') return step(state);
  const back = handBack(state, nowMs);
  const next = elsewhere(back.state);
  return step(next.state, ...back.effects, ...next.effects);
}
