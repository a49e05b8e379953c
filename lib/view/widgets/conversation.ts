/** The conversation pane. */

import type { Row, Segment } from '../../base/style.js';
import type { State } from '../state.js';
import { viewport } from '../viewport.js';
import type { Size, Widget } from '../widget.js';
import { piece } from './pieces.js';

export const conversation: Widget = {
  id: 'conversation',
  rows(state: State, size: Size): readonly Row[] {
    return viewport(state, size).rows.map((seen) => seen.row);
  },
};

/** `3 new ↓` in the lower border while something is hidden below. */
export function pill(state: State): readonly Segment[] {
  if (state.reading.kind === 'follow') return [];
  const fresh = state.transcript.length - state.reading.seen;
  return [piece(fresh > 0 ? ` ${fresh} new ↓ ` : ' more ↓ ', state.theme.styles.pill)];
}
