/** What fills the context window, as it stands in the conversation. */

import { seen, startedEvent, stateAfter } from './support/picture.js';

test.each([
  [200, 50],
  [130, 34],
  [120, 30],
  [100, 30],
  [80, 24],
  [60, 20],
])('on %d columns each part has one row, its share at the end of it', (cols, rows) => {
  const state = stateAfter(cols, rows, [
    startedEvent(),
    {
      type: 'context.told',
      windowTokens: 10_000,
      isMeasured: false,
      parts: [
        { kind: 'prompts', tokens: 10, count: 12 },
        { kind: 'results', tokens: 5000, count: 3 },
      ],
    },
  ]);
  const screen = seen(state);
  expect(screen).toMatch(/prompts and notes \(12\) +█ +10 +<1 %/);
  expect(screen).toMatch(/results of tools \(3\) +█+ +5\.0k +50 %/);
  expect(screen).toMatch(/free +░+ +5\.0k +50 %/);
});
