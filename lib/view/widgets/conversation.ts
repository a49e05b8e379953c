/** The conversation pane. */

import type { Row, Segment } from '../../base/style.js';
import { visibleLine } from '../../base/visible.js';
import { cellWidth, clusterWidth, graphemes } from '../../base/width.js';
import { readingRoom } from '../screen.js';
import { searchCount } from '../search.js';
import { type State, shownNow } from '../state.js';
import { blockAt, type Transcript } from '../transcript.js';
import { viewport } from '../viewport.js';
import type { Size, Widget } from '../widget.js';
import { ends, piece } from './pieces.js';

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
    state.foldedBefore,
    state.search,
    shownNow(state),
  ],
  rows(state: State, size: Size): readonly Row[] {
    const room = readingRoom(state, size);
    const rows = viewport(state, room).rows.map((seen) => seen.row);
    if (state.search === null || room === size) return rows;
    const blank: Row = { segments: [] };
    return [...rows, ...Array.from({ length: room.rows - rows.length }, () => blank), searchRow(state, size.cols, room)];
  },
  cursor(state, size) {
    if (state.search?.typing !== true) return null;
    const used = cellWidth(shownQuery(state, size.cols, readingRoom(state, size)));
    return { x: Math.min(size.cols - 1, 1 + used), y: size.rows - 1, shown: true };
  },
};

/** A larger count says no more. */
const MOST_COUNTED = 999;

/** What has come since there were so many blocks; the pieces of an answer are one. */
function newSince(transcript: Transcript, seen: number): number {
  let count = 0;
  for (let id = seen; id < transcript.length && count <= MOST_COUNTED; id++) {
    const block = blockAt(transcript, id);
    if (block !== undefined && !(block.kind === 'assistant' && block.continued)) count++;
  }
  return count;
}

/** The line at the bottom: what is searched for, and how much of it there is. */
function searchRow(state: State, cols: number, room: Size): Row {
  const { styles } = state.theme;
  const count = searchCount(state, room);
  const style = count === 'not found' ? styles.warning : styles.muted;
  return ends(
    [piece('/', styles.accent), piece(shownQuery(state, cols, room), styles.text)],
    count === '' ? [] : [piece(count, style)],
    cols,
    styles.text,
  );
}

/** The end of the query that there is room for. */
function shownQuery(state: State, cols: number, room: Size): string {
  const query = visibleLine(state.search?.query ?? '', 'exact');
  const most = Math.max(1, cols - 4 - cellWidth(searchCount(state, room)));
  const clusters = graphemes(query);
  let from = clusters.length;
  for (let cells = 0; from > 0; from--) {
    cells += clusterWidth(clusters[from - 1] ?? '');
    if (cells > most) break;
  }
  return clusters.slice(from).join('');
}

/** `3 new ↓` in the lower border while something is hidden below a pane of that inner size. */
export function pill(state: State, size: Size): readonly Segment[] {
  if (state.reading.kind === 'follow' || viewport(state, readingRoom(state, size)).atEnd) return [];
  const fresh = newSince(state.transcript, state.reading.seen);
  const count = fresh > MOST_COUNTED ? `${MOST_COUNTED}+` : String(fresh);
  return [piece(fresh > 0 ? ` ${count} new ↓ ` : ' more ↓ ', state.theme.styles.pill)];
}
