/** Keys of an open list: typing searches, arrows choose, Enter does it. */

import { setDraft } from '../editor/editor.js';
import { type Step, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { lengthened, withCutTold } from '../one-line.js';
import { choicesOf, openPicker, type PickerItem, selectedOf } from '../picker.js';
import { itemsOf, pickers } from '../pickers/index.js';
import type { Picker, State } from '../state.js';
import { withToast } from '../toasts.js';
import type { Handler } from './editor-keys.js';

/** The ids this file answers for; `picker.take` is answered where all actions are known. */
export type PickerAction = Exclude<Extract<ActionId, `picker.${string}` | 'palette.open' | 'history.search' | 'copy.open'>, 'picker.take'>;

/** Rows that a page key moves by. */
const PAGE = 10;

function change(state: State, changed: Partial<Picker>): Step {
  if (state.picker === null) return step(state);
  // What was said of a change is not said of another setting.
  const settings = state.settings.said === null ? state.settings : { ...state.settings, said: null };
  const next: State = { ...state, settings, picker: { ...state.picker, ...changed } };
  const { preview } = pickers[state.picker.kind];
  const item = preview === undefined ? undefined : chosenOf(next);
  return step(next, ...(preview === undefined || item === undefined ? [] : [preview(item)]));
}

/** The entry that is chosen; none when nothing fits. */
export function chosenOf(state: State): PickerItem | undefined {
  if (state.picker === null) return undefined;
  const choices = choicesOf(state, state.picker, itemsOf(state));
  return choices[selectedOf(state.picker, choices.length)]?.entry;
}

function move(by: number): Handler {
  return (state) => {
    if (state.picker === null) return step(state);
    const { length } = choicesOf(state, state.picker, itemsOf(state));
    return change(state, { selected: Math.max(0, Math.min(length - 1, selectedOf(state.picker, length) + by)) });
  };
}

/** What is typed or pasted is searched for, as far as there is room. */
export function pickerTyped(state: State, text: string, nowMs: number): Step {
  const { query, cut } = lengthened(state.picker?.query ?? '', text);
  return change(withCutTold(state, cut, nowMs), { query, selected: 0 });
}

/** Does what is chosen; `act` does an action of the keymap. */
export function take(state: State, nowMs: number, act: (id: ActionId, state: State, nowMs: number) => Step): Step {
  if (state.picker === null) return step(state);
  const chosen = chosenOf(state);
  if (chosen === undefined) return step(state);
  if (chosen.disabled !== null) return step(withToast(state, `Not now: ${chosen.disabled}.`, 'warning', nowMs));
  const closed: State = { ...state, picker: null };
  const { take: effect, put } = pickers[state.picker.kind];
  if (put !== undefined) return step(put(closed, chosen));
  if (effect !== undefined) return step(closed, effect(chosen, state));
  if (!chosen.id.startsWith('/')) return act(chosen.id as ActionId, closed, nowMs);
  if (!chosen.label.includes(' <')) return step(closed, { type: 'slash', line: chosen.id });
  return step({ ...closed, editor: setDraft(closed.editor, `${chosen.id} `), focus: 'editor' });
}

/** What each of them does. */
export const pickerHandlers: Readonly<Record<PickerAction, Handler>> = {
  'palette.open': (state) => step(openPicker(state, 'palette')),
  'history.search': (state) => step(openPicker(state, 'history')),
  'copy.open': (state) => step(openPicker(state, 'copy')),
  'picker.close': (state) => {
    const leave = state.picker === null ? undefined : pickers[state.picker.kind].leave;
    return step({ ...state, picker: null }, ...(leave === undefined ? [] : [leave(state)]));
  },
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
