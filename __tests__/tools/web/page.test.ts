/** What there is to read on a page. */

import { readPage } from '../../../lib/tools/web/page.js';

const URL = 'https://docs.example/guide/';
const markdown = (html: string) => readPage(html, URL).markdown;

test.each([
  ['headings and paragraphs', '<h2>A  <em>b</em></h2><p>one<p>two', '## A *b*\n\none\n\ntwo'],
  ['line ends', '<p>one<br>two', 'one\ntwo'],
  [
    'links, whole',
    '<a href="../x?y#z">go</a> <a href="#top">up</a> <a href="javascript:steal()">no</a>',
    '[go](https://docs.example/x?y#z) up no',
  ],
  ['links with parentheses', '<a href="/a_(b)">x</a>', '[x](https://docs.example/a_%28b%29)'],
  ['a base of its own', '<base href="https://other.example/d/"><a href="e">x</a>', '[x](https://other.example/d/e)'],
  ['code, with its blanks', '<pre><code class="language-sh">\nif x\n  then ```y\n</code></pre>', '````sh\nif x\n  then ```y\n````'],
  ['code among words', '<p>run <code>ls  -l</code> or <code>a`b</code>', 'run `ls -l` or `` a`b ``'],
  ['lists in lists', '<ol start=3><li>a<ul><li>b<li>c</ul><li>d</ol>', '3. a\n   - b\n   - c\n4. d'],
  ['tables', '<table><tr><th>n<th>v<tr><td>a|b<td><b>1</b></table>', '| n | v |\n| --- | --- |\n| a\\|b | **1** |'],
  ['tables for the looks', '<table><tr><td><p>a</p><p>b</p></table>', 'a\n\nb'],
  [
    'tables in tables, each word once',
    `${'<table><tr><td>'.repeat(8)}deep${'</table>'.repeat(8)}<table><thead><tr><td>A<table><tr><td>B</table></thead></table>`,
    'deep\n\nA\n\nB',
  ],
  ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
  ['pictures by their words', '<img src=x alt="a plot"><img src=y>', '[image: a plot]'],
  ['blocks inside of a link', '<a href="/x"><div><h3>T</h3><p>s</p></div></a>', '### T\n\ns'],
])('%s', (_name, html, expected) => {
  expect(markdown(html)).toBe(expected);
});

test('what nobody sees is not read: scripts, styles, hidden words, comments', () => {
  const html =
    '<style>b{}</style><script>s()</script><template>t</template><!-- c --><p hidden>h</p>' +
    '<p aria-hidden="true">a</p><div style="display: none">d</div><p>seen';
  expect(markdown(html)).toBe('seen');
});

test('an article without what surrounds it; a page without one is read whole', () => {
  const words = 'The disk was full, and nobody had looked at the logs for weeks, because all of them thought somebody else would. ';
  const article = `<article><h1>Full</h1>${`<p>${words.repeat(3)}</p>`.repeat(6)}</article>`;
  const around = '<nav><ul><li><a href=/a>Home</a><li><a href=/b>Shop</a></ul></nav>';
  const read = readPage(`<title>Full · Blog</title>${around}${article}<footer>© somebody</footer>`, URL);
  expect([read.title, read.part]).toEqual(['Full · Blog', 'article']);
  expect(read.markdown).toContain('nobody had looked');
  expect(read.markdown).not.toMatch(/Shop|somebody$/);
  expect(readPage(`${around}<p>short`, URL)).toMatchObject({
    part: 'page',
    markdown: expect.stringContaining('[Shop](https://docs.example/b)'),
  });
});

test('a page that is nested without end, and one that is nothing, come back', () => {
  expect(markdown(`${'<div>'.repeat(3000)}deep`)).toBe('deep');
  expect(readPage('', URL)).toEqual({ title: '', markdown: '', part: 'page' });
});

test('scripts do not run and nothing is loaded', () => {
  const html = '<script>document.body.textContent = "changed"</script><img src="http://127.0.0.1:1/x" onerror="x()"><p>same';
  expect(markdown(html)).toBe('same');
});
