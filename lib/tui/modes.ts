/** The modes a full-screen program sets in a terminal and how all of them are taken back (xterm "ctlseqs", DEC private modes). */

/** Wheel and buttons (1000), dragging (1002), in the SGR form (1006) that has no limit of 223 columns. */
export const MOUSE_ON = '\x1b[?1000h\x1b[?1002h\x1b[?1006h';
export const MOUSE_OFF = '\x1b[?1002l\x1b[?1000l\x1b[?1006l';

/**
 * Alternate screen (1049), no wrapping in the last column (7: a cluster whose width the terminal sees differently must not scroll the
 * screen), the title put aside (22;2t), bracketed paste (2004), focus reports (1004), modifyOtherKeys level 1, cursor hidden. The first frame clears.
 */
export const ENTER = '\x1b[?1049h\x1b[22;2t\x1b[?7l\x1b[?2004h\x1b[?1004h\x1b[>4;1m\x1b[?25l';

/**
 * Takes back everything above and everything else that a half-written frame may have left: CAN ends an unfinished sequence; then
 * synchronized output, mouse, focus, paste, key modes (xterm's and Kitty's), cursor shape, look, scroll region, application keys,
 * wrapping, cursor, title, alternate screen.
 */
export const RESET =
  '\x18\x1b[?2026l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[>4;0m\x1b[<u\x1b[0 q\x1b[m\x1b[r' +
  '\x1b[?1l\x1b>\x1b[?7h\x1b[?25h\x1b[23;2t\x1b[?1049l';

/** Does the terminal speak the Kitty keyboard protocol? It answers `KITTY_ANSWER` then; others say nothing. */
export const ASK_KITTY = '\x1b[?u';
export const KITTY_ANSWER = /^\x1b\[\?\d+u$/;

/**
 * Kitty's flags 1 (keys that have no bytes of their own, or share them with others, come as a code) and 4 (with the code on a US keyboard),
 * pushed on the stack of the alternate screen. The pop before it keeps one entry there, however often the terminal is taken; `RESET` pops it.
 */
export const KITTY_ON = '\x1b[<u\x1b[>5u';
