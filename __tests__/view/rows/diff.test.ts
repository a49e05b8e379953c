/** What a write changes, as rows. */

import fc from 'fast-check';
import { rowText } from '../../../lib/base/style.js';
import { cellWidth } from '../../../lib/base/width.js';
import { diffCount, diffLines, diffRows, diffStart } from '../../../lib/view/rows/diff.js';
import { editScript } from '../../../lib/view/rows/edit-script.js';
import { theme } from '../support/picture.js';

const rows = (before: string | null, after: string, width = 60): readonly string[] =>
  diffRows({ path: '/f', before, after }, width, theme).map(rowText);
const numbered = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('');

test('a new file is all added', () => {
  expect(rows(null, 'a\nb\n')).toEqual([' 1 + a', ' 2 + b']);
});

test('a change with what is around it, the rest folded', () => {
  const before = numbered(1, 30);
  expect(rows(before, before.replace('line 15\n', 'line fifteen\n'))).toEqual([
    '   ⋯ 11 unchanged lines',
    '12   line 12',
    '13   line 13',
    '14   line 14',
    '15 - line 15',
    '15 + line fifteen',
    '16   line 16',
    '17   line 17',
    '18   line 18',
    '   ⋯ 12 unchanged lines',
  ]);
});

test('a part of a file has the numbers of the file', () => {
  const diff = { path: '/f', before: 'a\nb\n', after: 'a\nc\nd\n', firstLine: 998 };
  expect(diffRows(diff, 60, theme).map(rowText)).toEqual([' 998   a', ' 999 - b', ' 999 + c', '1000 + d']);
});

test('words that differ are marked', () => {
  const [old, young] = diffRows({ path: '/f', before: 'listen 80 default;\n', after: 'listen 8080 default;\n' }, 60, theme);
  const marked = (row: typeof old, style: object) => row?.segments.filter((part) => part.style === style).map((part) => part.text);
  expect(marked(old, theme.styles.diff_removed_word)).toEqual(['80']);
  expect(marked(young, theme.styles.diff_added_word)).toEqual(['8080']);
});

test('from 150 cells on both stand side by side', () => {
  const [first, second] = rows('a\nsame\n', 'b\nsame\n', 154);
  expect(first).toBe(` 1 - a${' '.repeat(69)} │  1 + b`);
  expect(second).toBe(` 2   same${' '.repeat(66)} │  2   same`);
});

test.each<readonly [string, string, string, readonly string[]]>([
  ['nothing', 'a\n', 'a\n', ['nothing changes']],
  ['a line end that goes', 'a\n', 'a', [' 1 - a', ' 1 + a⟨no line end⟩']],
  ['all goes', 'a\n', '', [' 1 - a']],
  ['CR and a bidi mark', 'a\r\n', 'a\u202e\n', [' 1 - a␍', ' 1 + a<U+202E>']],
  ['an empty file', '', 'a\n', [' 1 + a']],
])('%s', (_name, before, after, expected) => {
  expect(rows(before, after)).toEqual(expected);
});

test('long lines wrap, marked as going on', () => {
  expect(rows(null, `${'x'.repeat(50)}\n`, 30)).toEqual([` 1 + ${'x'.repeat(25)}`, `   ↪ ${'x'.repeat(25)}`]);
});

test('a script leads from one list to the other, by the shortest way', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 14 });
  fc.assert(
    fc.property(list, list, (one, other) => {
      const edits = editScript(one, other, 1000);
      expect(edits.flatMap((edit) => one.slice(edit.from, edit.to))).toEqual(one);
      expect(edits.flatMap((edit) => other.slice(edit.otherFrom, edit.otherTo))).toEqual(other);
      let kept = 0;
      for (const edit of edits.filter((edit) => edit.kept)) {
        expect(one.slice(edit.from, edit.to)).toEqual(other.slice(edit.otherFrom, edit.otherTo));
        kept += edit.to - edit.from;
      }
      expect(kept).toBe(longestCommon(one, other));
    }),
    { numRuns: 500, seed: 2026 },
  );
});

function longestCommon(one: readonly string[], other: readonly string[]): number {
  let above = Array<number>(other.length + 1).fill(0);
  for (const a of one) {
    const row = [0];
    for (const [j, b] of other.entries()) row.push(a === b ? (above[j] ?? 0) + 1 : Math.max(row[j] ?? 0, above[j + 1] ?? 0));
    above = row;
  }
  return above[other.length] ?? 0;
}

test('every line of both is shown or folded, no row is too wide, whatever the text', () => {
  const text = fc.array(
    fc.constantFrom('a b c\n', 'a  b d\n', '日本語 x\n', '\tx\n', '\x1b[31m\n', '\n', 'e\u0301\u0301 👩‍👩‍👧\n', 'y'.repeat(90)),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(text, text, fc.integer({ min: 12, max: 200 }), (one, other, width) => {
      const drawn = rows(one.join(''), other.join(''), width);
      expect(drawn.filter((row) => cellWidth(row) > width)).toEqual([]);
    }),
    { numRuns: 200, seed: 2026 },
  );
});

test('a file that was written anew costs no more than a bounded search', () => {
  const before = Array.from({ length: 20_000 }, (_, i) => `old ${i}\n`).join('');
  const after = Array.from({ length: 20_000 }, (_, i) => `new ${i}\n`).join('');
  expect(diffCount({ path: '/f', before, after })).toEqual({ added: 20_000, removed: 20_000 });
});

test('the first lines are those of the whole, and the rest is counted', () => {
  const before = Array.from({ length: 60 }, (_, at) => `line ${at}\n`).join('');
  const after = before.replaceAll('1', 'one').replace('line 50\n', '');
  for (const width of [80, 160]) {
    const diff = { path: 'a', before, after };
    const whole = diffLines(diff, width, theme);
    for (const most of [1, 12, 30, whole.length]) {
      const { lines, left } = diffStart(diff, width, theme, most);
      expect(lines).toEqual(whole.slice(0, most));
      expect(lines.length + left).toBe(whole.length);
    }
  }
});
