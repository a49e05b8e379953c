/** The text that is being written and was not sent, and what waits for its turn: kept for the next run. */

import { bringBack, setDraft } from './editor/editor.js';
import { draftOf } from './editor/model.js';
import type { State } from './state.js';
import { withToast } from './toasts.js';

/** '' for none; while an answer to a question is written it is the draft that is meant. What waits in the queue stands before it. */
export function unsentText({ answering, editor, queue }: State): string {
  const draft = answering?.draft ?? editor;
  if (queue.length === 0) return draftOf(draft);
  return draftOf(
    bringBack(
      draft,
      queue.map(({ text }) => text),
    ),
  );
}

/** The text that an earlier run kept stands in the editor again. */
export function withDraft(state: State, text: string): State {
  const back = { ...state, editor: setDraft(state.editor, text) };
  return withToast(back, 'The text that was not sent is back.', 'info', state.nowMs);
}
