/** Code in the looks of its language. */

import { codeLines } from '../../../lib/view/rows/highlight.js';
import { rulesFor, type SyntaxKind, syntaxKinds } from '../../../lib/view/rows/languages.js';
import { theme } from '../support/picture.js';

/** `word:kind` of all that is coloured. */
function colored(code: string, info: string): readonly string[] {
  const tokenOf = (kind: SyntaxKind) => (kind === 'added' || kind === 'removed' ? (`diff_${kind}` as const) : (`syntax_${kind}` as const));
  const kinds = new Map(syntaxKinds.map((kind) => [theme.styles[tokenOf(kind)], kind]));
  return codeLines(code, info, theme)
    .flatMap((line) => line.segments)
    .flatMap((part) => (kinds.has(part.style) ? [`${part.text}:${kinds.get(part.style)}`] : []));
}

test.each([
  [
    'sh',
    'if [ "$a" = x ]; then # why\n  rm -rf $HOME/b',
    ['if:keyword', '"$a":string', 'then:keyword', '# why:comment', '-rf:name', '$HOME:name'],
  ],
  ['bash', "echo 'a\nb' $x a#b", ["'a:string", "b':string", '$x:name']],
  ['python', 'def f(x):\n  return """a\nb""" + 1', ['def:keyword', 'f:name', 'return:keyword', '"""a:string', 'b""":string', '1:number']],
  ['ts', 'const a = `x` // y', ['const:keyword', '`x`:string', '// y:comment']],
  ['json', '{"a": [1, "b", null]}', ['"a":name', '1:number', '"b":string', 'null:keyword']],
  ['yaml', 'a: 1\n- b: "c" # d', ['a:name', '1:number', '- b:name', '"c":string', '# d:comment']],
  ['toml', '[a.b]\nc = "d"', ['[a.b]:keyword', 'c:name', '"d":string']],
  ['ini', '[Unit]\n; no\nAfter=x', ['[Unit]:keyword', '; no:comment', 'After:name']],
  ['diff', '--- a\n@@ 1\n-x\n+y', ['--- a:comment', '@@ 1:name', '-x:removed', '+y:added']],
  ['sql', "SELECT a FROM b WHERE c = 'd' -- e", ['SELECT:keyword', 'FROM:keyword', 'WHERE:keyword', "'d':string", '-- e:comment']],
  ['go', 'func f() error { /* a\nb */ }', ['func:keyword', 'f:name', 'error:keyword', '/* a:comment', 'b */:comment']],
  ['rust', 'fn f() { let a = "b"; }', ['fn:keyword', 'f:name', 'let:keyword', '"b":string']],
  ['c', '#include <a.h>\nint f(void);', ['#include:keyword', '<a.h>:string', 'int:keyword', 'f:name', 'void:keyword']],
  ['Dockerfile', 'FROM a AS b\nRUN x --y "$Z"', ['FROM:keyword', 'AS:keyword', 'RUN:keyword', '--y:name', '"$Z":string']],
  ['nginx', 'server {\n  listen 80; # x\n}', ['server:keyword', '  listen:keyword', '80:number', '# x:comment']],
])('%s', (info, code, expected) => {
  expect(colored(code, info)).toEqual(expected);
});

test.each([
  ['sh', true],
  ['{.python .numberLines}', true],
  ['yaml title=compose', true],
  ['app/Dockerfile', true],
  ['main.rs', true],
  ['brainfuck', false],
  ['', false],
  ['constructor', false],
])('%j is known: %s', (info, known) => {
  expect(rulesFor(info) !== null).toBe(known);
});

test('what is shown is what was written, whatever it is', () => {
  const parts = [
    '"',
    "'",
    '`',
    '/*',
    '#',
    '\\',
    '$',
    '${',
    '<',
    '"""',
    "'''",
    'a-',
    'a ',
    '\n',
    '=',
    ': ',
    '- ',
    '{',
    '\t',
    '0x',
    '\u202e',
  ];
  for (const info of ['sh', 'py', 'ts', 'json', 'yaml', 'toml', 'ini', 'nginx', 'diff', 'sql', 'go', 'rust', 'c', 'docker', 'tf']) {
    for (const part of parts) {
      const code = part.repeat(4000);
      const text = (language: string) =>
        codeLines(code, language, theme)
          .map((line) => line.segments.map((segment) => segment.text).join(''))
          .join('\n');
      expect(text(info)).toBe(text(''));
    }
  }
});
