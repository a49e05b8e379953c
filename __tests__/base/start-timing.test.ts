import { createStartTiming } from '../../lib/base/start-timing.js';

test('the parts of a start are told in their order, each with its own time; only its first end counts', () => {
  let nowMs = 0;
  const timing = createStartTiming(() => nowMs);
  const end = (part: string, atMs: number) => {
    nowMs = atMs;
    timing.mark(part);
  };
  end('node', 40);
  end('imports', 110.26);
  end('first picture', 150);
  end('imports', 900);
  expect(timing.report()).toBe(
    [
      'start-up profile: own time, time since the process began',
      'node               40.0 ms      40.0 ms',
      'imports            70.3 ms     110.3 ms',
      'first picture      39.7 ms     150.0 ms',
      '',
    ].join('\n'),
  );
});
