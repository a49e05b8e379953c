/** A rule is being made of the question in front: chosen from what was offered, looked at, then saved with Enter. */

import { type RuleChoice, type RuleOffer, ruleTimes } from '../protocol/rules.js';
import { bodyView, unseenReason } from './approval.js';
import { questionInFront } from './question.js';
import type { State } from './state.js';

/** An Enter that was on its way when the rule last changed saves nothing (milliseconds). */
const SAVED_AFTER_MS = 400;

/** Why no rule can be made of what is asked; null when one can. */
export function noRuleReason(state: State): string | null {
  const request = questionInFront(state);
  if (request !== undefined && request.rule === undefined) return 'rules are for one plain command, or for writing a file';
  return unseenReason(state);
}

/** Begins with what is proposed, for this session, in the narrowest place. */
export function beginRuling(state: State, nowMs: number): State {
  const request = questionInFront(state);
  if (request?.rule === undefined) return state;
  const choice: RuleChoice = { subject: request.rule.proposed, place: 0, saved: false };
  return { ...state, ruling: { approval: request.id, choice, shownAtMs: null, sinceMs: nowMs } };
}

/** Back to the question. */
export function endRuling(state: State): State {
  return state.ruling === null ? state : { ...state, ruling: null };
}

/** The state with another choice, which has to be looked at anew. */
function withChoice(state: State, change: (choice: RuleChoice, offer: RuleOffer) => RuleChoice, nowMs: number): State {
  const offer = questionInFront(state)?.rule;
  if (state.ruling === null || offer === undefined) return state;
  return { ...state, ruling: { ...state.ruling, choice: change(state.ruling.choice, offer), shownAtMs: null, sinceMs: nowMs } };
}

/** The next wider (-1) or narrower (1) rule. */
export function narrowed(state: State, by: 1 | -1, nowMs: number): State {
  const to = (choice: RuleChoice, { subjects }: RuleOffer): RuleChoice => ({
    ...choice,
    subject: Math.max(0, Math.min(subjects.length - 1, choice.subject + by)),
  });
  return withChoice(state, to, nowMs);
}

/** Why the rule can be no wider (-1) or narrower (1); null when it can. */
export function noOtherReason(state: State, by: 1 | -1): string | null {
  const at = (state.ruling?.choice.subject ?? 0) + by;
  if (at >= 0 && at < (questionInFront(state)?.rule?.subjects.length ?? 0)) return null;
  return by < 0 ? 'there is no wider rule' : 'there is no narrower rule';
}

/** The next of all places and times: this session, always, an hour, each from the narrowest place to the widest. */
export function rescoped(state: State, by: 1 | -1, nowMs: number): State {
  const to = (choice: RuleChoice, { places }: RuleOffer): RuleChoice => {
    const count = ruleTimes.length * places.length;
    const time = ruleTimes.findIndex(({ saved, forMs }) => saved === choice.saved && forMs === choice.forMs);
    const at = (choice.place + time * places.length + by + count) % count;
    return { subject: choice.subject, place: at % places.length, ...(ruleTimes[Math.floor(at / places.length)] ?? { saved: false }) };
  };
  return withChoice(state, to, nowMs);
}

/** A key that means nothing: whoever types is not choosing. */
export function disturbed(state: State, nowMs: number): State {
  return state.ruling === null ? state : { ...state, ruling: { ...state.ruling, sinceMs: nowMs } };
}

/** Why the rule cannot be saved, apart from the first moment; null when it can. */
export function unsavableReason(state: State): string | null {
  const view = bodyView(state);
  return view === null || view.total > view.room ? 'the window is too small to show the whole rule' : null;
}

/** Has the rule, as it is now, been on the screen, and the keyboard quiet, long enough? */
export function isRuleSeen({ ruling }: State, nowMs: number): boolean {
  return ruling !== null && ruling.shownAtMs !== null && nowMs - Math.max(ruling.shownAtMs, ruling.sinceMs) >= SAVED_AFTER_MS;
}
