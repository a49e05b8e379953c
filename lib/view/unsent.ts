/** The text that is being written and was not sent: kept for the next run. */

import { setDraft } from './editor/editor.js';
import { draftOf } from './editor/model.js';
import type { State } from './state.js';
import { withToast } from './toasts.js';

/** '' for none; while an answer to a question is written it is the draft that waits. */
export function unsentText({ answering, editor }: State): string {
  return draftOf(answering?.draft ?? editor);
}

/** The text that an earlier run kept stands in the editor again. */
export function withDraft(state: State, text: string): State {
  const back = { ...state, editor: setDraft(state.editor, text) };
  return withToast(back, 'The text that was not sent is back.', 'info', state.nowMs);
}
