/** Widths are those of string-width, for every assigned character and for the sequences of Unicode's own tests. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { measureCluster } from '../../lib/base/cluster-width.js';
import { cellWidth, cellWidthUpTo, graphemes, padEnd, truncate } from '../../lib/base/width.js';

const unicode = join(process.cwd(), '../shared/corpora/unicode');

test('every single character (of the large blocks of one kind, the edges)', () => {
  const wrong: string[] = [];
  for (let code = 0xa0; code < 0x20100; code++) {
    const unlike = (code >= 0xd800 && code <= 0xdfff) || (code > 0x10000 && code < 0x1f000) || (code > 0x1fc00 && code < 0x20000);
    if (unlike || (code > 0x4e80 && code < 0x9f00) || (code > 0xac10 && code < 0xd790)) continue;
    const character = String.fromCodePoint(code);
    if (measureCluster(character) !== stringWidth(character)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test.each([
  '👩‍👩‍👧',
  '🇩🇪',
  '❤️',
  '❤',
  '⚠',
  '1️⃣',
  '1⃣',
  '👍🏽',
  'é',
  'e\u0301',
  '한국',
  '\u1112\u1161\u11ab',
  '\u1100\u1100\u1161',
  'ｶﾞ',
  'நி',
  'a\u200db',
  '👁‍🗨',
])('%s', (text) => expect(graphemes(text).reduce((sum, cluster) => sum + measureCluster(cluster), 0)).toBe(stringWidth(text)));

const files = existsSync(unicode) ? readdirSync(unicode).filter((name) => /emoji-test|GraphemeBreakTest/i.test(name)) : [];
(files.length > 0 ? test : test.skip)('the sequences of emoji-test and GraphemeBreakTest', () => {
  let checked = 0;
  for (const file of files) {
    for (const line of readFileSync(join(unicode, file), 'utf8').split('\n')) {
      const codes = (line.split(/[;#]/)[0] ?? '').match(/\b[0-9A-F]{4,6}\b/g) ?? [];
      const text = codes.map((code) => String.fromCodePoint(Number.parseInt(code, 16))).join('');
      if (text === '' || !text.isWellFormed() || /[\x00-\x1f\x7f-\x9f]/.test(text)) continue;
      for (const cluster of graphemes(text)) expect([cluster, measureCluster(cluster)]).toEqual([cluster, stringWidth(cluster)]);
      checked++;
    }
  }
  expect(checked).toBeGreaterThan(500);
});

test('characters that are taken for clusters of their own are so for Unicode, whatever stands beside them', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const segmented = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);
  const own = fc.constantFrom(...'aé│●▶⣿Ωжあア漢字한국！→');
  const any = fc.integer({ min: 0x20, max: 0xffff }).map((code) => String.fromCharCode(code));
  // Letters in one cluster are taken apart on purpose: see below.
  const other = any.filter((character) => !/[\p{M}\p{C}\u0e00-\u0eff\u1100-\u11ff]/u.test(character));
  fc.assert(
    fc.property(own, other, own, (a, b, c) => expect(graphemes(a + b + c)).toEqual(segmented(a + b + c))),
    { seed: 7, numRuns: 3000 },
  );
});

test('cutting and filling give exactly the cells asked for', () => {
  const text = fc.array(fc.constantFrom('a', 'é', '日', '👩‍👩‍👧', 'e\u0301', '❤️', ' ')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (words, cells) => {
      expect(cellWidth(truncate(words, cells))).toBeLessThanOrEqual(cells);
      expect(cellWidth(padEnd(words, cells))).toBe(cells);
    }),
  );
});

test.each([
  ['नमस्ते', ['न', 'म', 'स्', 'ते']],
  ['क्षा', ['क्', 'षा']],
  ['ไทยกำลัง', ['ไ', 'ท', 'ย', 'ก', 'ำ', 'ลั', 'ง']],
  ['ខ្មែរ', ['ខ្', 'មែ', 'រ']],
  ['\u1100\u1100\u1161', ['\u1100', '\u1100\u1161']],
  ['\u1112\u1161\u11ab각👩‍👩‍👧', ['\u1112\u1161\u11ab', '각', '👩‍👩‍👧']],
])('each letter of %s has cells of its own, and no part more than two', (text, parts) => {
  expect(graphemes(text)).toEqual(parts);
  for (const part of parts) expect([1, 2]).toContain(measureCluster(part));
});

test('Latin, Greek, Cyrillic, kana, CJK and Hangul are taken apart as the segmenter would, whatever stands beside them', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const letter = fc.oneof(
    ...[
      [0x20, 0x24f],
      [0x370, 0x3ff],
      [0x400, 0x556],
      [0x3041, 0x30ff],
      [0x4e00, 0x4e50],
      [0xac00, 0xac50],
      [0x1100, 0x11ff],
      [0x300, 0x310],
      [0xfe0e, 0xfe0f],
    ].map(([min = 0, max = 0]) => fc.integer({ min, max }).map((code) => String.fromCharCode(code))),
  );
  fc.assert(
    fc.property(fc.array(letter, { minLength: 1, maxLength: 40 }), (letters) => {
      const text = letters.join('').normalize('NFC');
      const told = [...segmenter.segment(text)].map(({ segment }) => segment);
      // Loose jamo are taken apart further.
      if (!/[\u1100-\u11ff]/.test(text)) expect(graphemes(text)).toEqual(told);
      expect(graphemes(text).join('')).toBe(text);
    }),
    { numRuns: 500, seed: 2026 },
  );
});

test.each(['漢字カナ한국 and text', 'привет мир '.repeat(200), '👨‍👩‍👧e\u0301 x'.repeat(300), 'ที่ '.repeat(90)])(
  'cut, %.12s… is as wide as it may be',
  (text) => {
    for (const cells of [0, 1, 2, 3, 7, 80, 5000]) {
      const cut = truncate(text, cells);
      expect(cellWidth(cut)).toBeLessThanOrEqual(cells);
      expect(cut === text).toBe(cellWidth(text) <= cells);
      // One cell may be left where a wide character did not fit.
      if (cut !== text) expect(cellWidth(cut)).toBeGreaterThanOrEqual(cells - 1);
      expect(cellWidthUpTo(text, cells) > cells).toBe(cellWidth(text) > cells);
    }
  },
);

test('a letter that joins whatever follows takes no cell away from it', () => {
  // U+0D4E, the dot reph of Malayalam.
  for (const next of ['…', ' ', '1', 'x', '—', '!'])
    expect([cellWidth(`a\u0d4e${next}`), graphemes(`a\u0d4e${next}`).length]).toEqual([3, 3]);
  expect(graphemes(truncate('a\u0d4e\u1d7bbc', 3))).toEqual(['a', '\u0d4e', '…']);
});
