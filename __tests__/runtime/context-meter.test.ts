/** How much a request may have: what the maker of the model says, and what its server takes. */

import { ContextMeter } from '../../lib/runtime/context-meter.js';

test('an estimate is corrected by what the server counted, within bounds', () => {
  const meter = new ContextMeter();
  expect(meter.corrected(1000)).toBe(1000);
  for (let n = 0; n < 30; n++) meter.learn(1000, 1500);
  expect(meter.corrected(1000)).toBeGreaterThan(1480);
  expect(Math.abs(meter.uncorrected(meter.corrected(1000)) - 1000)).toBeLessThanOrEqual(1);
  for (let n = 0; n < 100; n++) meter.learn(1000, 900_000);
  expect(meter.corrected(1000)).toBeLessThanOrEqual(2500);
});

test('a refusal makes the window smaller: to four fifths of what was refused, or to what was taken before', () => {
  const meter = new ContextMeter();
  expect(meter.limit(12_000)).toBe(12_000);
  meter.refused(8000);
  expect(meter.limit(12_000)).toBe(6400);
  const other = new ContextMeter();
  other.accepted(7700);
  other.refused(8000);
  expect(other.limit(12_000)).toBe(7700);
  // A server that takes less now than it did.
  other.refused(7000);
  expect(other.limit(12_000)).toBe(5600);
  other.accepted(6000);
  expect(other.limit(12_000)).toBe(6000);
  expect(other.limit(4000)).toBe(4000);
});

test('summaries are given up after two that did not help, and not for ever', () => {
  const meter = new ContextMeter();
  meter.summaryFailed();
  meter.summaryHelped();
  meter.summaryFailed();
  expect(meter.isSummaryGivenUp).toBe(false);
  meter.summaryFailed();
  expect(meter.isSummaryGivenUp).toBe(true);
  meter.summaryHelped();
  expect(meter.isSummaryGivenUp).toBe(false);
});
