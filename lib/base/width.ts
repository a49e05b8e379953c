/** Text measured in terminal cells, by grapheme cluster: widths as xterm and tmux have them. */

import { lazy, measureCluster } from './cluster-width.js';

const segmenter = lazy(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/** ASCII, Latin letters, general punctuation, box drawing and blocks: never wide, never joining a neighbour of their kind. */
const SINGLE_CELLS = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2500-\u25a9]*$/;

/** True when every UTF-16 unit of `text` is a cluster of its own and one cell wide: then lengths and offsets are cells. */
export function isSingleCells(text: string): boolean {
  return SINGLE_CELLS.test(text);
}

/**
 * Those, Greek, Cyrillic, symbols, kana, Han and whole Hangul syllables: with no joiner, mark or selector among them each is a cluster of its
 * own (Unicode Standard Annex #29). Finding that out by segmenting takes 10 µs for each of them.
 */
const OWN_CLUSTERS =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0377\u0391-\u03a1\u03a3-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u27ff\u2801-\u28ff\u3001-\u3029\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;

/** Segmenting costs the square of the length (V8: 3 s for 64 000 characters), so long text is segmented piece by piece. */
const WINDOW = 512;

/** The clusters that a person would call characters, in order; those of several letters in parts of one letter each. */
export function graphemes(text: string): readonly string[] {
  if (OWN_CLUSTERS.test(text)) return text.split('');
  if (text.length <= WINDOW) return segments(text);
  const clusters: string[] = [];
  walk(text, (cluster) => {
    clusters.push(cluster);
    return true;
  });
  return clusters;
}

/** Calls `visit` with each cluster until it answers false: what comes after that is not looked at. */
function walk(text: string, visit: (cluster: string) => boolean): void {
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
      if (!visit(cluster)) return;
      at += cluster.length;
    }
  }
}

/** Each UTF-16 unit is a cluster of its own: Latin, Greek, Cyrillic, kana, CJK, Hangul syllables. Asking the segmenter costs 50 times more. */
const NEVER_JOINS =
  /^[\x20-\x7e\xa1-\xa8\xaa-\xac\xaf-\u02ff\u0370-\u0482\u048a-\u0558\u2010-\u2027\u2500-\u25a9\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff\uac00-\ud7a3]*$/;

function segments(text: string): readonly string[] {
  if (NEVER_JOINS.test(text)) return text.split('');
  const found: string[] = [];
  for (const { segment } of segmenter().segment(text)) {
    if (segment.length > 1 && ADVANCES.test(segment.slice((segment.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)))
      found.push(...advances(segment));
    else found.push(segment);
  }
  return found;
}

/**
 * What takes cells of its own behind another character of its cluster: letters (not the later jamo of a syllable), spacing marks, and what a
 * letter that joins whatever follows (Unicode's Prepend) has taken in: a blank, a digit, punctuation.
 */
const ADVANCES = /(?![\u1160-\u11ff\ud7b0-\ud7ff])[\p{L}\p{Mc}\p{P}\p{Nd}\x20-\x7e]/u;

/**
 * The parts of a cluster of several letters: Indic conjuncts, Thai and Lao vowels, loose jamo. Terminals give each letter its cells;
 * whoever gives such a cluster fewer cells than it takes cuts letters off. A part takes two cells at most.
 */
function advances(cluster: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of cluster) {
    const isNext =
      part !== '' && ADVANCES.test(character) && (/[\p{L}\p{P}\p{Nd}\x20-\x7e]/u.test(character) || measureCluster(part + character) > 2);
    if (isNext) parts.push(part);
    part = isNext ? character : part + character;
  }
  return [...parts, part];
}

/** A bounded memory of cluster widths: measuring one costs 10 µs, looking it up 0.1 µs. */
function createWidthCache(limit: number): (cluster: string) => number {
  const known = new Map<string, number>();
  return (cluster) => {
    const hit = known.get(cluster);
    if (hit !== undefined) return hit;
    const width = Math.min(2, measureCluster(cluster));
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

/** The same when it is at most `most`; of longer text only so much is measured as tells that it is more. */
export function cellWidthUpTo(text: string, most: number): number {
  if (isSingleCells(text)) return text.length;
  let width = 0;
  walk(text, (cluster) => {
    width += clusterWidth(cluster);
    return width <= most;
  });
  return width;
}

/** `text` cut to at most `cells`; when something was cut the last cell shows `…`. */
export function truncate(text: string, cells: number): string {
  if (cells <= 0) return '';
  if (isSingleCells(text)) return text.length <= cells ? text : `${text.slice(0, cells - 1)}…`;
  let kept = 0;
  let width = 0;
  let length = 0;
  walk(text, (cluster) => {
    width += clusterWidth(cluster);
    length += cluster.length;
    if (width <= cells - 1) kept = length;
    return width <= cells;
  });
  return width <= cells ? text : `${text.slice(0, kept)}…`;
}

/** `text` filled with blanks (or cut) to exactly `cells`. */
export function padEnd(text: string, cells: number): string {
  const cut = truncate(text, cells);
  return cut + ' '.repeat(Math.max(0, cells - cellWidth(cut)));
}
