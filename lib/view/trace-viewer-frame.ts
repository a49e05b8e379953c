/** The picture of the viewer of traces: the list at the left or on top, what is in the chosen line beside or below it. Pure. */

import { type Row, rowOf, type Segment } from '../base/style.js';
import { padEnd } from '../base/width.js';
import { keyLabel } from './key-label.js';
import { type LaidOut, layOut, textLines } from './rows/lines.js';
import type { Theme, ThemeToken } from './theme.js';
import type { TraceEntry } from './trace-entry.js';
import { lineAt, shownCount, type Viewer, type ViewerRoom, viewerRows } from './trace-viewer.js';
import type { Frame, Rect, Size } from './widget.js';
import { blanks, border, ends, fitted, piece } from './widgets/pieces.js';

/** From here on the detail stands beside the list. */
const BESIDE_COLS = 80;
/** With fewer rows or columns there is the list alone, without borders. */
const LEAST = { rows: 8, cols: 20 } as const;
const TIME_CELLS = 8;

const looks: Readonly<Record<TraceEntry['kind'], ThemeToken>> = {
  header: 'title',
  command: 'accent',
  event: 'text',
  view: 'muted',
  input: 'key_name',
  trouble: 'warning',
  bad: 'error',
};

/** Where everything stands. `detail`: null where there is no room for it. */
export interface ViewerLayout {
  readonly list: Rect;
  readonly detail: Rect | null;
  readonly bordered: boolean;
}

/** What is shown of the file. */
export interface ViewerContent {
  readonly name: string;
  /** Of a line, by its number from 0. */
  entry(line: number): TraceEntry;
  /** Of the chosen line, laid out for the width of the detail. */
  readonly detail: readonly Row[];
  /** The file, or the filter, is still being looked through. */
  readonly reading: boolean;
}

/** The places in a window of that size; the last row is for hints. */
export function viewerLayout({ cols, rows }: Size): ViewerLayout {
  const room = Math.max(0, rows - 1);
  if (rows < LEAST.rows || cols < LEAST.cols) return { list: { x: 0, y: 0, cols, rows: room }, detail: null, bordered: false };
  if (cols >= BESIDE_COLS) {
    const left = Math.floor(cols * 0.45);
    return { list: { x: 0, y: 0, cols: left, rows: room }, detail: { x: left, y: 0, cols: cols - left, rows: room }, bordered: true };
  }
  const upper = Math.floor(room / 2);
  return { list: { x: 0, y: 0, cols, rows: upper }, detail: { x: 0, y: upper, cols, rows: room - upper }, bordered: true };
}

/** How much room that is; `detailRows` as in the content. */
export function viewerRoom(layout: ViewerLayout, detailRows: number): ViewerRoom {
  const frame = layout.bordered ? 2 : 0;
  return { list: Math.max(0, layout.list.rows - frame), detail: Math.max(0, (layout.detail?.rows ?? 0) - frame), detailRows };
}

/** Lines of a detail as rows for its place. */
export function detailRows(lines: readonly string[], layout: ViewerLayout, theme: Theme): LaidOut['rows'] {
  if (layout.detail === null) return [];
  const styled = lines.flatMap((line) => textLines(line, theme.styles.text, true));
  return layOut(styled, Math.max(1, layout.detail.cols - 2), null, null).rows;
}

/** The picture. */
export function viewerFrame(viewer: Viewer, content: ViewerContent, size: Size, theme: Theme): Frame {
  const layout = viewerLayout(size);
  const room = viewerRoom(layout, content.detail.length);
  const { styles } = theme;
  const listParts = boxed(layout.list, layout.bordered, listRows(viewer, content, insideCols(layout), room, theme), {
    title: [piece(content.name, styles.title)],
    foot: [piece(placeWords(viewer, content), styles.muted)],
    style: styles.border_focused,
  });
  const chosen = lineAt(viewer, viewer.chosen);
  const { detailTop } = viewer;
  const more =
    content.detail.length > room.detail
      ? ` · ${detailTop + 1}–${Math.min(content.detail.length, detailTop + room.detail)} of ${content.detail.length}`
      : '';
  const detailParts =
    layout.detail === null
      ? []
      : boxed(layout.detail, true, content.detail.slice(detailTop, detailTop + room.detail), {
          title: chosen === null ? [] : [piece(`line ${chosen + 1}${more}`, styles.title)],
          style: styles.border,
        });
  const help = viewer.help ? helpParts(size, theme) : [];
  const parts = [...listParts, ...detailParts, ...footParts(viewer, size, theme), ...help];
  return { size, parts, cursor: cursorOf(viewer, size), ...(theme.ground === null ? {} : { ground: theme.ground }) };
}

