/** Answers of which only the first line is shown. One that was folded is in `toggled` by its first piece; expanding all unfolds it. */

import type { State } from './state.js';
import { answerStart, type BlockId } from './transcript.js';

/** Is the block a piece of a folded answer? The match in front of a search never is. */
export function isAnswerFolded(state: State, id: BlockId): boolean {
  if (state.toggled.size === 0 || state.search?.current?.block === id) return false;
  const start = answerStart(state.transcript, id);
  return start !== null && state.toggled.has(start);
}
