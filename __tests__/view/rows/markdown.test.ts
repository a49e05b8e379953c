/** Markdown as a terminal shows it. */

import fc from 'fast-check';
import { rowText } from '../../../lib/base/style.js';
import { layOut } from '../../../lib/view/rows/lines.js';
import { loadMarkdown, markdownLines } from '../../../lib/view/rows/markdown.js';
import { type Cut, freshScan, scanAnswer, type Within } from '../../../lib/view/rows/split.js';
import { theme } from '../support/picture.js';

const lex = await loadMarkdown();

function drawn(markdown: string, width = 40): readonly string[] {
  return layOut(markdownLines(markdown, lex, width, theme), width, null, null).rows.map((row) => rowText(row));
}

test.each<readonly [string, string, readonly string[]]>([
  ['a heading keeps its level', '## Disk\nfull', ['## Disk', 'full']],
  ['words wrap at blanks', 'aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii', ['aaaa bbbb cccc dddd eeee ffff gggg hhhh', 'iiii']],
  [
    'lists nest, and their rows hang',
    '- one two three four five six seven eight nine\n  - inner\n- two',
    ['• one two three four five six seven', '  eight nine', '  • inner', '• two'],
  ],
  ['numbers go on from where they start', '9. a\n10. b', [' 9. a', '10. b']],
  ['task lists', '- [x] done\n- [ ] not', ['• ☑ done', '• ☐ not']],
  ['quotes', '> said\n> twice\n>\n> > inner', ['▌ said', '▌ twice', '▌ ', '▌ ▌ inner']],
  ['code is kept as it is', '```sh\nif x; then\n\ty\nfi\n```\nafter', ['  sh', '  if x; then', '          y', '  fi', 'after']],
  ['a link shows where it goes', '[here](https://evil.example/x)', ['here (https://evil.example/x)']],
  ['a bare link is not said twice', 'https://x.example/a', ['https://x.example/a']],
  ['a rule', 'a\n\n---\n\nb', ['a', '', '─'.repeat(40), '', 'b']],
  ['html is text', '<b>x</b> <script>y</script>', ['<b>x</b> <script>y</script>']],
  ['emphasis has no stars', '**a** *b* ~~c~~ `d`', ['a b c d']],
  ['references are decoded, not obeyed', 'a &amp; b &lt;c&gt; &#x202e;d &nope; `&amp;`', ['a & b <c> <U+202E>d &nope; &amp;']],
  ['hard breaks', 'one  \ntwo\\\nthree', ['one', 'two', 'three']],
  ['an image is text', '![disk](http://x.example/y.png)', ['[image: disk] (http://x.example/y.png)']],
  ['a target that looks like its words', '[http://good.example](http://evil.example)', ['http://good.example', '(http://evil.example)']],
  ['an address that hides something', '<http://x.example/\u200b>', ['http://x.example/<U+200B>']],
  [
    'an address that joins',
    '[\ud83d\udc68\u200d\ud83d\udc69](\ud83d\udc68\u200d\ud83d\udc69)',
    ['\ud83d\udc68\u200d\ud83d\udc69 (\ud83d\udc68<U+200D>\ud83d\udc69)'],
  ],
  ['nested numbers and bullets', '1. a\n   - b\n     1. c\n2. d', ['1. a', '   • b', '     1. c', '2. d']],
  ['a fence that never ends', '```\na\nb', ['  a', '  b']],
  [
    'a table that is too wide: its widest column wraps',
    '| host | address | state of it |\n|---|---|---|\n| web-01 | 10.0.0.1 long long | up |\n| db | x | down |',
    [
      'host   │ address           │ state of it',
      '───────┼───────────────────┼────────────',
      'web-01 │ 10.0.0.1 long     │ up',
      '       │ long              │ ',
      'db     │ x                 │ down',
    ],
  ],
  ['a table', '| name | size |\n|---|--:|\n| var | 14 |', ['name │ size', '─────┼─────', 'var  │   14']],
])('%s', (_name, markdown, rows) => {
  expect(drawn(markdown)).toEqual(rows);
});

test('a cell may have lines', () => {
  expect(drawn('| a | b |\n|---|---|\n| x<br>y | z |', 30)).toEqual(['a │ b', '──┼──', 'x │ z', 'y │ ']);
});

test('where columns would be slivers, each row is a stack', () => {
  expect(drawn('| host | address | state of it |\n|---|---|---|\n| web-01 | 10.0.0.1 long long | up |\n| db | x | down |', 20)).toEqual([
    'host: web-01',
    'address: 10.0.0.1',
    '  long long',
    'state of it: up',
    '────────────────────',
    'host: db',
    'address: x',
    'state of it: down',
  ]);
});

test('a wide table is made to fit, cells wrap', () => {
  const rows = drawn('| a | b |\n|---|---|\n| one two three four five six seven | 日本語 日本語 日本語 日本語 |', 30);
  expect(rows.length).toBeGreaterThan(4);
  expect(rows.every((row) => row.length <= 30)).toBe(true);
});

