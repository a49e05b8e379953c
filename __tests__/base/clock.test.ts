/** The machine's clock, where Node's timers have a limit. */

import { jest } from '@jest/globals';
import { systemClock } from '../../lib/base/clock.js';

test('a time longer than timers of Node can wait is waited for, not taken for none', async () => {
  jest.useFakeTimers();
  try {
    let fired = 0;
    systemClock.after(30 * 86_400_000, () => fired++);
    const cancelled = systemClock.after(30 * 86_400_000, () => fired++);
    await jest.advanceTimersByTimeAsync(29 * 86_400_000);
    expect(fired).toBe(0);
    cancelled.dispose();
    await jest.advanceTimersByTimeAsync(2 * 86_400_000);
    expect(fired).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});
