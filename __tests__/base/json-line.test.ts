/** Lines of JSON that a terminal may be shown. */

import { jsonLine } from '../../lib/base/json-line.js';

test('hides nothing from whoever looks at it, and means the same', () => {
  const value = { text: 'a\u009b31m\u007f\u202egpj\u200b\u2028 é 漢 😀 \u{e0041}', list: [1, null, true] };
  const line = jsonLine(value);
  expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e\u200b\u2028]|\u{e0041}/u);
  expect(line).toContain('é 漢 😀');
  expect(JSON.parse(line)).toEqual(value);
});

test('changes the texts in it, never their frame', () => {
  const line = jsonLine({ a: 'key "x', b: ['key'] }, (text) => text.replace(/key.*/s, 'MASK'));
  expect(JSON.parse(line)).toEqual({ a: 'MASK', b: ['MASK'] });
});
