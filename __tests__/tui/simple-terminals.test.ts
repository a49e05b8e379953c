/** What is thought of a terminal by its name. */

import { isSimple, isWithoutUtf8 } from '../../lib/tui/simple-terminals.js';

test.each<readonly [term: string, withoutUtf8: boolean, simple: boolean]>([
  ['vt100', true, true],
  ['vt220', true, true],
  ['ansi', true, true],
  ['cygwin', true, true],
  ['dumb', true, true],
  ['linux', false, true],
  ['linux-16color', false, true],
  ['cons25', false, true],
  ['con132x25', false, true],
  ['contour', false, false],
  ['konsole', false, false],
  ['vte-256color', false, false],
  ['xterm-256color', false, false],
  ['tmux-256color', false, false],
  ['', false, false],
])('TERM=%s', (term, withoutUtf8, simple) => {
  expect([isWithoutUtf8(term), isSimple(term)]).toEqual([withoutUtf8, simple]);
});