function insideCols({ list, bordered }: ViewerLayout): number {
  return Math.max(0, list.cols - (bordered ? 2 : 0));
}

function boxed(rect: Rect, bordered: boolean, rows: readonly Row[], look: Parameters<typeof border>[1]): Frame['parts'] {
  if (!bordered) return [{ rect, rows }];
  const inner = { x: rect.x + 1, y: rect.y + 1, cols: rect.cols - 2, rows: rect.rows - 2 };
  return [{ rect: inner, rows }, ...border(rect, look)];
}

function listRows(viewer: Viewer, content: ViewerContent, cols: number, room: ViewerRoom, theme: Theme): readonly Row[] {
  const { styles } = theme;
  const rows: Row[] = [];
  for (let place = viewer.top; place < viewer.top + room.list; place++) {
    const line = lineAt(viewer, place);
    if (line === null) break;
    rows.push(entryRow(content.entry(line), place === viewer.chosen, cols, theme));
  }
  if (rows.length > 0) return rows;
  const words = content.reading ? 'Reading …' : viewer.filter !== '' ? 'No line has these words in it.' : 'Nothing was written yet.';
  return [rowOf(...fitted([piece(` ${words}`, styles.muted)], cols))];
}

function entryRow({ time, kind, name, words }: TraceEntry, isChosen: boolean, cols: number, { styles }: Theme): Row {
  const look = (token: ThemeToken) => (isChosen ? styles.selected : styles[token]);
  const segments: readonly Segment[] = [
    piece(`${time.padStart(TIME_CELLS)}  `, look('muted')),
    piece(name, look(looks[kind])),
    ...(words === '' ? [] : [piece(`  ${words}`, look(kind === 'bad' || kind === 'trouble' ? looks[kind] : 'muted'))]),
  ];
  const row = rowOf(...fitted(segments, cols));
  return isChosen ? { ...row, fill: styles.selected } : row;
}

function placeWords(viewer: Viewer, { reading }: ViewerContent): string {
  const shown = shownCount(viewer);
  const place = shown === 0 ? '0' : String(viewer.chosen + 1);
  const of = viewer.matches === null ? `${viewer.count}` : `${shown} with “${viewer.filter}”, of ${viewer.count}`;
  const state = reading ? ' · reading' : viewer.following ? ' · following' : viewer.stream ? ' · Esc follows' : '';
  return `${place} of ${of}${state}`;
}

function footParts(viewer: Viewer, { cols, rows }: Size, { styles }: Theme): Frame['parts'] {
  if (rows < 1) return [];
  const hints = viewerRows.flatMap((row) =>
    'hint' in row && (row.id !== 'follow' || viewer.stream) ? [`${keyLabel(row.keys[0])} ${row.hint}`] : [],
  );
  const row =
    viewer.typing === null
      ? ends([piece(` ${hints.join(' · ')}`, styles.muted)], [], cols, styles.muted)
      : rowOf(...fitted([piece('/', styles.accent), piece(viewer.typing, styles.text)], cols));
  return [{ rect: { x: 0, y: rows - 1, cols, rows: 1 }, rows: [row] }];
}

function cursorOf({ typing }: Viewer, { cols, rows }: Size): Frame['cursor'] {
  if (typing === null) return null;
  const [text] = fitted([piece(`/${typing}`, {})], cols);
  return { x: Math.min(cols - 1, padEnd(text?.text ?? '', 0).length), y: rows - 1, shown: true };
}

function helpParts(size: Size, theme: Theme): Frame['parts'] {
  const { styles } = theme;
  const keys = viewerRows.map((row) => row.keys.map(keyLabel).join(', '));
  const wide = Math.max(...keys.map((label) => label.length)) + 2;
  const cols = Math.min(size.cols, 96);
  const rows = Math.min(size.rows, viewerRows.length + 2);
  if (cols < LEAST.cols || rows < 3) return [];
  const rect = { x: Math.floor((size.cols - cols) / 2), y: Math.floor((size.rows - rows) / 2), cols, rows };
  const lines = viewerRows.map(
    (row, at): Row =>
      rowOf(
        ...fitted([blanks(1, styles.text), piece(padEnd(keys[at] ?? '', wide), styles.key_name), piece(row.says, styles.text)], cols - 2),
      ),
  );
  return boxed(rect, true, [...lines, ...Array.from({ length: Math.max(0, rows - 2 - lines.length) }, (): Row => ({ segments: [] }))], {
    title: [piece('keys', styles.title)],
    style: styles.border_focused,
  });
}
