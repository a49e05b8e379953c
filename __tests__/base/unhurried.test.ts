/** Sorting in steps: the same order as sorting at once, and others have their turn. */

import { systemClock } from '../../lib/base/clock.js';
import { pausing, sortedInSteps } from '../../lib/base/unhurried.js';

const never = new AbortController().signal;

test('sorts as sort does, stable, while timers go on', async () => {
  const entries = Array.from({ length: 60_001 }, (_, at) => ({ key: `k${(at * 7919) % 5003}`, at }));
  const compare = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  let turns = 0;
  const turning = systemClock.every(1, () => turns++);
  const sorted = await sortedInSteps(entries, compare, pausing(systemClock, never));
  turning.dispose();
  expect(sorted).toEqual([...entries].sort(compare));
  expect(turns).toBeGreaterThan(0);
  expect(await sortedInSteps([], compare, pausing(systemClock, never))).toEqual([]);
});

test('an abort ends it', async () => {
  const entries = Array.from({ length: 10_000 }, (_, at) => at);
  await expect(sortedInSteps(entries, (a, b) => a - b, pausing(systemClock, AbortSignal.abort()))).rejects.toMatchObject({
    name: 'AbortError',
  });
});
