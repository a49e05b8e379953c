/** Short messages that go away by themselves. */

import type { State } from './state.js';
import type { NoticeLevel } from './transcript.js';

/** How long a toast stays. */
const TOAST_MS = 4000;

/** The state with a toast on top of the others; the same text does not pile up. */
export function withToast(state: State, text: string, level: NoticeLevel, nowMs: number): State {
  const others = state.toasts.filter((toast) => toast.text !== text).slice(-2);
  return { ...state, toasts: [...others, { text, level, untilMs: nowMs + TOAST_MS }] };
}
