/** Answers of which only the first line is shown. One that was folded is in `toggled` by its first piece; expanding all unfolds it. */

import type { State } from './state.js';
import { type BlockId, blockAt, type Transcript } from './transcript.js';

/** The first piece of the answer that a block belongs to; null when it is no answer. */
export function answerStart(transcript: Transcript, id: BlockId): BlockId | null {
  for (let at = id; at >= 0; at--) {
    const piece = blockAt(transcript, at);
    if (piece?.kind !== 'assistant') return null;
    if (!piece.continued) return at;
  }
  return null;
}

/** Is the block a piece of a folded answer? The match in front of a search never is. */
export function isAnswerFolded(state: State, id: BlockId): boolean {
  if (state.toggled.size === 0 || state.search?.current?.block === id) return false;
  const start = answerStart(state.transcript, id);
  return start !== null && state.toggled.has(start);
}
