/** Long answers are cut into blocks where markdown allows it, so that only the last few kilobytes are lexed again and again. */

/** Characters from which on a cut is looked for; below it lexing costs a few tenths of a millisecond. */
const LONG = 1536;
/** How often one looks: each time so many characters have come, or about an eighth of what there is. */
const STEP = 256;

/**
 * Where to cut `text` in two, 0 for not at all. `before` is how long it was when last asked. A cut falls behind a blank
 * line, outside code fences, before a line that begins a block at the left edge (not a list item, quote or table going on).
 */
export function splitAnswer(text: string, before: number): number {
  // Looked for less often the longer it gets: what cannot be cut (a long fence) is not read over and over.
  let step = STEP;
  while (step * 8 < text.length) step *= 2;
  if (text.length < LONG || Math.floor(text.length / step) === Math.floor(before / step)) return 0;
  let fence = '';
  let cut = 0;
  let blank = false;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    // The last line may still grow: nothing is known about it.
    if (end < 0) break;
    const line = text.slice(at, end);
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const ticks = mark?.[1] ?? '';
    if (fence === '' && blank && /^[^\s>|*+\-\d]/.test(line)) cut = at;
    if (fence === '') fence = ticks;
    else if (ticks.startsWith(fence) && mark?.[2]?.trim() === '') fence = '';
    blank = line.trim() === '';
    at = end + 1;
  }
  return cut;
}
