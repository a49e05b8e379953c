/** Fuzzy search: the letters of the query in order, the better the nearer they stand to starts of words and to each other. */

/** How well a text fits, and which of its characters (UTF-16 offsets) were found. */
export interface FuzzyMatch {
  readonly score: number;
  readonly at: readonly number[];
}

const START = 8;
const BOUNDARY = 6;
const NEXT = 5;
const GAP = 1;
const MOST_GAP = 6;
const WORD_BREAK = /[\s/._:@-]/;

/** Null when `text` does not hold all letters of `query` in order. Blanks separate parts that may stand in any order. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | null {
  const parts = query
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '');
  const found = parts.map((part) => matchPart(part, text));
  if (found.some((match) => match === null)) return null;
  const matches = found.filter((match) => match !== null);
  const at = [...new Set(matches.flatMap((match) => match.at))].sort((a, b) => a - b);
  // Of two that fit alike the shorter one was probably meant.
  return { score: matches.reduce((sum, match) => sum + match.score, 0) - text.length / 100, at };
}

function matchPart(part: string, text: string): FuzzyMatch | null {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return exactPart(part, lower);
  let best: FuzzyMatch | null = null;
  // Each place where the first letter stands may begin the best match; few are enough.
  for (
    let from = lower.indexOf(part[0] ?? ''), tries = 0;
    from >= 0 && tries < 20;
    from = lower.indexOf(part[0] ?? '', from + 1), tries++
  ) {
    const match = matchFrom(part, lower, text, from);
    if (match === null) break;
    if (best === null || match.score > best.score) best = match;
  }
  return best;
}

/** Lower case has another length (İ): only whole parts are looked for. */
function exactPart(part: string, lower: string): FuzzyMatch | null {
  return lower.includes(part) ? { score: part.length, at: [] } : null;
}

function matchFrom(part: string, lower: string, text: string, from: number): FuzzyMatch | null {
  const at: number[] = [];
  let score = 0;
  let last = -2;
  for (let i = 0, next = from; i < part.length; i++, next = last + 1) {
    const here = i === 0 ? from : lower.indexOf(part[i] ?? '', next);
    if (here < 0) return null;
    if (here === 0) score += START;
    else if (WORD_BREAK.test(text[here - 1] ?? '') || (/[a-z]/.test(text[here - 1] ?? '') && /[A-Z]/.test(text[here] ?? '')))
      score += BOUNDARY;
    if (here === last + 1) score += NEXT;
    else if (last >= 0) score -= Math.min(MOST_GAP, (here - last) * GAP);
    at.push(here);
    last = here;
  }
  return { score: score + part.length, at };
}

/** The entries that fit, the best first; in the given order when the query is empty or they fit alike. */
export function fuzzyFilter<T>(
  query: string,
  entries: readonly T[],
  textOf: (entry: T) => string,
): readonly { readonly entry: T; readonly match: FuzzyMatch }[] {
  const found = entries.flatMap((entry) => {
    const match = fuzzyMatch(query, textOf(entry));
    return match === null ? [] : [{ entry, match }];
  });
  return query.trim() === '' ? found : found.sort((a, b) => b.match.score - a.match.score);
}
