/** A command to approve as rows from which every byte can be read back: nothing is cut, nothing hides. */

import { type Visible, visible, visibleLine } from '../../base/visible.js';
import { cellWidth, clusterWidth, graphemes } from '../../base/width.js';

/** A piece of a row. A marker stands for something that cannot be shown as it is; it is drawn in a look of its own. */
export interface BodyPiece {
  readonly text: Visible;
  readonly marker: boolean;
}

/** A row, and which characters of the body it shows (a line end belongs to the row before it). */
export interface BodyRow {
  readonly pieces: readonly BodyPiece[];
  readonly from: number;
  readonly to: number;
  /** The line goes on from the row before. */
  readonly continued: boolean;
}

/** Longer runs are said in words: they are the usual way to push something out of sight. */
const MOST_BLANK_LINES = 3;
const MOST_BLANKS = 20;

/** The rows of `body` at `width` cells (at least 2). */
export function bodyRows(body: string, width: number): readonly BodyRow[] {
  const lines = body.split('\n');
  const harmless = visible(body, 'exact') === body;
  const rows: BodyRow[] = [];
  let from = 0;
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] ?? '';
    const run = blankRun(lines, i);
    if (run > MOST_BLANK_LINES) {
      const what = line === '' ? 'blank lines' : `lines of ${line.length} ${line.length === 1 ? 'blank' : 'blanks'}`;
      const to = Math.min(body.length, from + run * (line.length + 1));
      rows.push({ pieces: [marker(`⟨${run} ${what}⟩`)], from, to, continued: false });
      from = to;
      i += run;
      continue;
    }
    const ended = i < lines.length - 1 ? 1 : 0;
    const drawn = lineRows(line, width, from, harmless);
    for (const [n, row] of drawn.entries()) rows.push(n === drawn.length - 1 ? { ...row, to: row.to + ended } : row);
    from += line.length + ended;
    i++;
  }
  return rows;
}

function marker(text: string): BodyPiece {
  return { text: visibleLine(text), marker: true };
}

/** How many lines from `start` on are the same and hold nothing but blanks. */
function blankRun(lines: readonly string[], start: number): number {
  const line = lines[start] ?? '';
  if (!/^ *$/.test(line)) return 0;
  let end = start;
  while (end < lines.length && lines[end] === line) end++;
  return end - start;
}

interface Atom extends BodyPiece {
  readonly length: number;
  readonly cells: number;
}

function lineRows(line: string, width: number, offset: number, harmless: boolean): BodyRow[] {
  if (PLAIN.test(line) && !line.includes(LONG_BLANK)) return plainRows(line as Visible, width, offset);
  if (harmless && fitsAsItIs(line, width))
    return [{ pieces: [{ text: line as Visible, marker: false }], from: offset, to: offset + line.length, continued: false }];
  const rows: BodyRow[] = [];
  let pieces: BodyPiece[] = [];
  let cells = 0;
  let from = offset;
  let at = offset;
  for (const atom of atoms(line, width, harmless)) {
    if (cells + atom.cells > width && at > from) {
      rows.push({ pieces, from, to: at, continued: rows.length > 0 });
      pieces = [];
      cells = 0;
      from = at;
    }
    const last = pieces[pieces.length - 1];
    if (last !== undefined && !last.marker && !atom.marker)
      pieces[pieces.length - 1] = { text: (last.text + atom.text) as Visible, marker: false };
    else pieces.push({ text: atom.text, marker: atom.marker });
    cells += atom.cells;
    at += atom.length;
  }
  rows.push({ pieces, from, to: at, continued: rows.length > 0 });
  return rows;
}

const PLAIN = /^[\x20-\x7e]*$/;
const LONG_BLANK = ' '.repeat(MOST_BLANKS + 1);

/** True for a harmless line that needs no wrap and no marker. */
function fitsAsItIs(line: string, width: number): boolean {
  if (line.length > 2 * width || line.includes(LONG_BLANK) || line.includes('\t')) return false;
  let cells = 0;
  for (const cluster of graphemes(line)) {
    const next = clusterWidth(cluster);
    if (next === 0) return false;
    cells += next;
  }
  return cells <= width;
}

function plainRows(line: Visible, width: number, offset: number): BodyRow[] {
  if (line === '') return [{ pieces: [], from: offset, to: offset, continued: false }];
  const rows: BodyRow[] = [];
  for (let at = 0; at < line.length; at += width) {
    const text = line.slice(at, at + width) as Visible;
    rows.push({ pieces: [{ text, marker: false }], from: offset + at, to: offset + at + text.length, continued: at > 0 });
  }
  return rows;
}

const PIECES = / {21,}|[\x21-\x7e]+| +|[^\x20-\x7e]+/g;

function* atoms(line: string, width: number, harmless: boolean): Generator<Atom> {
  for (const [part] of line.matchAll(PIECES)) {
    if (part.length > MOST_BLANKS && part.startsWith(' '))
      yield { ...marker(`⟨${part.length} blanks⟩`), length: part.length, cells: cellWidth(`⟨${part.length} blanks⟩`) };
    else if (/^[\x20-\x7e]/.test(part)) {
      for (let i = 0; i < part.length; i += 1) yield { text: part.charAt(i) as Visible, marker: false, length: 1, cells: 1 };
    } else {
      for (const cluster of graphemes(part)) {
        const cells = harmless && cluster !== '\t' ? clusterWidth(cluster) : 0;
        if (cells > 0) yield { text: cluster as Visible, marker: false, length: cluster.length, cells };
        else yield* clusterAtoms(cluster, width);
      }
    }
  }
}

function* clusterAtoms(cluster: string, width: number): Generator<Atom> {
  const cells = clusterWidth(cluster);
  const shown = visibleLine(cluster, 'exact');
  if (shown === cluster && cells > 0) return yield { text: shown, marker: false, length: cluster.length, cells };
  if (cluster === '\t') return yield { ...marker('⇥'), length: 1, cells: 1 };
  // What takes no cell or would be shown as something else is named, code point by code point.
  for (const point of cluster) {
    const plain = visibleLine(point, 'exact');
    const named = plain === point && cellWidth(point) > 0 ? null : plain === point ? codeName(point) : plain;
    if (named === null) yield { text: plain, marker: false, length: point.length, cells: cellWidth(plain) };
    else yield { ...marker(named), length: point.length, cells: Math.min(width, cellWidth(named)) };
  }
}

function codeName(point: string): string {
  return `<U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
