/** The conversation pane. */

import type { Row, Segment } from '../../base/style.js';
import { type State, shownNow } from '../state.js';
import { viewport } from '../viewport.js';
import type { Size, Widget } from '../widget.js';
import { piece } from './pieces.js';

/** The seen rows of the transcript. */
export const conversation: Widget = {
  id: 'conversation',
  inputs: (state) => [
    state.transcript,
    state.toggled,
    state.expandAll,
    state.selected,
    state.reading,
    state.focus,
    state.lex,
    shownNow(state),
  ],
  rows(state: State, size: Size): readonly Row[] {
    return viewport(state, size).rows.map((seen) => seen.row);
  },
};

/** `3 new ↓` in the lower border while something is hidden below a pane of that inner size. */
export function pill(state: State, size: Size): readonly Segment[] {
  if (state.reading.kind === 'follow' || viewport(state, size).atEnd) return [];
  const fresh = state.transcript.length - state.reading.seen;
  return [piece(fresh > 0 ? ` ${fresh} new ↓ ` : ' more ↓ ', state.theme.styles.pill)];
}
