/** The selected text of the conversation: as it was written, without gutter and edges, wrapped lines whole again. */

import { clusterWidth, graphemes } from '../../base/width.js';
import type { PanePlace } from '../pointer.js';
import { gutterCells } from '../rows/block.js';
import { type Line, leadCells, lineKey } from '../rows/lines.js';
import type { State } from '../state.js';
import { shownBlock } from '../viewport.js';

/** A lead of blanks or of the bar beside a quote is an edge, no text; a bullet or a number is text. */
const EDGE = /^[\s▌]*$/;

/** The rows of one block, and what of them is selected. */
interface SelectedBlock {
  readonly lines: readonly Line[];
  /** Of all rows. */
  readonly keys: readonly number[];
  /** Cells behind the gutter. */
  readonly room: number;
  readonly from: Pick<PanePlace, 'key' | 'x'>;
  readonly to: Pick<PanePlace, 'key' | 'x'>;
}

/** The text from one place to another, both in it, in a pane of that width. */
export function conversationText(state: State, width: number, first: PanePlace, last: PanePlace): string {
  const parts: string[] = [];
  const room = Math.max(1, width - gutterCells);
  for (let block = first.block; block <= last.block && block < state.transcript.length; block++) {
    const { laid, lines } = shownBlock(state, width, block);
    const from = block === first.block ? first : { key: Number.NEGATIVE_INFINITY, x: 0 };
    const to = block === last.block ? last : { key: Number.POSITIVE_INFINITY, x: Number.POSITIVE_INFINITY };
    if (laid.keys.some((key) => key >= from.key && key <= to.key)) parts.push(blockText({ lines, keys: laid.keys, room, from, to }));
  }
  return parts.join('\n');
}

function blockText(block: SelectedBlock): string {
  const { lines, keys, from, to } = block;
  const selected = keys.filter((key) => key >= from.key && key <= to.key);
  const [firstKey = 0, lastKey = 0] = [selected[0], selected[selected.length - 1]];
  const texts: string[] = [];
  // The blank row above a block belongs to no line.
  if (firstKey < 0) texts.push('');
  for (let at = Math.max(0, lineOf(firstKey)); at <= lineOf(lastKey); at++) {
    const line = lines[at];
    if (line === undefined) continue;
    const whole = line.segments.map((part) => part.text).join('');
    const isFirst = at === lineOf(firstKey);
    const cutsStart = isFirst && firstKey === from.key;
    const start = cutsStart ? characterAt(block, firstKey, from.x, 'before') : isFirst ? offsetOf(firstKey) : 0;
    const end = at === lineOf(lastKey) && lastKey === to.key ? characterAt(block, lastKey, to.x, 'behind') : whole.length;
    const fromLead = start === 0 && (!cutsStart || from.x < gutterCells + leadCells(line, block.room));
    texts.push(`${fromLead ? leadText(line) : ''}${whole.slice(start, end)}`.trimEnd());
  }
  return texts.join('\n');
}

function leadText(line: Line): string {
  const lead = line.lead?.map((part) => part.text).join('') ?? '';
  return EDGE.test(lead) ? '' : lead;
}

function lineOf(key: number): number {
  return key < 0 ? -1 : Math.floor(key / lineKey(1, 0));
}

function offsetOf(key: number): number {
  return key < 0 ? 0 : key % lineKey(1, 0);
}

/** The character of a line that stands at (or begins behind) a cell of the row that `key` names. */
function characterAt({ lines, keys, room }: SelectedBlock, key: number, x: number, side: 'before' | 'behind'): number {
  const line = lines[lineOf(key)] ?? { segments: [] };
  const whole = line.segments.map((part) => part.text).join('');
  const next = keys[keys.indexOf(key) + 1];
  const start = offsetOf(key);
  const end = next !== undefined && lineOf(next) === lineOf(key) ? offsetOf(next) : whole.length;
  let at = start;
  let cells = gutterCells + leadCells(line, room);
  for (const cluster of graphemes(whole.slice(start, end))) {
    const width = clusterWidth(cluster);
    if (side === 'before' ? cells + width > x : cells > x) break;
    cells += width;
    at += cluster.length;
  }
  return at;
}
