/** What the keys of the arrangement do: move borders, put panes away, choose a preset. */

import { type HideablePane, type PresetName, presets } from '../arrangement.js';
import { hidden, unarrangeableReason, unhidden, withPreset } from '../arranging.js';
import { type Direction, edgeMoved } from '../edges.js';
import { type Step, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { screenLayout } from '../screen.js';
import type { State } from '../state.js';
import { withToast } from '../toasts.js';
import type { Handler } from './editor-keys.js';

function notNow(state: State, reason: string, nowMs: number): Step {
  return step(withToast(state, `Not now: ${reason}.`, 'info', nowMs));
}

function move(direction: Direction): Handler {
  return (state, nowMs) => {
    const reason = unarrangeableReason(state);
    if (reason !== null) return notNow(state, reason, nowMs);
    const moved = edgeMoved(state, direction);
    return moved === null ? notNow(state, 'no border can be moved that way', nowMs) : step(moved);
  };
}

/** A pane put away, or brought to where it can be seen. */
function toggle(pane: HideablePane): Handler {
  return (state, nowMs) => {
    const reason = unarrangeableReason(state);
    if (reason !== null) return notNow(state, reason, nowMs);
    return step(screenLayout(state).panes[pane] === null ? { ...unhidden(state, pane), shownPane: pane } : hidden(state, pane));
  };
}

function hideFocused(state: State, nowMs: number): Step {
  const { focus } = state;
  const reason = unarrangeableReason(state);
  if (reason !== null) return notNow(state, reason, nowMs);
  if (focus === 'mirror' || focus === 'tasks') return step(hidden(state, focus));
  return notNow(state, 'the conversation stays; zoom another pane to have it alone', nowMs);
}

function choose(name: PresetName): Handler {
  return (state, nowMs) => {
    const whole: State = { ...state, zoomed: false };
    const reason = unarrangeableReason(whole);
    if (reason !== null) return notNow(state, reason, nowMs);
    return step(withToast(withPreset(whole, name), `Layout ${name}: ${presets[name].says}.`, 'info', nowMs));
  };
}

/** The ids this file answers for. */
export type ArrangementAction = Extract<ActionId, `layout.${string}`>;

/** What each of them does. */
export const arrangementHandlers: Readonly<Record<ArrangementAction, Handler>> = {
  'layout.left': move('left'),
  'layout.right': move('right'),
  'layout.up': move('up'),
  'layout.down': move('down'),
  'layout.hide': hideFocused,
  'layout.mirror': toggle('mirror'),
  'layout.tasks': toggle('tasks'),
  'layout.preset1': choose(1),
  'layout.preset2': choose(2),
  'layout.preset3': choose(3),
  'layout.preset4': choose(4),
};
