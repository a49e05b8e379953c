/** The shortest way from one list to another (Myers, "An O(ND) Difference Algorithm", 1986), with a bound on how long it is looked for. */

/** A run of both lists that is the same (`kept`), or what stands in one list only. Ends are exclusive. */
export interface Edit {
  readonly kept: boolean;
  readonly from: number;
  readonly to: number;
  readonly otherFrom: number;
  readonly otherTo: number;
}

/** Runs in order that together cover both lists. Lists that differ in more than `most` places are all replaced between what they share at both ends. */
export function editScript(one: readonly string[], other: readonly string[], most: number): readonly Edit[] {
  let head = 0;
  while (head < one.length && head < other.length && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < one.length - head && tail < other.length - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++;
  const pairs = matches(one.slice(head, one.length - tail), other.slice(head, other.length - tail), most);
  const kept: (readonly [number, number])[] = [];
  for (let i = 0; i < head; i++) kept.push([i, i]);
  for (const [a, b] of pairs) kept.push([a + head, b + head]);
  for (let i = tail; i > 0; i--) kept.push([one.length - i, other.length - i]);
  return runs(kept, one.length, other.length);
}

function runs(kept: readonly (readonly [number, number])[], oneLength: number, otherLength: number): readonly Edit[] {
  const edits: Edit[] = [];
  let a = 0;
  let b = 0;
  for (let i = 0; i <= kept.length; ) {
    const [nextA, nextB] = kept[i] ?? [oneLength, otherLength];
    if (nextA > a || nextB > b) edits.push({ kept: false, from: a, to: nextA, otherFrom: b, otherTo: nextB });
    let count = 0;
    while (kept[i + count]?.[0] === nextA + count && kept[i + count]?.[1] === nextB + count) count++;
    if (count === 0) break;
    a = nextA + count;
    b = nextB + count;
    edits.push({ kept: true, from: nextA, to: a, otherFrom: nextB, otherTo: b });
    i += count;
  }
  return edits;
}

/** Pairs of places that stay, in order; none when there are more than `most` differences. */
function matches(one: readonly string[], other: readonly string[], most: number): readonly (readonly [number, number])[] {
  const limit = Math.min(most, one.length + other.length);
  const furthest = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  const middle = limit + 1;
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(furthest.slice(middle - edits - 1, middle + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const below = furthest[middle + k + 1] ?? 0;
      const left = (furthest[middle + k - 1] ?? 0) + 1;
      let x = k === -edits || (k !== edits && left <= below) ? below : left;
      while (x < one.length && x - k < other.length && one[x] === other[x - k]) x++;
      furthest[middle + k] = x;
      if (x >= one.length && x - k >= other.length) return walkBack(trace, one.length, other.length);
    }
  }
  return [];
}

function walkBack(trace: readonly Int32Array[], length: number, otherLength: number): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let x = length;
  let y = otherLength;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reached = trace[edits] ?? new Int32Array();
    const at = (k: number): number => reached[k + edits + 1] ?? 0;
    const k = x - y;
    const before = k === -edits || (k !== edits && at(k - 1) + 1 <= at(k + 1)) ? k + 1 : k - 1;
    const startX = edits === 0 ? 0 : at(before);
    const startY = edits === 0 ? 0 : startX - before;
    while (x > startX && y > startY) {
      pairs.push([x - 1, y - 1]);
      x--;
      y--;
    }
    x = startX;
    y = startY;
  }
  return pairs.reverse();
}
