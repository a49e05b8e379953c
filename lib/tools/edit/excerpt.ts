/** The part of a large file that an edit changes, with a few lines around it: what a person is asked about, instead of all of it. */

/** A part of both texts that holds all that differs; it begins and ends with whole lines. */
export interface Excerpt {
  /** Its place in the old text. */
  readonly from: number;
  readonly to: number;
  /** Its first line, counted from 1. */
  readonly firstLine: number;
  readonly before: string;
  readonly after: string;
}

/** Unchanged lines that are shown around a change. */
const AROUND = 3;

/** The part in which `before` and `after` differ. */
export function excerptOf(before: string, after: string): Excerpt {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const from = backward(before, head);
  const to = forward(before, before.length - tail);
  return {
    from,
    to,
    firstLine: lineEndsIn(before.slice(0, from)) + 1,
    before: before.slice(from, to),
    after: after.slice(from, after.length - (before.length - to)),
  };
}

/** Where the line begins that is so many lines before `at`. */
function backward(text: string, at: number): number {
  let from = text.lastIndexOf('\n', at - 1);
  if (at === 0) return 0;
  for (let i = 0; i < AROUND && from > 0; i++) from = text.lastIndexOf('\n', from - 1);
  return from + 1;
}

/** Where the line ends that is so many lines behind `at`. */
function forward(text: string, at: number): number {
  let to = at;
  for (let i = 0; i <= AROUND; i++) {
    const next = text.indexOf('\n', to);
    if (next < 0) return text.length;
    to = next + 1;
  }
  return to;
}

function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
