/** Text measured in terminal cells, by grapheme cluster (string-width 8: widths as xterm and tmux have them). */

import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** ASCII, Latin letters, general punctuation, box drawing and blocks: never wide, never joining a neighbour of their kind. */
const SINGLE_CELLS = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2500-\u25a9]*$/;

/** True when every UTF-16 unit of `text` is a cluster of its own and one cell wide: then lengths and offsets are cells. */
export function isSingleCells(text: string): boolean {
  return SINGLE_CELLS.test(text);
}

/** Segmenting costs the square of the length (V8: 3 s for 64 000 characters), so long text is segmented piece by piece. */
const WINDOW = 512;

/** The clusters that a person would call characters, in order. */
export function graphemes(text: string): readonly string[] {
  if (isSingleCells(text)) return text.split('');
  if (text.length <= WINDOW) return segments(text);
  const clusters: string[] = [];
  let window = WINDOW;
  for (let at = 0; at < text.length; ) {
    // Half a surrogate pair at the end would count as a cluster of its own.
    const end = /[\ud800-\udbff]/.test(text.charAt(at + window - 1)) ? at + window + 1 : at + window;
    const found = segments(text.slice(at, end));
    const isEnd = end >= text.length;
    // The last cluster of a piece may go on in the next one: the next piece begins with it.
    const whole = isEnd ? found.length : found.length - 1;
    if (whole === 0) {
      window *= 2;
      continue;
    }
    window = WINDOW;
    for (let i = 0; i < whole; i++) {
      const cluster = found[i] ?? '';
      clusters.push(cluster);
      at += cluster.length;
    }
  }
  return clusters;
}

function segments(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** A bounded memory of cluster widths: measuring one costs 10 µs, looking it up 0.1 µs. */
function createWidthCache(limit: number): (cluster: string) => number {
  const known = new Map<string, number>();
  return (cluster) => {
    const hit = known.get(cluster);
    if (hit !== undefined) return hit;
    const width = Math.min(2, stringWidth(cluster));
    if (known.size >= limit) known.clear();
    known.set(cluster, width);
    return width;
  };
}

/** Cells that one grapheme cluster takes: 0, 1 or 2. */
export const clusterWidth: (cluster: string) => number = createWidthCache(8192);

/** Cells that `text` takes. */
export function cellWidth(text: string): number {
  if (isSingleCells(text)) return text.length;
  let width = 0;
  for (const cluster of graphemes(text)) width += clusterWidth(cluster);
  return width;
}

/** `text` cut to at most `cells`; when something was cut the last cell shows `…`. */
export function truncate(text: string, cells: number): string {
  if (cells <= 0) return '';
  if (cellWidth(text) <= cells) return text;
  let kept = '';
  let width = 0;
  for (const cluster of graphemes(text)) {
    const next = clusterWidth(cluster);
    if (width + next > cells - 1) break;
    kept += cluster;
    width += next;
  }
  return `${kept}…`;
}

/** `text` filled with blanks (or cut) to exactly `cells`. */
export function padEnd(text: string, cells: number): string {
  const cut = truncate(text, cells);
  return cut + ' '.repeat(Math.max(0, cells - cellWidth(cut)));
}
