/** Whatever a model, a command or a file says: nothing that a terminal obeys, and nothing too wide, reaches a row. */

import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { freshModes } from '../../lib/protocol/panes.js';
import { compose } from '../../lib/view/compose.js';
import { check, everywhere, views } from './support/everywhere.js';
import { following, picture, press, START_MS, startedEvent, stateAfter } from './support/picture.js';

const corpus = '../shared/corpora/own/terminal-payloads.json';
const payloads: readonly (readonly [string, string])[] = existsSync(corpus) ? Object.entries(JSON.parse(readFileSync(corpus, 'utf8'))) : [];
if (payloads.length === 0) console.warn(`${corpus} is missing: its payloads are not tried`);

// Jest refuses an empty table.
(payloads.length > 0 ? test.each(payloads) : test.skip.each([['(missing)', '']] as const))('%s', (_name, payload) => {
  check(everywhere(payload, 60, 30));
  for (const view of views(everywhere(payload, 160, 50))) check(view);
});

test('the payloads do reach the screen, said in pictures', () => {
  expect(picture(compose(everywhere('a\x1b]0;PWN\x07b\u202ec', 160, 60), everywhere('', 160, 60).theme)).join('\n')).toContain(
    'a␛]0;PWN␇b<U+202E>c',
  );
});

test('any text at any size keeps to its cells: emoji, CJK, joiners, marks', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '👩‍👩‍👧',
      '日本語',
      'e\u0301',
      '\u0301',
      '🇩🇪',
      '⚠️',
      '❤',
      'ก็',
      'نص',
      '\u200d',
      '\ufe0f',
      '👍🏽',
      'x'.repeat(90),
      ' ',
      '\n',
      '\t',
      '|',
      '- ',
      '# ',
      '> ',
      '1. ',
      '`',
      '**',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 12 }),
      fc.integer({ min: 40, max: 170 }),
      fc.integer({ min: 10, max: 40 }),
      (parts, cols, rows) => {
        for (const view of views(everywhere(parts.join(''), cols, rows))) check(view);
      },
    ),
    { numRuns: 40, seed: 2026 },
  );
});

test('a mirror of a larger pane is cut to its widget and follows the cursor', () => {
  const wide = Array.from({ length: 50 }, (_, i) => ({ segments: [{ text: `${i}:日本語${'x'.repeat(300)}` as never, style: {} }] }));
  const screen = { cols: 320, rows: wide, cursor: { x: 310, y: 49, shown: true }, modes: freshModes };
  const state = following(
    stateAfter(130, 30, [startedEvent()]),
    { type: 'pane.opened', pane: '%1', title: 'shared' },
    { type: 'pane.screen', pane: '%1', screen },
  );
  const focused = press(state, START_MS, 'tab', 'tab').state;
  check(focused);
  const frame = compose(focused, focused.theme);
  expect(frame.cursor).not.toBeNull();
  expect(frame.cursor?.x).toBeLessThan(130);
});
