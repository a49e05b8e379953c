/** Theme files: what a look may be, and what is refused. */

import { readFileSync } from 'node:fs';
import { rgb } from '../../lib/base/style.js';
import { parseTheme } from '../../lib/view/theme.js';

test('terminal uses the 16 colours of the terminal only, mono none', () => {
  const colors = (name: string) =>
    Object.values(parseTheme(readFileSync(`themes/${name}.json`, 'utf8')).styles).flatMap((style) =>
      [style.fg, style.bg].filter((color) => color !== undefined),
    );
  expect(colors('terminal').filter((color) => color > 15)).toEqual([]);
  expect(colors('mono')).toEqual([]);
});

test('a look is words: flags, colours, vars', () => {
  const theme = parseTheme('{"name":"x","vars":{"deep":"#102030"},"tokens":{"error":"bold deep on bright-red","text":"7","muted":""}}');
  expect(theme.styles.error).toEqual({ bold: true, fg: rgb(0x10, 0x20, 0x30), bg: 9 });
  expect(theme.styles.text).toEqual({ fg: 7 });
  expect(theme.styles.muted).toEqual({});
});

test.each([
  ['{', 'it is no JSON'],
  ['{}', '"name" is missing'],
  ['{"name":"x","tokens":{"eror":"red"}}', '"tokens" has no "eror"'],
  ['{"name":"x","tokens":{"error":"rouge"}}', 'tokens.error names the unknown colour "rouge"'],
  ['{"name":"x","tokens":{"error":7}}', 'tokens.error is no text'],
])('%s is refused with a sentence', (json, words) => {
  expect(() => parseTheme(json)).toThrow(words);
});
