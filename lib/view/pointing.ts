/** Changes of what is known of the mouse. Pure. */

import type { Pointer } from './pointer.js';
import type { State } from './state.js';

/** The state with something else of the mouse. */
export function pointed(state: State, change: Partial<Pointer>): State {
  return { ...state, pointer: { ...state.pointer, ...change } };
}

/** The state after the window got or lost the focus. */
export function withWindowFocus(state: State, gained: boolean): State {
  if (state.focused === gained) return state;
  return pointed({ ...state, focused: gained }, gained ? { waking: true } : { held: null });
}
