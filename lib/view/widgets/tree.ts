/** The window of the tree of a session. */

import { formatAgo } from '../../base/duration.js';
import { type Row, rowOf, type Style } from '../../base/style.js';
import { cellWidth } from '../../base/width.js';
import type { PaneCursor } from '../../protocol/panes.js';
import type { EntryKind } from '../../protocol/tree.js';
import { inside, windowRect } from '../layout.js';
import { type State, shownNow } from '../state.js';
import type { Theme } from '../theme.js';
import { selectedLine, type TreeLine, type TreeView } from '../tree.js';
import { isTreeShown, treeLinesOf } from '../tree-lines.js';
import type { Frame } from '../widget.js';
import { queryTail } from './picker-row.js';
import { border, ends, fitted, piece } from './pieces.js';

const marks: Readonly<Record<EntryKind, string>> = { prompt: '●', steer: '●', answer: '◆', calls: '▶', recap: '≡', note: '·' };

/** Calls that are listed when they are unfolded. */
const MOST_CALLS = 20;
/** Where there are fewer cells, when it was is left out. */
const ROOM_FOR_TIME = 60;

/** The window, while it is open. */
export function treeParts(state: State, theme: Theme): Frame['parts'] {
  const { tree } = state;
  if (tree === null || !isTreeShown(state)) return [];
  const { styles } = theme;
  const outer = windowRect(state.size);
  const inner = inside(outer);
  const lines = treeLinesOf(state);
  const at = selectedLine(tree, lines);
  const room = Math.max(0, inner.rows - 1);
  const shown = window(tree, lines, at, room).flatMap((i) => {
    const line = lines[i];
    return line === undefined ? [] : lineRows(state, tree, line, i === at, inner.cols);
  });
  const rows = shown.length > 0 ? shown : [rowOf(piece(' nothing fits', styles.muted))];
  const padded = [...rows.slice(0, room), ...Array.from({ length: Math.max(0, room - rows.length) }, (): Row => ({ segments: [] }))];
  const foot = lines.length === 0 ? [] : [piece(`${at + 1} of ${lines.length}`, styles.muted)];
  return [
    { rect: inner, rows: [headRow(tree, inner.cols, theme), ...padded] },
    ...border(outer, { title: [piece('tree', styles.title)], foot, style: styles.border_focused }),
  ];
}

/** Where the cursor stands; null while the tree is closed. */
export function treeCursor(state: State): PaneCursor | null {
  const { tree } = state;
  if (tree === null || !isTreeShown(state)) return null;
  const inner = inside(windowRect(state.size));
  const [asks, text] = written(tree);
  return {
    x: Math.min(inner.x + inner.cols - 1, inner.x + cellWidth(asks) + cellWidth(queryTail(text, roomFor(tree, inner.cols)))),
    y: inner.y,
    shown: true,
  };
}

function written({ labelling, query }: TreeView): readonly [asks: string, text: string] {
  return labelling === null ? ['> ', query] : ['label: ', labelling.text];
}

function filterWords({ filter }: TreeView): string {
  return filter === 'default' ? '' : `${filter} `;
}

function roomFor(tree: TreeView, cols: number): number {
  return Math.max(0, cols - cellWidth(written(tree)[0]) - cellWidth(filterWords(tree)) - 1);
}

function headRow(tree: TreeView, cols: number, { styles }: Theme): Row {
  const [asks, text] = written(tree);
  const left = [piece(asks, styles.key_name), piece(queryTail(text, roomFor(tree, cols)), styles.text)];
  return ends(fitted(left, cols), [piece(filterWords(tree), styles.accent)], cols, styles.text);
}

/** The numbers of the lines that there is room for, the chosen one among them. */
function window(tree: TreeView, lines: readonly TreeLine[], at: number, room: number): readonly number[] {
  const height = (i: number) => 1 + openCalls(tree, lines[i]).length;
  let [first, last, used] = [at, at, at < 0 ? 0 : height(at)];
  if (at < 0) return [];
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    if (first > 0 && used + height(first - 1) <= room && at - first <= last - at) {
      used += height(--first);
      isGrowing = true;
    } else if (last < lines.length - 1 && used + height(last + 1) <= room) {
      used += height(++last);
      isGrowing = true;
    } else if (first > 0 && used + height(first - 1) <= room) {
      used += height(--first);
      isGrowing = true;
    }
  }
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function openCalls({ toggled }: TreeView, line: TreeLine | undefined): readonly string[] {
  const entry = line?.entry;
  return entry?.kind === 'calls' && entry.calls.length > 1 && toggled.has(entry.id) ? entry.calls.slice(0, MOST_CALLS) : [];
}

function lineRows(state: State, tree: TreeView, line: TreeLine, isChosen: boolean, cols: number): readonly Row[] {
  const { styles } = state.theme;
  const { entry, onPath } = line;
  const look = isChosen ? styles.selected : onPath ? styles.text : styles.muted;
  const shade = (style: Style): Style => (isChosen ? look : style);
  const lead = ` ${shortLead(line.lead, Math.floor(cols / 3))}`;
  const quiet = shade(styles.muted);
  const fold = line.foldable ? (line.folded ? '▸ ' : '▾ ') : '';
  const label = entry.label === null ? [] : [piece(` #${entry.label}`, shade(styles.accent))];
  const here = entry.id === tree.leaf ? [piece(' ← here', shade(styles.title))] : [];
  const mark = shade(entry.kind === 'prompt' || entry.kind === 'steer' ? styles.prompt_symbol : quiet);
  const note = cols < ROOM_FOR_TIME ? [] : [piece(` ${formatAgo(Math.max(0, shownNow(state) - entry.tsMs))} `, quiet)];
  const noteCells = note.reduce((sum, { text }) => sum + cellWidth(text), 0);
  const behind = [...label, ...here];
  const behindCells = behind.reduce((sum, { text }) => sum + cellWidth(text), 0);
  const room = Math.max(0, cols - noteCells - 1);
  const head = [piece(`${lead}${fold}`, quiet), piece(`${marks[entry.kind]} `, mark), piece(wordsOf(entry, tree), look)];
  const left = fitted([...fitted(head, Math.max(10, room - behindCells)), ...behind], room);
  const calls = openCalls(tree, line).map((text): Row => rowOf(...fitted([piece(`${lead}${fold}    ${text}`, styles.muted)], cols)));
  return [{ ...ends(left, note, cols, look), fill: look }, ...calls];
}

function wordsOf({ kind, text, calls, id }: TreeLine['entry'], { toggled }: TreeView): string {
  if (kind !== 'calls' || calls.length < 2) return text;
  return toggled.has(id) ? `${calls.length} calls` : `${calls.length} calls: ${calls.join(' · ').slice(0, 500)}`;
}

/** Branches within branches within branches: the nearest ones say where one is. */
function shortLead(lead: string, most: number): string {
  return lead.length <= most ? lead : `…${lead.slice(-Math.max(0, most - 1))}`;
}
