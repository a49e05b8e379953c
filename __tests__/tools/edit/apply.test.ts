/** Edits of any text: an exact one is a split and a join, one that only looks alike changes nothing outside of its lines. */

import fc from 'fast-check';
import { applyEdits } from '../../../lib/tools/edit/apply.js';
import { characters, foldText } from '../../../lib/tools/edit/folded-text.js';

const telling = { path: '/f', mayShow: true };
const apply = (text: string, oldText: string, newText: string, replaceAll = false) =>
  applyEdits(text, [{ oldText, newText, replaceAll }], telling).content;

/** Few letters, so that texts occur again and overlap themselves. */
const dense = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\t', 'é', 'e\u0301', '“', '😀', '$', '&'), maxLength: 60 });
const any = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replaceAll('\r', ''));

test.each([
  ['of few letters', dense],
  ['of any', any],
])('an exact edit is a split and a join, in texts %s', (_name, texts) => {
  fc.assert(
    fc.property(texts, texts, texts, (before, old, after) => {
      fc.pre(old !== '' && old.isWellFormed());
      const text = `${before}${old}${after}`;
      const isOnce = text.indexOf(old) === text.lastIndexOf(old);
      for (const fresh of [`x${old}x`, '$&$1', '']) {
        if (isOnce) expect(apply(text, old, fresh)).toBe(text.split(old).join(fresh));
        else expect(() => apply(text, old, fresh)).toThrow(/occurs \d+ times/);
        if (fresh !== old) expect(apply(text, old, fresh, true)).toBe(text.split(old).join(fresh));
      }
    }),
    { numRuns: 500 },
  );
});

test('edits that do not overlap are applied together as if each were alone', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 10 }), fc.constantFrom('\n', '\r\n'), (chosen, end) => {
      const lines = Array.from({ length: 41 }, (_, i) => `<${i}>`);
      const edits = chosen.map((i) => ({ oldText: `<${i}>`, newText: `<${i}>\n+${i}`, replaceAll: false }));
      const expected = lines.map((line, i) => (chosen.includes(i) ? `${line}${end}+${i}` : line)).join(end);
      const { content, firstChangedLine } = applyEdits(lines.join(end), edits, telling);
      expect(content).toBe(expected);
      // The line after the one that stays; at the very end of the file its missing line end.
      expect(firstChangedLine).toBe(Math.min(...chosen) + (Math.min(...chosen) === 40 ? 1 : 2));
    }),
  );
});

const word = fc.constantFrom(
  '“a”',
  'it’s',
  '1–2',
  'x\u00a0y',
  'cafe\u0301',
  'ﬁle',
  'plain',
  '“',
  'ＡＢ',
  '한글',
  '😀',
  'b…',
  'data\u00adbase',
);
const line = fc.record({
  depth: fc.nat(3),
  words: fc.array(word, { minLength: 1, maxLength: 4 }),
  blanks: fc.constantFrom('', '', '  ', '\t', '\u00a0'),
  end: fc.constantFrom('\n', '\n', '\r\n'),
});

test('an edit that only looks alike leaves every byte outside of its lines, and the lines in it that it does not change', () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 3, maxLength: 12 }),
      fc.nat(),
      fc.nat(3),
      fc.constantFrom('  ', '    ', '\t'),
      (made, from, height, unit) => {
        const lines = made.map(({ depth, words, blanks, end }, i) => `${unit.repeat(depth)}${i} ${words.join(' ')}${blanks}${end}`);
        const first = from % lines.length;
        const last = Math.min(lines.length - 1, first + height);
        // As a model gives it back: plain characters, no blanks at ends, one level deeper.
        const plain = (text: string) => `  ${characters(text.replace(/\r?\n$/, '')).text.replaceAll(unit, '  ')}`;
        const old = lines.slice(first, last + 1).map(plain);
        const fresh = [...old.slice(0, -1), '  new'];
        const text = lines.join('');
        let content: string;
        try {
          content = apply(text, old.join('\n'), fresh.join('\n'));
        } catch (thrown) {
          expect(String(thrown)).toMatch(/does not occur|occurs/);
          return;
        }
        found++;
        const before = lines.slice(0, last).join('');
        const after = lines.slice(last + 1).join('');
        expect(content.startsWith(before)).toBe(true);
        expect(content.endsWith(`${/\r?\n$/.exec(lines[last] ?? '')?.[0]}${after}`)).toBe(true);
        expect(content.slice(before.length, content.length - after.length).trim()).toBe('new');
      },
    ),
    { numRuns: 500 },
  );
  // Else it has shown nothing.
  expect(found).toBeGreaterThan(200);
});

test('every stretch of a folded text comes from one that folds to it', () => {
  const odd = fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '\r\n', '\t', 'é', 'e\u0301', '“', 'ﬁ', '…', '\u00ad', '\u00a0', '😀', '\u1112\u1161', '①'),
    maxLength: 30,
  });
  fc.assert(
    fc.property(odd, fc.nat(), fc.nat(), (text, a, b) => {
      const folded = foldText(text, characters);
      const [from, to] = [a % (folded.text.length + 1), b % (folded.text.length + 1)].sort((x, y) => x - y) as [number, number];
      fc.pre(from < to);
      const origin = folded.origin(from, to);
      if (origin === null) return;
      const again = foldText(text.slice(origin.from, origin.to), characters).text;
      // Blanks at its end are folded away when they are looked at alone.
      expect(again).toBe(folded.text.slice(from, to).replace(/[ \t]+$/, ''));
    }),
    { numRuns: 1000 },
  );
});

test('so many places that only look alike are not all worked out', () => {
  const text = '\t}\n'.repeat(30_000);
  expect(() => apply(text, '    }\n', '    ]\n')).toThrow('occurs at least 1000 times');
  expect(() => apply(text, '    }\n', '    ]\n', true)).toThrow('occurs more than 19999 times in /f: use a command such as sed');
  expect(apply(text.slice(0, 3000), '    }\n', '    ]\n', true)).toBe('\t]\n'.repeat(1000));
});

test('of a long file only the beginning is searched for lines that are like the wanted one', () => {
  const other = 'quite another thing\n'.repeat(60_000);
  const wanted = 'listen 127.0.0.1:8081;';
  const near = 'listen 127.0.0.1:8080;\n';
  expect(() => apply(near + other, wanted, 'x')).toThrow('1| listen 127.0.0.1:8080;');
  expect(() => apply(other + near, wanted, 'x')).toThrow('Nothing there is like it');
});

test('a character with very many marks on it is not put in order as one: that would take minutes', () => {
  const odd = `a${'\u0301\u0316'.repeat(5000)}`;
  expect(characters(odd).stretches?.from.length).toBeGreaterThan(5000);
  expect(apply(`${odd}\nit’s x\n`, "it's x", "it's y")).toBe(`${odd}\nit’s y\n`);
});
