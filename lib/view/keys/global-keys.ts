/** Keys that work everywhere: stop, leave, move between panes, help. */

import { isHidden, unhidden } from '../arranging.js';
import { clear } from '../editor/editor.js';
import { isEmpty } from '../editor/model.js';
import { type Step, send, step } from '../effects.js';
import type { ActionId } from '../keymap.js';

import { leave } from '../leaving.js';
import { cyclePolicy } from '../policy.js';
import { type FocusId, type PaneName, runningCommand, runningTurn, type State } from '../state.js';

import { withToast } from '../toasts.js';
import { type Handler, withEditor } from './editor-keys.js';

/** A second Ctrl+C within this time quits. */
const QUIT_WITHIN_MS = 2000;

function interruptPrompt(state: State): Step | null {
  // What the person began last is stopped first.
  const own = runningCommand(state);
  const running = own === null || own.cancelling ? runningTurn(state) : own;
  if (running === null || running.cancelling) return null;
  const tasks = state.tasks.map((task) => (task === running ? { ...task, cancelling: true } : task));
  return step({ ...state, tasks }, send({ type: 'task.cancel', task: running.id }));
}

function cancel(state: State, nowMs: number): Step {
  const interrupted = interruptPrompt(state);
  if (interrupted !== null) return interrupted;
  if (!isEmpty(state.editor))
    return step(withToast(withEditor(state, clear(state.editor)), 'Draft cleared; Ctrl+_ brings it back.', 'info', nowMs));
  if (nowMs < state.quitUntilMs) return leave(state);
  return step({ ...withToast(state, 'Ctrl+C again to quit.', 'info', nowMs), quitUntilMs: nowMs + QUIT_WITHIN_MS });
}

function interrupt(state: State): Step {
  return interruptPrompt(state) ?? step({ ...state, focus: 'editor' });
}

const order: readonly FocusId[] = ['editor', 'conversation', 'mirror', 'tasks'];

/** The keyboard given to a pane; one that has no room, or was put away, comes into sight. */
export function focusOn(state: State, focus: FocusId): State {
  if (focus === 'editor') return { ...state, focus };
  const shownPane: PaneName = focus;
  return { ...unhidden(state, focus), focus, shownPane };
}

function cycle(by: 1 | -1): Handler {
  return (state) => {
    const seen = order.filter((pane) => pane === 'editor' || pane === state.focus || !isHidden(state, pane));
    const next = seen[(seen.indexOf(state.focus) + by + seen.length) % seen.length];
    return step(focusOn(state, next ?? 'editor'));
  };
}

function scrollHelp(by: number): Handler {
  return (state) => step({ ...state, help: Math.max(0, (state.help ?? 0) + by) });
}

/** The ids this file answers for. */
export type GlobalAction = Extract<
  ActionId,
  `help.${string}` | `focus.${string}` | 'policy.cycle' | 'quit' | 'cancel' | 'interrupt' | 'zoom' | 'repaint' | 'suspend'
>;

/** What each of them does. */
export const globalHandlers: Readonly<Record<GlobalAction, Handler>> = {
  cancel,
  interrupt,
  quit: leave,
  'policy.cycle': cyclePolicy,
  suspend: (state) => step(state, { type: 'suspend' }),
  repaint: (state) => step(state, { type: 'repaint' }),
  zoom: (state) => step({ ...state, zoomed: !state.zoomed }),
  'focus.next': cycle(1),
  'focus.previous': cycle(-1),
  'focus.editor': (state) => step(focusOn(state, 'editor')),
  'help.open': (state) => step({ ...state, help: 0 }),
  'help.close': (state) => step({ ...state, help: null }),
  'help.up': scrollHelp(-1),
  'help.down': scrollHelp(1),
  'help.pageUp': scrollHelp(-10),
  'help.pageDown': scrollHelp(10),
};
