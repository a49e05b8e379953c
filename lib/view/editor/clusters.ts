/** One line of the draft as the clusters a person steps over; a folded paste is one of them. */

import { type Visible, visibleLine } from '../../base/visible.js';
import { graphemes, isSingleCells } from '../../base/width.js';

/** A paste that is shown as one token. `mark` stands for it in the text: a Unicode noncharacter (U+FDD0 – U+FDEF). */
export interface Paste {
  readonly mark: string;
  readonly text: string;
  readonly label: string;
}

const FIRST_MARK = 0xfdd0;
/** Unicode sets 32 noncharacters apart for a program's inner use. */
export const mostPastes = 32;
const MARKS = /[\ufdd0-\ufdef]/;
const ALL_MARKS = /[\ufdd0-\ufdef]/g;

/** The mark of the paste with that number (from 0). */
export function pasteMark(index: number): string {
  return String.fromCharCode(FIRST_MARK + index);
}

/** True for a cluster that stands for a paste. */
export function isMark(cluster: string): boolean {
  return cluster.length === 1 && MARKS.test(cluster);
}

/** `text` without characters that could be mistaken for our marks, with line ends as LF. */
export function cleanInput(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(ALL_MARKS, '\ufffd');
}

/** The clusters of one line, in order; a mark never joins with its neighbours. */
export function clusters(line: string): readonly string[] {
  if (isSingleCells(line) || !MARKS.test(line)) return graphemes(line);
  return line.split(/([\ufdd0-\ufdef])/).flatMap((part) => (isMark(part) ? [part] : graphemes(part)));
}

/** What is shown for one cluster. */
export function shown(cluster: string, pastes: readonly Paste[]): Visible {
  if (cluster === '\t') return visibleLine('    ');
  if (isMark(cluster)) return visibleLine(pastes.find((paste) => paste.mark === cluster)?.label ?? '[paste]');
  return visibleLine(cluster);
}

/** The offset of the cluster boundary before `offset` (0 at the start). */
export function before(line: string, offset: number): number {
  if (isSingleCells(line)) return Math.max(0, offset - 1);
  let at = 0;
  for (const cluster of clusters(line)) {
    if (at + cluster.length >= offset) return at;
    at += cluster.length;
  }
  return at;
}

/** The offset of the cluster boundary after `offset` (the length at the end). */
export function after(line: string, offset: number): number {
  if (isSingleCells(line)) return Math.min(line.length, offset + 1);
  let at = 0;
  for (const cluster of clusters(line)) {
    at += cluster.length;
    if (at > offset) return at;
  }
  return line.length;
}

/** The nearest cluster boundary at or before `offset`. */
export function boundary(line: string, offset: number): number {
  if (isSingleCells(line)) return Math.min(line.length, offset);
  let at = 0;
  for (const cluster of clusters(line)) {
    if (at + cluster.length > offset) return at;
    at += cluster.length;
  }
  return at;
}
