/** Characters of a row and the cells that they take: what is selected is always whole characters. */

import type { Row } from '../../base/style.js';
import { clusterWidth, graphemes } from '../../base/width.js';

/** One character, and the cells from `x` on that it takes. */
export interface CellCluster {
  readonly text: string;
  readonly x: number;
  readonly width: number;
}

/** Cells from one to before another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The characters of a row from left to right; what takes no cell belongs to the one before. */
export function clustersOf(row: Row): readonly CellCluster[] {
  const clusters: CellCluster[] = [];
  let x = 0;
  for (const cluster of row.segments.flatMap((part) => graphemes(part.text))) {
    const width = clusterWidth(cluster);
    const last = clusters[clusters.length - 1];
    if (width === 0 && last !== undefined) clusters[clusters.length - 1] = { ...last, text: last.text + cluster };
    else clusters.push({ text: cluster, x, width });
    x += width;
  }
  return clusters;
}

/** The cells of the characters that lie in both cells or between them, as far as the row has text; `from` at least `gutter`. */
export function spanOf(row: Row, first: number, last: number, gutter: number): Span {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const { x, width } of clustersOf(row)) {
    if (x < gutter || x + width <= first || x > last) continue;
    from = Math.min(from, x);
    to = Math.max(to, x + width);
  }
  return to === 0 ? { from: gutter, to: gutter } : { from, to };
}

/** The text in a span. */
export function textIn(row: Row, { from, to }: Span): string {
  return clustersOf(row)
    .filter(({ x }) => x >= from && x < to)
    .map(({ text }) => text)
    .join('');
}

/** What ends a word for a double click: blanks, brackets, quotes, lines. Paths, addresses and flags are words. */
const SEPARATOR = /^[\s()[\]{}<>'"`,;|\u2500-\u257f]/;

/** The cells of the word at a cell; of the one character when that ends words. */
export function wordSpan(row: Row, at: number, gutter: number): Span {
  const clusters = clustersOf(row).filter(({ x }) => x >= gutter);
  const found = clusters.findIndex(({ x, width }) => at >= x && at < x + width);
  const here = clusters[found];
  if (here === undefined) return { from: at, to: at };
  if (SEPARATOR.test(here.text)) return { from: here.x, to: here.x + here.width };
  let [first, last] = [found, found];
  while (first > 0 && !SEPARATOR.test(clusters[first - 1]?.text ?? ' ')) first--;
  while (last < clusters.length - 1 && !SEPARATOR.test(clusters[last + 1]?.text ?? ' ')) last++;
  const end = clusters[last] ?? here;
  return { from: clusters[first]?.x ?? at, to: end.x + end.width };
}
