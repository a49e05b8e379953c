/** A command to approve: what is on the screen is what will run, byte for byte. */

import fc from 'fast-check';
import stringWidth from 'string-width';
import { cellWidth, isSingleCells } from '../../../lib/base/width.js';
import { type BodyRow, bodyRows } from '../../../lib/view/rows/command-body.js';

/** What a person who knows the marks reads: the body, from nothing but the rows. */
function readBack(rows: readonly BodyRow[]): string {
  let body = '';
  for (const [i, row] of rows.entries()) {
    if (i > 0 && !row.continued) body += '\n';
    for (const piece of row.pieces) body += piece.marker ? meaning(piece.text) : piece.text;
  }
  return body;
}

function meaning(marker: string): string {
  const lines = /^⟨(\d+) (?:blank lines|lines of (\d+) blanks?)⟩$/.exec(marker);
  if (lines !== null) return Array.from({ length: Number(lines[1]) }, () => ' '.repeat(Number(lines[2] ?? 0))).join('\n');
  const blanks = /^⟨(\d+) blanks⟩$/.exec(marker);
  if (blanks !== null) return ' '.repeat(Number(blanks[1]));
  if (marker === '⇥') return '\t';
  const code = /^<U\+([0-9A-F]+)>$/.exec(marker);
  if (code !== null) return String.fromCodePoint(parseInt(code[1] ?? '', 16));
  const picture = marker.charCodeAt(0);
  return picture === 0x2421 ? '\x7f' : String.fromCharCode(picture - 0x2400);
}

const piecesOfCommands = fc.oneof(
  fc.constantFrom(
    '\n',
    '\n\n\n\n\n\n',
    ' ',
    ' '.repeat(21),
    ' '.repeat(200),
    ' \n \n \n \n \n',
    '\t',
    'rm -rf /',
    '"$HOME"',
    '⟨40 blanks⟩',
    '⇥',
    '<U+202E>',
  ),
  fc.constantFrom(
    'é',
    '日本語',
    '👩‍👩‍👧',
    'e\u0301',
    '\u0301',
    '\u202e',
    '\u200b',
    '\x1b[31m',
    '\r',
    '\x7f',
    '\u00a0',
    '🇩🇪',
    '\ufe0f',
    '\u200d',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 200 }),
);

test('every byte can be read back from the rows, every row fits, and the rows cover the body without a gap', () => {
  fc.assert(
    fc.property(fc.array(piecesOfCommands, { maxLength: 12 }), fc.integer({ min: 20, max: 120 }), (parts, width) => {
      const body = parts.join('');
      const rows = bodyRows(body, width);
      expect(readBack(rows)).toBe(body);
      for (const row of rows) expect(cellWidth(row.pieces.map((piece) => piece.text).join(''))).toBeLessThanOrEqual(width);
      expect(rows[0]?.from).toBe(0);
      expect(rows[rows.length - 1]?.to).toBe(body.length);
      for (let i = 1; i < rows.length; i++) expect(rows[i]?.from).toBe(rows[i - 1]?.to);
    }),
    { numRuns: 500, seed: 2026 },
  );
});

test('what would push something out of sight is said in words', () => {
  const rows = bodyRows(`echo one${' '.repeat(40)}; rm x${'\n'.repeat(184)}rm -rf /\n`, 80);
  expect(rows.map((row) => row.pieces.map((piece) => piece.text).join(''))).toEqual([
    'echo one⟨40 blanks⟩; rm x',
    '⟨183 blank lines⟩',
    'rm -rf /',
    '',
  ]);
});

test('a wrapped line is marked as going on', () => {
  expect(bodyRows('abcdef', 4).map((row) => [row.pieces[0]?.text, row.continued])).toEqual([
    ['abcd', false],
    ['ef', true],
  ]);
});

test('text of single cells is measured as the terminal measures it', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let all = '';
  for (let code = 0x20; code < 0x2600; code++) if (isSingleCells(String.fromCharCode(code))) all += String.fromCharCode(code);
  expect(all.length).toBeGreaterThan(800);
  expect([...segmenter.segment(all)].length).toBe(all.length);
  expect([...all].filter((character) => stringWidth(character) !== 1)).toEqual([]);
});
