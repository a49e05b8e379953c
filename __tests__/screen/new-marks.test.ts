/** Combining marks that are newer than a terminal's tables of widths have a cell of their own there: nothing of them stays behind. */

import { plain, rowOf } from '../../lib/base/style.js';
import { visible } from '../../lib/base/visible.js';
import type { Frame } from '../../lib/view/widget.js';
import { createSurface } from './fuzz/dashboard-under-test.js';
import { createCellCheck } from './fuzz/invariants.js';

const COLS = 24;
/** Of Unicode 14 to 17, which the terminal of the tests (Unicode 11) does not know, beside old ones of several scripts. */
const fresh = ['\u1add', '\u0897', '\u0898', '\u08ca', '\u1acf', '\u{10efd}', '\u{1e08f}'];
const old = ['\u0301', '\u2df8', '\u0591', '\u064b', '\u093f', '\u0e33', '\u20dd', '\ufe0f', '\u3099'];

const frameOf = (text: string): Frame => ({
  size: { cols: COLS, rows: 1 },
  parts: [{ rect: { x: 0, y: 0, cols: COLS, rows: 1 }, rows: [rowOf({ text: visible(text), style: plain })] }],
  cursor: null,
});

test('in pairs, one picture after the other', () => {
  const surface = createSurface({ cols: COLS, rows: 1 }, 'truecolor');
  const cells = createCellCheck(surface.terminal);
  const marks = [...fresh, ...old];
  for (const one of marks)
    for (const two of marks)
      for (const text of [`x${one}${two}y`, `${one}${two}z`, `w ${two}${one}`, `${one}x${two}${one}${two}`]) {
        const frame = frameOf(text);
        cells.check(frame, surface.paint(frame), false);
      }
  expect(surface.terminal.line(0).length).toBeGreaterThan(0);
});
