/** A text in which characters that look alike are one, with the way back to where each came from. Lines stay lines. */

/** What a stretch of a line is folded to. */
interface Piece {
  readonly from: number;
  readonly to: number;
  /** Where its folded text begins. */
  readonly at: number;
  readonly text: string;
}

/** A folded line. */
export interface FoldedLine {
  readonly text: string;
  /** Null: every character stands for itself. */
  readonly pieces: readonly Piece[] | null;
}

/** How lines are folded; their number of characters may change, never where lines end. */
export type Fold = (line: string) => FoldedLine;

/** Only line ends are folded. */
export const asItIs: Fold = (line) => ({ text: line, pieces: null });

/** A base character with its marks, or the parts of a Hangul syllable: what NFKC may make one of. */
const CLUSTER = /[\u1100-\u115f][\u1160-\u11a7]+[\u11a8-\u11ff]*|\P{M}\p{M}*|\p{M}+/gu;
/** What has no look of its own. A joiner is not among them: it makes another emoji. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;

/** Quotes, dashes and blanks of all sorts, composed characters (NFKC); blanks at the end are left out. */
export const characters: Fold = (line) => {
  if (/^[\x00-\x7f]*$/.test(line)) return { text: withoutEnd(line), pieces: null };
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: cluster, index } of line.matchAll(CLUSTER)) {
    const text = alike(cluster);
    pieces.push({ from: index, to: index + cluster.length, at, text });
    at += text.length;
  }
  return { text: withoutEnd(pieces.map(({ text }) => text).join('')), pieces };
};

function alike(cluster: string): string {
  return cluster
    .normalize('NFKC')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u1680\u180e]/g, ' ')
    .replace(UNSEEN, '');
}

/** Without blanks and tabs at its end. (An expression would look at each blank of a long line anew.) */
function withoutEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--;
  return line.slice(0, end);
}

/** Where the folded offset `at` came from: where what follows it begins, or where what is before it ends. Null: inside of a piece. */
export function unfolded(line: string, { text, pieces }: FoldedLine, at: number, side: 'from' | 'to'): number | null {
  if (at > text.length) return null;
  if (side === 'from' && at === text.length) return line.length;
  if (pieces === null || (side === 'to' && at === 0)) return at;
  for (let i = firstFrom(pieces, at); i < pieces.length && i >= 0; i += side === 'from' ? 1 : -1) {
    const piece = pieces[i];
    const edge = piece === undefined ? -1 : side === 'from' ? piece.at : piece.at + piece.text.length;
    if (piece !== undefined && piece.text !== '' && edge === at) return piece[side];
    if (side === 'from' ? edge > at : edge < at) return null;
  }
  return null;
}

/** The first piece that begins at the folded offset or behind it; for an end, where to look back from. */
function firstFrom(pieces: readonly Piece[], at: number): number {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((pieces[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The folded offset of a place in the line; null: inside of a piece, or among the blanks at its end. */
export function folded(at: number, { text, pieces }: FoldedLine): number | null {
  const found = pieces === null || at === 0 ? at : pieces.find((piece) => piece.to === at);
  if (found === undefined) return null;
  const place = typeof found === 'number' ? found : found.at + found.text.length;
  return place <= text.length ? place : null;
}

/** A line of a text, without its end. */
export interface SourceLine {
  readonly from: number;
  /** Where its line end begins. */
  readonly to: number;
  /** Where it begins in the folded text. */
  readonly at: number;
}

/** A folded text: lines are parted by LF whatever they were parted by. */
export interface FoldedText {
  readonly text: string;
  readonly lines: readonly SourceLine[];
  /** Where a stretch of the folded text came from; null when it begins or ends inside of what one character was folded to. */
  origin(from: number, to: number): { readonly from: number; readonly to: number } | null;
}

/** Folds each line of `text`. */
export function foldText(text: string, fold: Fold): FoldedText {
  const lines: SourceLine[] = [];
  const parts: string[] = [];
  let at = 0;
  for (let from = 0; from <= text.length; ) {
    const lineEnd = text.indexOf('\n', from);
    const next = lineEnd < 0 ? text.length + 1 : lineEnd + 1;
    const to = lineEnd < 0 ? text.length : lineEnd > from && text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd;
    const part = fold(text.slice(from, to)).text;
    lines.push({ from, to, at });
    parts.push(part);
    at += part.length + 1;
    from = next;
  }
  // Many places may be in one long line.
  let last: { readonly line: SourceLine; readonly whole: string; readonly folded: FoldedLine } | null = null;
  const place = (offset: number, side: 'from' | 'to'): number | null => {
    const line = lines[lineAt(lines, offset)];
    if (line === undefined) return null;
    if (side === 'to' && offset === line.at) return line.from;
    if (last?.line !== line) {
      const whole = text.slice(line.from, line.to);
      last = { line, whole, folded: fold(whole) };
    }
    const inside = unfolded(last.whole, last.folded, offset - line.at, side);
    return inside === null ? null : line.from + inside;
  };
  return {
    text: parts.join('\n'),
    lines,
    origin(from, to) {
      const [begins, ends] = [place(from, 'from'), place(to, 'to')];
      return begins === null || ends === null ? null : { from: begins, to: ends };
    },
  };
}

/** Which line an offset is in: of the folded text, or of the text that it was made of (`from`). */
export function lineAt(lines: readonly SourceLine[], offset: number, counted: 'at' | 'from' = 'at'): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle]?.[counted] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
