/** Keys of an open list: typing searches, arrows choose, Enter does it. */

import { setDraft } from '../editor/editor.js';
import { type Step, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { choicesOf, selectedOf } from '../picker.js';
import { itemsOf } from '../pickers/index.js';
import type { Picker, PickerKind, State } from '../state.js';
import { withToast } from '../toasts.js';
import type { Handler } from './editor-keys.js';

/** The ids this file answers for; `picker.take` is answered where all actions are known. */
export type PickerAction = Exclude<Extract<ActionId, `picker.${string}` | 'palette.open'>, 'picker.take'>;

/** The list open, with nothing typed. */
export function openPicker(state: State, kind: PickerKind): State {
  return { ...state, picker: { kind, query: '', selected: 0 } };
}

/** Rows that a page key moves by. */
const PAGE = 10;

function change(state: State, changed: Partial<Picker>): Step {
  return step(state.picker === null ? state : { ...state, picker: { ...state.picker, ...changed } });
}

function move(by: number): Handler {
  return (state) => {
    if (state.picker === null) return step(state);
    const { length } = choicesOf(state, state.picker, itemsOf(state));
    return change(state, { selected: Math.max(0, Math.min(length - 1, selectedOf(state.picker, length) + by)) });
  };
}

/** What is typed is searched for. */
export function pickerTyped(state: State, text: string): Step {
  return change(state, { query: `${state.picker?.query ?? ''}${text}`, selected: 0 });
}

/** Does what is chosen; `act` does an action of the keymap. */
export function take(state: State, nowMs: number, act: (id: ActionId, state: State, nowMs: number) => Step): Step {
  if (state.picker === null) return step(state);
  const choices = choicesOf(state, state.picker, itemsOf(state));
  const chosen = choices[selectedOf(state.picker, choices.length)]?.entry;
  if (chosen === undefined) return step(state);
  if (chosen.disabled !== null) return step(withToast(state, `Not now: ${chosen.disabled}.`, 'warning', nowMs));
  const closed: State = { ...state, picker: null };
  if (!chosen.id.startsWith('/')) return act(chosen.id as ActionId, closed, nowMs);
  if (!chosen.label.includes(' <')) return step(closed, { type: 'slash', line: chosen.id });
  return step({ ...closed, editor: setDraft(closed.editor, `${chosen.id} `), focus: 'editor' });
}

/** What each of them does. */
export const pickerHandlers: Readonly<Record<PickerAction, Handler>> = {
  'palette.open': (state) => step(openPicker(state, 'palette')),
  'picker.close': (state) => step({ ...state, picker: null }),
  'picker.up': move(-1),
  'picker.down': move(1),
  'picker.pageUp': move(-PAGE),
  'picker.pageDown': move(PAGE),
  'picker.erase': (state) =>
    change(state, {
      query: Array.from(state.picker?.query ?? '')
        .slice(0, -1)
        .join(''),
      selected: 0,
    }),
  'picker.clear': (state) => change(state, { query: '', selected: 0 }),
};
