/** The byte oracle: all that a full-screen run may send to a terminal, and whatever else it sent. */

import { ASK_KITTY, ENTER, MOUSE_ON, RESET } from '../../lib/tui/modes.js';

/** What frames are made of. Sources: ECMA-48 (CUP, CUF, EL, ED, SGR); DEC private modes 25 and 2026; DECSCUSR. */
const FRAME_SEQUENCE =
  /\x1b\[(?:(?:[1-9]\d{0,3}(?:;[1-9]\d{0,3})?)?H|(?:[1-9]\d{0,3})?C|K|2J|[0246] q|\?25[hl]|\?2026[hl]|(?:0(?:;(?:[1234579]|[34][0-7]|9[0-7]|10[0-7]|[34]8;5;\d{1,3}|[34]8;2;\d{1,3};\d{1,3};\d{1,3}))*)?m)/y;
/** Text that a person sees, cell by cell: no control, no format, private or unassigned character, no blank-looking filler. */
const SEEN = /(?:(?!\u034f|[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|[\u{e0100}-\u{e01ef}]).)+/suy;

/** The stream in three: what takes the terminal, the frames, and what follows the reset. Throws when it is not made so. */
export function parted(raw: string): { readonly frames: string; readonly after: string } {
  const begin = ENTER + MOUSE_ON + ASK_KITTY;
  const end = raw.indexOf(RESET);
  if (!raw.startsWith(begin)) throw new Error(`it begins with ${JSON.stringify(raw.slice(0, 80))}`);
  return end < 0
    ? { frames: raw.slice(begin.length), after: '' }
    : { frames: raw.slice(begin.length, end), after: raw.slice(end + RESET.length) };
}

/** Every place of `frames` that is neither a frame's own sequence nor text to be seen, with what stands around it. */
export function foreignBytes(frames: string, alsoSeen = ''): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < frames.length && found.length < 10; ) {
    const matched = [SEEN, FRAME_SEQUENCE].some((pattern) => {
      pattern.lastIndex = at;
      if (!pattern.test(frames)) return false;
      at = pattern.lastIndex;
      return true;
    });
    if (matched) continue;
    if (!alsoSeen.includes(frames.charAt(at))) found.push(JSON.stringify(frames.slice(Math.max(0, at - 20), at + 20)));
    at += 1;
  }
  return found;
}