test('without the lexer, and nested beyond reason, the text itself is shown', () => {
  expect(layOut(markdownLines('**a**', null, 40, theme), 40, null, null).rows.map(rowText)).toEqual(['**a**']);
  expect(drawn('>'.repeat(20_000)).join('')).toContain('>>>');
});

describe('long answers are cut into pieces', () => {
  const words = `${'word '.repeat(60)}\n\n`;
  const cutOf = (text: string): Cut | null => {
    const found = scanAnswer(text, freshScan);
    return 'rest' in found ? found : null;
  };

  test('behind a blank line, at the left edge', () => {
    const text = `${words.repeat(8)}tail\n`;
    const at = cutOf(text)?.at ?? 0;
    expect(text.slice(at - 2, at)).toBe('\n\n');
    expect(at).toBeGreaterThan(1000);
  });

  test('a short fence, list or indented block is not cut', () => {
    expect(cutOf(`\`\`\`\n${words.repeat(8)}`)).toBeNull();
    expect(cutOf(`- a\n\n${'- item item item\n\n  more more more\n\n'.repeat(80)}`)).toBeNull();
    expect(cutOf(`~~~~\n~~~\n${words.repeat(8)}`)).toBeNull();
    expect(cutOf(words)).toBeNull();
  });

  test.each<readonly [string, string, Within | null]>([
    ['a fence', `\`\`\`sh\n${'echo x\n'.repeat(2000)}`, { kind: 'fence', opening: '```sh', items: 0 }],
    ['a table', `| a | b |\n|---|--:|\n${'| x | y |\n'.repeat(2000)}`, { kind: 'table', opening: '| a | b |\n|---|--:|', items: 0 }],
    ['a list', '1. item\n'.repeat(2000), { kind: 'list', opening: '', items: 512 }],
    ['a line', 'word '.repeat(4000), null],
  ])('%s without an end goes on in the next piece', (_name, text, within) => {
    const cut = cutOf(text);
    expect(cut).toMatchObject({ within, tight: true });
    expect(cut?.at).toBeLessThan(4200);
  });

  test('where it is cut depends on the text alone, never on how it came', () => {
    const part = fc.constantFrom(
      words,
      '# Head\n',
      '- a\n- b\n\n',
      '1. x\n\n',
      '| a |\n|---|\n',
      '| y |\n',
      '```js\n',
      '```\n',
      '> q\n',
      '**b** c\n',
      '\n',
      'x'.repeat(3000),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 10, maxLength: 80 }), fc.integer({ min: 1, max: 4000 }), (parts, delta) => {
        const text = parts.join('');
        expect(piecesOf(text, delta)).toEqual(piecesOf(text, text.length));
        expect(piecesOf(text, delta).join('')).toBe(text);
      }),
      { seed: 2026 },
    );
  });

  /** The pieces of a text that comes in parts of `delta` characters. */
  function piecesOf(text: string, delta: number): readonly string[] {
    const pieces: string[] = [];
    let open = '';
    let scan = freshScan;
    for (let from = 0; from < text.length; from += delta) {
      open += text.slice(from, from + delta);
      for (let found = scanAnswer(open, scan); ; found = scanAnswer(open, scan)) {
        if (!('rest' in found)) {
          scan = found;
          break;
        }
        pieces.push(open.slice(0, found.at));
        open = open.slice(found.at);
        scan = found.rest;
      }
    }
    return [...pieces, open];
  }
});

test('the next piece of a table has its head again, of a fence its language, of a list its numbers', () => {
  const piece = (text: string, within: Within) =>
    layOut(markdownLines(text, lex, 40, theme, within), 40, null, null).rows.map((row) => rowText(row));
  expect(piece('| x | y |\n', { kind: 'table', opening: '| a | b |\n|---|---|', items: 0 })).toEqual(['a │ b', '──┼──', 'x │ y']);
  expect(piece('if x\n```\nafter', { kind: 'fence', opening: '```sh', items: 0 })).toEqual(['  if x', 'after']);
  expect(piece('1. x\n1. y\n', { kind: 'list', opening: '', items: 7 })).toEqual(['8. x', '9. y']);
});

test('no text stalls or breaks the reader', () => {
  const parts = [
    '>',
    '- ',
    '1. ',
    '*a ',
    '**a*',
    '[',
    '![',
    '[a](',
    '`a ',
    '<a ',
    '|',
    '\\',
    '&',
    'e\u0301',
    '\u0301',
    '<!--',
    '> - ',
    ' - \n',
    '~~a~',
    '|-|\n',
    '```\n',
    '[a]: b\n',
  ];
  for (const part of parts) {
    const text = part.repeat(Math.ceil(8192 / part.length));
    expect(drawn(text, 60).length).toBeGreaterThan(0);
  }
});
