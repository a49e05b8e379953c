/** The charts of blessed-contrib, drawn without a screen and read back as rows. */

import fc from 'fast-check';
import { loadCharts } from '../../lib/tui/charts.js';
import type { ChartRequest } from '../../lib/view/charts.js';

const draw = loadCharts();
const text = (request: ChartRequest): readonly string[] =>
  draw(request).map((runs) =>
    runs
      .map((run) => run.text)
      .join('')
      .trimEnd(),
  );
const inks = (request: ChartRequest): ReadonlySet<string> =>
  new Set(draw(request).flatMap((runs) => runs.flatMap((run) => (run.text.trim() === '' ? [] : [run.ink]))));

test('a line rises with its values, has an axis with labels, and each its ink', () => {
  const request: ChartRequest = { kind: 'line', labels: ['#1', '#2', '#3'], values: [0, 500, 1000], cols: 40, rows: 8 };
  const rows = text(request);
  expect(rows).toHaveLength(8);
  expect(rows[0]?.search(/[⠁-⣿](?=[^⠁-⣿]*$)/u)).toBeGreaterThan(rows[4]?.search(/[⠁-⣿](?=[^⠁-⣿]*$)/u) ?? 0);
  expect(rows.join('\n')).toMatch(/#1 +#2 +#3/);
  expect([...inks(request)].sort()).toEqual(['axis', 'data', 'label']);
});

test('a bar is as high as its value, with its words in it, without any colour', () => {
  const bars = [
    { label: 'gpt', value: 0.3, text: '$0.30' },
    { label: 'kimi', value: 0.15, text: '$0.15' },
    { label: '日本', value: 0, text: '–' },
  ];
  const rows = text({ kind: 'bar', bars, cols: 42, rows: 9 });
  const height = (at: number) => rows.filter((row) => row[at] === '█').length;
  expect([height(0), height(14), height(28)]).toEqual([7, 4, 0]);
  expect(rows.join('\n')).toMatch(/\$0\.30.*\$0\.15/);
  expect(rows.join('\n')).toMatch(/gpt +kimi +\?\?/);
});

test.each([
  [0, '0%'],
  [0.005, '1%'],
  [0.5, '50%'],
  [1, '100%'],
])('a donut of %d says %s, and what is left of it shows without colours', (share, says) => {
  const request: ChartRequest = { kind: 'donut', parts: [{ label: 'cached', share }], cols: 40, rows: 9 };
  const all = text(request).join('\n');
  expect(all).toContain(says);
  expect(all).toContain('cached');
  expect(all.includes('·')).toBe(share < 1);
});

test('a gauge is one row, filled by its share', () => {
  const filled = (share: number) => (text({ kind: 'gauge', share, cols: 50, rows: 1 })[0]?.match(/█/g) ?? []).length;
  expect(text({ kind: 'gauge', share: 0.5, cols: 50, rows: 1 })).toHaveLength(1);
  expect(filled(0.5)).toBeGreaterThanOrEqual(24);
  expect(filled(0.5)).toBeLessThanOrEqual(27);
  expect(filled(1)).toBeGreaterThanOrEqual(49);
  expect(filled(0.02)).toBeLessThanOrEqual(3);
});

test('any size and any values give rows that fit', () => {
  const value = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e12, noNaN: true }));
  const label = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
  const size = { cols: fc.integer({ min: 20, max: 200 }), rows: fc.integer({ min: 4, max: 20 }) };
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const request = fc.oneof(
    fc.record({
      kind: fc.constant('line' as const),
      labels: fc.array(label),
      values: fc.array(value, { minLength: 1, maxLength: 60 }),
      ...size,
    }),
    fc.record({ kind: fc.constant('bar' as const), bars: fc.array(fc.record({ label, value, text: label }), { minLength: 1 }), ...size }),
    fc.record({
      kind: fc.constant('donut' as const),
      parts: fc.array(fc.record({ label, share }), { minLength: 1, maxLength: 3 }),
      ...size,
    }),
    fc.record({ kind: fc.constant('gauge' as const), share, ...size }),
  );
  fc.assert(
    fc.property(request, (wanted) => {
      const rows = text(wanted);
      expect(rows.length).toBeLessThanOrEqual(wanted.rows);
      for (const row of rows) {
        expect(row.length).toBeLessThanOrEqual(wanted.cols);
        expect(row).toMatch(/^[\x20-\x7e█·⠁-⣿]*$/u);
      }
    }),
    { seed: 4, numRuns: 200 },
  );
});
