/** A text in which characters that look alike are one, with the way back to where each came from. Lines stay lines. */

/** The stretches that a line is made of, one list for each of their sides: there may be millions in a long line. */
interface Stretches {
  /** Where each begins in the line; at the end the length of the line. */
  readonly from: readonly number[];
  /** Where what it is folded to begins; at the end where all ends. */
  readonly at: readonly number[];
  /** Each of its characters stands for itself. */
  readonly plain: readonly boolean[];
}

/** A folded line. */
export interface FoldedLine {
  readonly text: string;
  /** Null: every character stands for itself. */
  readonly stretches: Stretches | null;
}

/** How lines are folded; their number of characters may change, never where lines end. */
export type Fold = (line: string) => FoldedLine;

/** Only line ends are folded. */
export const asItIs: Fold = (line) => ({ text: line, stretches: null });

/**
 * The parts of a Hangul syllable, a character with its marks, any other that is not ASCII: what NFKC may make one or several of. Nobody writes
 * more marks on a character, and to put very many in order takes minutes.
 */
const CLUSTER = /[\u1100-\u115f][\u1160-\u11a7]+[\u11a8-\u11ff]*|\P{M}\p{M}{1,32}|[^\x00-\x7f]/gu;
/** What has no look of its own, or only chooses between two. A joiner is not among them: it makes another emoji. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]|[\ufe0e\ufe0f]/g;

/** Quotes, dashes and blanks of all sorts, composed characters (NFKC); blanks at the end are left out. */
export const characters: Fold = (line) => {
  if (/^[\x00-\x7f]*$/.test(line)) return { text: withoutEnd(line), stretches: null };
  const texts: string[] = [];
  const stretches = { from: [] as number[], at: [] as number[], plain: [] as boolean[] };
  let [done, at] = [0, 0];
  const add = (text: string, to: number, plain: boolean) => {
    stretches.from.push(done);
    stretches.at.push(at);
    stretches.plain.push(plain);
    texts.push(text);
    at += text.length;
    done = to;
  };
  for (const { 0: cluster, index } of line.matchAll(CLUSTER)) {
    if (index > done) add(line.slice(done, index), index, true);
    add(alike(cluster), index + cluster.length, false);
  }
  if (done < line.length) add(line.slice(done), line.length, true);
  stretches.from.push(done);
  stretches.at.push(at);
  return { text: withoutEnd(texts.join('')), stretches };
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

/** Where the folded offset `at` came from: where what follows it begins, or where what is before it ends. Null: inside of a cluster. */
export function unfolded(line: string, { text, stretches }: FoldedLine, at: number, side: 'from' | 'to'): number | null {
  if (at > text.length) return null;
  if (side === 'from' && at === text.length) return line.length;
  if (stretches === null || (side === 'to' && at === 0)) return at;
  // What follows an offset is in the last stretch that begins there; what is before it ends where the first one does.
  const i = side === 'from' ? lastUpTo(stretches.at, at) : lastUpTo(stretches.at, at - 1);
  const [from = 0, to = 0] = stretches.from.slice(i, i + 2);
  const inside = at - (stretches.at[i] ?? 0);
  if (stretches.plain[i] === true || inside === 0) return from + inside;
  return side === 'to' && at === stretches.at[i + 1] ? to : null;
}

/** The folded offset of a place in the line; null: inside of a cluster, or among the blanks at its end. */
export function folded(place: number, { text, stretches }: FoldedLine): number | null {
  if (stretches === null) return place <= text.length ? place : null;
  const i = lastUpTo(stretches.from, place);
  const inside = place - (stretches.from[i] ?? 0);
  if (inside > 0 && stretches.plain[i] !== true) return null;
  const at = (stretches.at[i] ?? 0) + inside;
  return at <= text.length ? at : null;
}

/** The last entry of a growing list that is not more than `most`. */
function lastUpTo(list: readonly number[], most: number): number {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((list[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
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
  /** Each line without what it is indented by, a line end before and behind each. */
  bare(): string;
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
  let bare: string | null = null;
  return {
    text: parts.join('\n'),
    lines,
    bare: () => (bare ??= `\n${parts.map((part) => part.trimStart()).join('\n')}\n`),
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
