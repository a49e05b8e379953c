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

test('the files among the instructions follow, each with its tokens', () => {
  const parts = [{ kind: 'instructions', tokens: 10, count: null }] as const;
  const files = [
    { path: '/srv/AGENTS.md', tokens: 1200 },
    { path: '/srv/app/AGENTS.md', tokens: 7 },
  ];
  const told = { type: 'context.told', windowTokens: 10_000, isMeasured: false, parts, files } as const;
  expect(seen(stateAfter(120, 30, [startedEvent(), told]))).toMatch(
    /files among the instructions:.*\n.*\/srv\/AGENTS\.md {2}1\.2k.*\n.*\/srv\/app\/AGENTS\.md {2}7/,
  );
});
