/** Text in cells: clusters of long texts, and rows that hold all of a line. */

import fc from 'fast-check';
import { rowText } from '../../../lib/base/style.js';
import { visible } from '../../../lib/base/visible.js';
import { cellWidth, graphemes } from '../../../lib/base/width.js';
import { layOut, textLines } from '../../../lib/view/rows/lines.js';

const unit = fc.constantFrom('a', ' ', 'é', '日', '👩‍👩‍👧', '🇩🇪', '🇩', 'e\u0301', '\u0301', '👍🏽', '\u200d', '각', 'ก็');

test('a long text has the clusters that it has in one piece', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  fc.assert(
    fc.property(fc.array(unit, { minLength: 400, maxLength: 1500 }), (parts) => {
      const text = parts.join('');
      expect(graphemes(text)).toEqual(Array.from(segmenter.segment(text), (part) => part.segment));
    }),
    { numRuns: 30, seed: 2026 },
  );
  const flood = `a${'\u0301'.repeat(3000)}b`;
  expect(graphemes(flood).length).toBe(2);
});

test('a line of half a million wide characters is laid out piece by piece', () => {
  const { rows } = layOut(textLines('日'.repeat(500_000), {}, true), 100, null, null);
  expect(rows.length).toBe(10_000);
});

test('hard wrap keeps every character, soft wrap every word', () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 120 }), fc.integer({ min: 4, max: 40 }), (parts, width) => {
      const text = visible(parts.join(''));
      const hard = layOut(textLines(text, {}, true), width, null, null).rows.map(rowText);
      expect(hard.join('')).toBe(text);
      const soft = layOut(textLines(text, {}), width, null, null).rows.map(rowText);
      expect(soft.join('').replace(/ /g, '')).toBe(text.replace(/ /g, ''));
      expect([...hard, ...soft].filter((row) => cellWidth(row) > width)).toEqual([]);
    }),
    { numRuns: 300, seed: 2026 },
  );
});
