/** What the keys of the question about the session do. */

import { step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { leaveWith, mayEnd } from '../leaving.js';
import type { Handler } from './editor-keys.js';

/** The ids this file answers for. */
export type LeavingAction = Extract<ActionId, `leaving.${string}`>;

/** What each of them does. */
export const leavingHandlers: Readonly<Record<LeavingAction, Handler>> = {
  'leaving.keep': (state) => leaveWith(state, true),
  'leaving.end': (state, nowMs) => (mayEnd(state, nowMs) ? leaveWith(state, false) : step(state)),
  'leaving.stay': (state) => step({ ...state, leaving: null, quitUntilMs: 0 }),
};
