/** The cursor of the pane, drawn into its row: the cells keep their places. */

import fc from 'fast-check';
import { type Row, rowOf, rowText } from '../../lib/base/style.js';
import { visible } from '../../lib/base/visible.js';
import { segmentsWidth } from '../../lib/view/rows/lines.js';
import { withCursor } from '../../lib/view/widgets/pane-cursor.js';
import { sliceRow } from '../../lib/view/widgets/pieces.js';

const look = { inverse: true };
const row = (...parts: readonly (readonly [string, object])[]): Row =>
  rowOf(...parts.map(([text, style]) => ({ text: visible(text), style })));

test('a block inverts the cell under it, also behind the end and over both halves of a wide character', () => {
  const line = row(['ab', { fg: 1 }], ['漢c', {}]);
  expect(withCursor(line, 1, 'block', look)).toEqual(row(['a', { fg: 1 }], ['b', { fg: 1, inverse: true }], ['漢c', {}]));
  expect(withCursor(line, 2, 'block', look)).toEqual(row(['ab', { fg: 1 }], ['漢', look], ['c', {}]));
  expect(withCursor(line, 7, 'block', look)).toEqual(row(['ab', { fg: 1 }], ['漢c', {}], ['  ', {}], [' ', look]));
  expect(withCursor(row(), 0, 'block', look)).toEqual(row([' ', look]));
  expect(withCursor(row(['a', look]), 0, 'block', look)).toEqual(row(['a', { inverse: false }]));
});

test('an underline underlines it; a bar stands in a blank cell, and underlines a letter', () => {
  const line = row(['a b', { bg: 4 }]);
  expect(withCursor(line, 0, 'underline', look).segments[0]).toEqual({ text: 'a', style: { bg: 4, underline: true } });
  expect(withCursor(line, 1, 'bar', look)).toEqual(row(['a', { bg: 4 }], ['▏', { bg: 4 }], ['b', { bg: 4 }]));
  expect(withCursor(line, 2, 'bar', look).segments[1]).toEqual({ text: 'b', style: { bg: 4, underline: true } });
});

test('no cell moves, whatever stands there', () => {
  const text = fc.array(fc.constantFrom('a', ' ', '漢', 'é', '👩‍💻', '┃'), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 3 }),
      fc.nat(30),
      fc.constantFrom('block' as const, 'underline' as const),
      (texts, x, shape) => {
        const line = row(...texts.map((part, i) => [part, { fg: i }] as const));
        const shown = withCursor(line, x, shape, look);
        const width = segmentsWidth(line.segments);
        const before = (of: Row) => rowText(sliceRow(of, 0, Math.min(x, width)));
        expect(segmentsWidth(shown.segments)).toBe(Math.max(width, x + 1));
        expect(before(shown)).toBe(before(line));
      },
    ),
    { seed: 7, numRuns: 300 },
  );
});
