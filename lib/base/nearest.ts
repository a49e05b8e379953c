/** Finding the word somebody probably meant. */

/** Edit distance with neighbours swapped counted as one (optimal string alignment). */
function distance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      next.push(best);
    }
    beforeLast = last;
    last = next;
  }
  return last[b.length] ?? a.length;
}

/** The entry of `known` nearest to `word`, or null when none is near enough to be a slip of the finger. */
export function nearest(word: string, known: Iterable<string>): string | null {
  const lower = word.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const found = distance(lower, candidate.toLowerCase());
    if (found >= bestDistance) continue;
    best = candidate;
    bestDistance = found;
  }
  return best;
}
