/** A secret on a pane is starred out, also where a row ends inside of it, and nothing moves. */

import { rowText } from '../../lib/base/style.js';
import { visibleLine } from '../../lib/base/visible.js';
import { createSecrets } from '../../lib/policy/redaction.js';
import { freshModes, type PaneScreen } from '../../lib/protocol/panes.js';
import { maskedScreen } from '../../lib/runtime/masked-screen.js';

const KEY = 'canary-key-7f3a9c';
const { find } = createSecrets(() => [KEY]);
const screen = (...rows: readonly (readonly string[])[]): PaneScreen => ({
  cols: 20,
  rows: rows.map((texts) => ({ segments: texts.map((text, at) => ({ text: visibleLine(text, 'exact'), style: { fg: at } })) })),
  cursor: { x: 0, y: 0, shown: true },
  modes: freshModes,
});
const shown = (of: PaneScreen) => maskedScreen(of, find).rows.map(rowText);

test('wherever the row ends', () => {
  for (let cut = 1; cut < KEY.length; cut++) {
    const first = `KEY=${KEY.slice(0, cut)}`.padStart(20, '.');
    const rows = shown(screen([first], [KEY.slice(cut), ' end']));
    expect(rows).toEqual([first.slice(0, 20 - cut) + '*'.repeat(cut), `${'*'.repeat(KEY.length - cut)} end`]);
  }
});

test('in several colours, which stay', () => {
  const before = screen(['a ', 'canary', '-key-7f3a9c', ' b']);
  const after = maskedScreen(before, find);
  expect(after.rows[0]?.segments).toEqual(['a ', '******', '***********', ' b'].map((text, at) => ({ text, style: { fg: at } })));
});

test('a picture without one is the same picture', () => {
  const before = screen(['nothing here']);
  expect(maskedScreen(before, find)).toBe(before);
});
