/** Keys around the mouse: lend it to the terminal, and copy what was selected with it. */

import { type Step, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { pointed } from '../pointing.js';
import { selectedText } from '../selection/selection.js';
import type { State } from '../state.js';
import { withToast } from '../toasts.js';
import type { Handler } from './editor-keys.js';

/** Copied, unless only blanks are selected. */
export function copySelection(state: State): Step {
  const text = selectedText(state);
  return text.trim() === '' ? step(state) : step(state, { type: 'copy', text });
}

function setReleased(released: boolean, words: string): Handler {
  return (state, nowMs) => {
    const next = pointed(withToast(state, words, 'info', nowMs), { released, held: null, selection: null });
    return step(next, { type: 'mouse', on: !released });
  };
}

/** What is selected is let go of by every key that does not belong to it. */
export function afterKey(state: State, id: ActionId | null): State {
  if (state.pointer.selection === null || id === 'selection.copy') return state;
  return pointed(state, { selection: null });
}

/** The ids this file answers for. */
export type MouseAction = Extract<ActionId, `mouse.${string}` | 'selection.copy'>;

/** What each of them does. */
export const mouseHandlers: Readonly<Record<MouseAction, Handler>> = {
  'mouse.release': setReleased(true, 'The terminal has the mouse: select and copy as it does.'),
  'mouse.take': setReleased(false, 'The mouse works here again.'),
  'selection.copy': copySelection,
};
