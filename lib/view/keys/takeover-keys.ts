/** The keyboard of the mirrored pane: taking it over, typing with it, handing it back. */

import type { RuntimeCommand } from '../../protocol/commands.js';
import type { InputEvent } from '../../protocol/input.js';
import { freshModes, type PaneId, type PaneModes } from '../../protocol/panes.js';
import { type Step, send, step } from '../effects.js';
import { type ActionId, rowFor } from '../keymap.js';
import { contains, inside } from '../layout.js';
import { backToLive, isBack, pageOf, scrollPane, shownPart } from '../pane-view.js';
import { screenLayout } from '../screen.js';
import type { State } from '../state.js';
import { noTakeoverReason } from '../takeover.js';
import { withToast } from '../toasts.js';
import type { Handler } from './editor-keys.js';
import { focusOn } from './global-keys.js';
import { keyBytes, mouseBytes } from './pane-bytes.js';

type MouseEvent = Extract<InputEvent, { type: 'mouse' }>;

/** The pane under the keyboard, or a toast that says why not. */
export function takeOver(state: State, nowMs: number): Step {
  const reason = noTakeoverReason(state);
  if (reason !== null || state.pane === null) return step(withToast(state, `Not now: ${reason}.`, 'warning', nowMs));
  const pane = state.pane.id;
  // What is typed is looked at where it appears.
  return step({ ...focusOn(backToLive(state), 'mirror'), takeover: { pane, lost: false } }, send({ type: 'pane.takeover', pane }));
}

/** The draft has the keyboard again. What was typed until now answers no question. */
export function handBack(state: State, nowMs: number): Step {
  const { takeover } = state;
  if (takeover === null) return step(state);
  const approval = state.approval === null ? null : { ...state.approval, quietSinceMs: nowMs };
  const next: State = { ...focusOn(state, 'editor'), takeover: null, approval };
  return takeover.lost ? step(next) : step(next, send({ type: 'pane.handback', pane: takeover.pane }));
}

/** The pane is out of sight: the agent has its keyboard again, and the person's keys go nowhere until they say so. */
export function loseSight(state: State): Step {
  const { takeover } = state;
  if (takeover === null) return step(state);
  return step({ ...state, takeover: { ...takeover, lost: true } }, send({ type: 'pane.handback', pane: takeover.pane }));
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
    case 'key': {
      const action = rowFor(state, input.key)?.id;
      if (action === 'mirror.pageUp' || action === 'mirror.pageDown')
        return scrollPane(state, action === 'mirror.pageUp' ? -pageOf(state) : pageOf(state));
      return action === undefined ? typed(state, keyBytes(input.key, input.text, modes), nowMs) : handBack(state, nowMs);
    }
    case 'paste':
      return sent(state, input.text, (pane) => ({ type: 'pane.paste', pane, text: input.text }), nowMs);
    case 'mouse':
      return mouse(state, input, nowMs, elsewhere);
    case 'focus':
    case 'reply':
      return step(state);
  }
}

function typed(state: State, bytes: string, nowMs: number): Step {
  return sent(state, bytes, (pane) => ({ type: 'pane.input', pane, bytes }), nowMs);
}

function sent(state: State, text: string, command: (pane: PaneId) => RuntimeCommand, nowMs: number): Step {
  if (text === '' || state.takeover === null) return step(state);
  if (state.takeover.lost)
    return step(withToast(state, 'The pane is gone: nothing was typed. F6 goes back to the draft.', 'warning', nowMs));
  return step(backToLive(state), send(command(state.takeover.pane)));
}

/** As in tmux, the wheel presses cursor keys in a full-screen program that knows no mouse. */
function wheelKeys(state: State, { action }: MouseEvent, modes: PaneModes): string {
  if (modes.mouse !== 'none' || state.pane?.state.kind !== 'fullscreen') return '';
  const key = action === 'wheel-up' ? 'up' : action === 'wheel-down' ? 'down' : null;
  return key === null ? '' : keyBytes(key, '', modes).repeat(state.pointer.settings.wheelRows);
}

function mouse(state: State, event: MouseEvent, nowMs: number, elsewhere: (state: State) => Step): Step {
  const outer = screenLayout(state).panes.mirror;
  const screen = state.pane?.screen ?? null;
  // What was begun with a button is ended with it, wherever that is.
  if (state.pointer.held !== null && (event.action === 'drag' || event.action === 'release')) return elsewhere(state);
  if (contains(outer, event.x, event.y)) {
    const rect = inside(outer);
    // What is seen while one is scrolled back is not what the pane shows now: nothing there is for its program.
    if (screen === null || !contains(rect, event.x, event.y) || isBack(state)) return elsewhere(state);
    const offset = (state.pane === null ? null : shownPart(state.pane, rect)) ?? { x: 0, y: 0 };
    const at = { x: event.x - rect.x + offset.x, y: event.y - rect.y + offset.y };
    const bytes = mouseBytes(event, at, screen.modes) || wheelKeys(state, event, screen.modes);
    // A program that knows no mouse leaves it to whoever selects text.
    return bytes === '' ? elsewhere(state) : typed(state, bytes, nowMs);
  }
  if (event.action === 'wheel-up' || event.action === 'wheel-down') return elsewhere(state);
  if (event.action !== 'press' || event.button !== 'left') return step(state);
  const back = handBack(state, nowMs);
  const next = elsewhere(back.state);
  return step(next.state, ...back.effects, ...next.effects);
}
