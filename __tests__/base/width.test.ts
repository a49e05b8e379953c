/** Widths are those of string-width, for every assigned character and for the sequences of Unicode's own tests. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { measureCluster } from '../../lib/base/cluster-width.js';
import { cellWidth, graphemes, padEnd, truncate } from '../../lib/base/width.js';

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
