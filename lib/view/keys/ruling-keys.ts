/** What the keys of a rule do that is being made. */

import { withoutRequest } from '../approval.js';
import { send, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { endRuling, isRuleSeen, narrowed, rescoped, unsavableReason } from '../ruling.js';
import { withToast } from '../toasts.js';
import type { Handler } from './editor-keys.js';

const save: Handler = (state, nowMs) => {
  const { ruling } = state;
  const reason = unsavableReason(state);
  if (ruling === null) return step(state);
  if (reason !== null) return step(withToast(state, `Not yet: ${reason}.`, 'warning', nowMs));
  if (!isRuleSeen(state, nowMs)) return step(withToast(state, 'Not yet: look at the rule, then press it again.', 'info', nowMs));
  const { approval, choice } = ruling;
  return step(withoutRequest(state, approval), send({ type: 'approval.answer', approval, decision: 'rule', rule: choice }));
};

/** The ids this file answers for. */
export type RulingAction = Extract<ActionId, `ruling.${string}`>;

/** What each of them does. */
export const rulingHandlers: Readonly<Record<RulingAction, Handler>> = {
  'ruling.save': save,
  'ruling.wider': (state, nowMs) => step(narrowed(state, -1, nowMs)),
  'ruling.narrower': (state, nowMs) => step(narrowed(state, 1, nowMs)),
  'ruling.scope': (state, nowMs) => step(rescoped(state, 1, nowMs)),
  'ruling.scopeBack': (state, nowMs) => step(rescoped(state, -1, nowMs)),
  'ruling.back': (state) => step(endRuling(state)),
};
