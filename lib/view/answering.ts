/** An answer in words: why not, or the command as it should be. It is written where drafts are, and the draft waits. */

import type { ApprovalRequest } from '../protocol/approvals.js';
import type { Answering } from './asked.js';
import { insert } from './editor/editor.js';
import { createEditor } from './editor/model.js';
import type { State } from './state.js';

/** An Enter that was on its way when the writing began sends nothing (milliseconds). */
export const SENT_AFTER_MS = 400;

/** Begins to write: `feedback` empty, `edit` with the command. */
export function beginAnswer(state: State, kind: Answering['kind'], request: ApprovalRequest, nowMs: number): State {
  const empty = createEditor(state.editor.history.entries);
  return {
    ...state,
    answering: { kind, approval: request.id, sinceMs: nowMs, draft: state.editor },
    editor: kind === 'edit' ? insert(empty, request.body) : empty,
  };
}

/** Back to the question, and to the draft that waited. */
export function endAnswer(state: State): State {
  return state.answering === null ? state : { ...state, answering: null, editor: state.answering.draft };
}

/** The same when the question is gone: what was written is of no use any more. */
export function answeringAfter(state: State): State {
  const { answering } = state;
  return answering !== null && !state.approvals.some((request) => request.id === answering.approval) ? endAnswer(state) : state;
}

/** What stands in place of the sign before the draft. */
export function answeringWords({ answering }: State): string | null {
  if (answering === null) return null;
  return answering.kind === 'feedback' ? 'no, because' : 'run instead';
}
