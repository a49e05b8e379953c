/** Nothing untrusted reaches a terminal as anything but characters that a person sees. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { hiddenIn, visible, visibleLine } from '../../lib/base/visible.js';

const corpus = join(process.cwd(), '../shared/corpora/own/terminal-payloads.json');
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]|[\u{e0000}-\u{e0fff}]/u;

test('plain text comes back unchanged', () => {
  expect(visible('plain text')).toBe('plain text');
  expect(visible('zażółć 日本 👩‍👩‍👧 é\n\ttab')).toBe('zażółć 日本 👩‍👩‍👧 é\n\ttab');
});

test.each([
  ['a\x1b[2Jb', 'a␛[2Jb'],
  ['a\x7fb', 'a␡b'],
  ['a\u009b6n', 'a<U+009B>6n'],
  ['a\u202eb', 'a<U+202E>b'],
  ['r\u200bm', 'r<U+200B>m'],
  ['one\r\ntwo\rthree', 'one\ntwo␍three'],
  ['a\ud800b', 'a\ufffdb'],
])('%j is shown as %j', (text, shown) => expect(visible(text)).toBe(shown));

test('joiners stay in emoji of prose, never in exact text', () => {
  expect(visible('👩‍👧')).toBe('👩‍👧');
  expect(visible('👩‍👧', 'exact')).toContain('<U+200D>');
  expect(visible('r\u200dm')).toBe('r<U+200D>m');
});

test('a flood of combining marks is capped', () => {
  expect([...visible(`a${'\u0301'.repeat(500)}b`)].length).toBe(10);
});

test('whatever the text, the result is safe and showing it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = visible(text);
      expect(shown).not.toMatch(UNSAFE);
      expect(visible(shown)).toBe(shown);
      expect(visibleLine(text)).not.toMatch(/[\n\t]/);
    }),
  );
});

(existsSync(corpus) ? test : test.skip)('every hostile payload is made harmless, and refused in a command when it hides', () => {
  const payloads = Object.entries(JSON.parse(readFileSync(corpus, 'utf8')) as Record<string, string>);
  expect(payloads.length).toBe(73);
  for (const [name, payload] of payloads) {
    expect([name, visible(payload)]).toEqual([name, expect.not.stringMatching(UNSAFE)]);
    expect([name, hiddenIn(payload)]).toEqual([name, expect.any(String)]);
  }
});
