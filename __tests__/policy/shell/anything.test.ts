/** Whatever the text is: an answer, in time. */

import fc from 'fast-check';
import { judgeShell } from '../../../lib/policy/shell/judge.js';
import { defaultDenylist } from '../../../lib/policy/shell-command.js';

const judged = (command: string) => judgeShell(command, { denylist: defaultDenylist, mode: 'all' });
const pieces = [
  ...[
    '$(',
    ')',
    '`',
    '"',
    "'",
    '((',
    '))',
    '{',
    '}',
    '[[',
    ']]',
    '<<E',
    '\nE\n',
    '<<<',
    '<(',
    `\${x:-`,
    `\${x@P}`,
    '$x',
    '\\',
    ';',
    '|',
    '&&',
    '\n',
  ],
  ...[
    'sh',
    '-c',
    'eval',
    'sudo',
    'xargs',
    'find',
    '-exec',
    'env',
    'ssh',
    'a',
    'constructor',
    '__proto__',
    'toString',
    'x=',
    'case',
    'in',
    'esac',
    'for',
    'do',
    'done',
    'if',
    'fi',
    ' ',
  ],
];

test.each(['constructor a', '__proto__ x', 'hasOwnProperty', 'sudo toString -x', 'git constructor'])(
  '%s is a command like any other',
  (command) => {
    expect(['run', 'ask']).toContain(judged(command).decision);
  },
);

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      for (const glue of ['', ' ']) expect(['run', 'ask', 'deny']).toContain(judged(parts.join(glue)).decision);
    }),
    { numRuns: 400 },
  );
});

test.each([
  '$(',
  '((',
  '"$(',
  '<(',
  `\${x:-`,
  '{ ',
  'if ',
  "sh -c '",
  'eval ',
  'sudo ',
  'watch ',
  'a;',
  'x=$(y) ',
  "'$(a)' ",
  '\\x41',
  '*',
  '-a ',
  'ge',
])('as much as anybody may send of %j is never waved through', (piece) =>
  expect(judged(`rm ${piece.repeat(65_000 / piece.length)} > /dev/sda`).decision).toBe('ask'),
);

test.each([
  ['100 000 commands', 'ls;'.repeat(100_000)],
  ['as many as there is room for', 'a;'.repeat(32_000)],
  ['a pipe of them', `a${'|a'.repeat(32_000)}`],
  ['substitutions in each other', `${'$(a '.repeat(250)}${')'.repeat(250)}`],
  ['brackets that nobody closes', '$('.repeat(30_000)],
  ['scripts in scripts', `${'eval '.repeat(12_000)}ls`],
  ['wrappers in wrappers', `${'sudo '.repeat(12_000)}ls`],
  ['programs that take commands, and much text', `${'mysql;'.repeat(4_900)}echo '\\! id' ${'a '.repeat(15_000)}`],
  ['functions in functions', 'f(){ '.repeat(9_000)],
  ['variables in variables', `echo ${'${a:-'.repeat(10_000)}`],
])('%s: asked about', (_, command) => expect(judged(command).decision).toBe('ask'));

test('more than 64 KiB is not judged', () => expect(judged(`ls ${'a'.repeat(66_000)}`)).toMatchObject({ decision: 'ask', risk: 'high' }));
