/** What the keys of a question do. "Yes" needs the whole command seen and a quiet moment; everything else is "no" or nothing. */

import type { ApprovalDecision } from '../../protocol/approvals.js';
import { beginAnswer, endAnswer, SENT_AFTER_MS, withLineEndsOf } from '../answering.js';
import {
  bodyView,
  isArmed,
  scrollBody,
  uneditableReason,
  unseenReason,
  withNextInFront,
  withOtherView,
  withoutRequest,
} from '../approval.js';
import { draftOf, isEmpty } from '../editor/model.js';
import { type Step, send, step } from '../effects.js';
import type { ActionId } from '../keymap.js';
import { questionInFront } from '../question.js';
import { beginRuling, noRuleReason } from '../ruling.js';
import type { State } from '../state.js';
import { withToast } from '../toasts.js';
import type { Handler } from './editor-keys.js';

function answer(decision: ApprovalDecision): Handler {
  return (state, nowMs) => {
    const request = questionInFront(state);
    if (request === undefined) return step(state);
    const reason = unseenReason(state);
    if (decision !== 'deny' && reason !== null) return step(withToast(state, `Not yet: ${reason}.`, 'warning', nowMs));
    // Answered once: the next key meets the next question, which has to be seen and armed anew.
    return step(withoutRequest(state, request.id), send({ type: 'approval.answer', approval: request.id, decision }));
  };
}

/** The words as the answer: a no with a reason, or another command. */
function sendAnswer(state: State, nowMs: number): Step {
  const { answering } = state;
  if (answering === null || nowMs < answering.sinceMs + SENT_AFTER_MS) return step(state);
  const words = draftOf(state.editor);
  const { approval, kind } = answering;
  if (kind === 'edit' && words.trim() === '') return step(withToast(state, 'There is nothing to run; Esc goes back.', 'warning', nowMs));
  const left = withoutRequest(state, approval);
  if (kind === 'feedback') return step(left, send({ type: 'approval.answer', approval, decision: 'deny', feedback: words }));
  const asked = state.approvals.find((request) => request.id === approval)?.body ?? '';
  return step(left, send({ type: 'approval.answer', approval, decision: 'once', body: withLineEndsOf(asked, words) }));
}

const page = (state: State): number => Math.max(1, (bodyView(state)?.room ?? 2) - 1);

/** The ids this file answers for. */
export type ApprovalAction = Extract<ActionId, `approval.${string}` | `answering.${string}`>;

/** What each of them does. */
export const approvalHandlers: Readonly<Record<ApprovalAction, Handler>> = {
  'approval.once': answer('once'),
  'approval.session': answer('session'),
  'approval.deny': answer('deny'),
  'approval.edit': (state, nowMs) => {
    const request = questionInFront(state);
    const reason = uneditableReason(state);
    if (request === undefined) return step(state);
    return step(reason === null ? beginAnswer(state, 'edit', request, nowMs) : withToast(state, `Not now: ${reason}.`, 'warning', nowMs));
  },
  'approval.feedback': (state, nowMs) => {
    const request = questionInFront(state);
    return step(request === undefined ? state : beginAnswer(state, 'feedback', request, nowMs));
  },
  'approval.rule': (state, nowMs) => {
    const reason = noRuleReason(state);
    return step(reason === null ? beginRuling(state, nowMs) : withToast(state, `Not now: ${reason}.`, 'warning', nowMs));
  },
  'approval.next': (state) => step(withNextInFront(state)),
  'approval.whole': (state) => step(withOtherView(state)),
  'answering.back': (state) => step(endAnswer(state)),
  'answering.send': sendAnswer,
  'approval.expand': (state) =>
    step(state.approval === null ? state : { ...state, approval: { ...state.approval, expanded: !state.approval.expanded } }),
  'approval.up': (state) => step(scrollBody(state, -1)),
  'approval.down': (state) => step(scrollBody(state, 1)),
  'approval.pageUp': (state) => step(scrollBody(state, -page(state))),
  'approval.pageDown': (state) => step(scrollBody(state, page(state))),
};

const letters: readonly string[] = [
  'approval.once',
  'approval.session',
  'approval.deny',
  'approval.expand',
  'approval.edit',
  'approval.feedback',
  'approval.rule',
  'approval.whole',
  'approval.next',
];

/**
 * A key while a question is asked but does not take answers yet. Whoever was writing goes on writing, and the question
 * waits for a pause; with an empty draft the key is dropped. Null: the key counts as usual.
 */
export function earlyKey(
  state: State,
  id: string | null,
  text: string,
  nowMs: number,
): { readonly state: State; readonly type: string } | null {
  if (state.approval === null || state.answering !== null || state.ruling !== null || isArmed(state, nowMs)) return null;
  const answers = text !== '' || (id !== null && letters.includes(id));
  // Escape types nothing and means no: stopping never has to wait.
  if (!answers || (text === '' && id === 'approval.deny')) return null;
  const waiting: State = { ...state, approval: { ...state.approval, quietSinceMs: nowMs } };
  return { state: waiting, type: isEmpty(state.editor) ? '' : text };
}
