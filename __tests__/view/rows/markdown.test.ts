/** Markdown as a terminal shows it. */

import { rowText } from '../../../lib/base/style.js';
import { layOut } from '../../../lib/view/rows/lines.js';
import { loadMarkdown, markdownLines } from '../../../lib/view/rows/markdown.js';
import { scanAnswer } from '../../../lib/view/rows/split.js';
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
  ['a table', '| name | size |\n|---|--:|\n| var | 14 |', ['name │ size', '─────┼─────', 'var  │   14']],
])('%s', (_name, markdown, rows) => {
  expect(drawn(markdown)).toEqual(rows);
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

describe('long answers are cut into blocks', () => {
  const words = `${'word '.repeat(60)}\n\n`;

  test('behind a blank line, at the left edge', () => {
    const text = `${words.repeat(8)}tail`;
    const at = scanAnswer(text, 0);
    expect(text.slice(at - 2, at)).toBe('\n\n');
    expect(at).toBeGreaterThan(1000);
  });

  test('never inside a fence, a list or an indented block', () => {
    expect(scanAnswer(`\`\`\`\n${words.repeat(8)}`, 0)).toBe(0);
    expect(scanAnswer(`- a\n\n${'- item item item\n\n  more more more\n\n'.repeat(80)}`, 0)).toBe(0);
    expect(scanAnswer(`~~~~\n~~~\n${words.repeat(8)}`, 0)).toBe(0);
  });

  test('not while it is short, and not at every delta', () => {
    expect(scanAnswer(words, 0)).toBe(0);
    const text = words.repeat(8);
    let looked = 0;
    for (let length = 1600; length < text.length; length++) if (scanAnswer(text.slice(0, length), length - 1) > 0) looked++;
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThan(6);
  });
});
