/** Edits that cannot be: what the model is told has to be enough for its next try. */

import { type EditCase, edits, fails } from './case.js';

const config = ['server {', '  listen 8080;', '  server_name example.test;', '  root /srv/www;', '}', ''].join('\n');

export const failures: readonly EditCase[] = [
  fails(
    'a line that is nearly there',
    config,
    '  listen 80;',
    '  listen 81;',
    'does not occur in /srv/f',
    '2|   listen 8080;',
    'Give "oldText" exactly as it stands there',
  ),
  fails(
    'one line of several is another',
    config,
    '  listen 8080;\n  server_name example.com;\n',
    'x',
    '2|   listen 8080;',
    '3|   server_name example.test;',
    'The first line that differs is 3',
  ),
  fails('nothing is like it', config, 'completely different words', 'x', 'does not occur in /srv/f', 'Nothing there is like it'),
  fails('a long line is cut', `${'x'.repeat(5000)}\nkey = value\n`, `${'x'.repeat(4999)}y`, 'z', `1| ${'x'.repeat(200)}…`),
  fails(
    'many lines',
    Array.from({ length: 100 }, (_, i) => `line number ${i}`).join('\n'),
    Array.from({ length: 50 }, (_, i) => `line number ${i + (i === 49 ? 100 : 0)}`).join('\n'),
    'x',
    '12| line number 11',
  ),
  fails(
    'the edit was made before',
    'port = 8081\n',
    'port = 8080',
    'port = 8081',
    '"newText" stands there already, at line 1',
    'was this edit made before?',
  ),
  fails('escaped twice', 'a\nb\n', 'a\\nb', 'a\\nc', 'It is escaped twice'),
  fails('no such file', null, 'a', 'b', 'no such file or folder', 'write_file makes one'),
  fails('a NUL', Uint8Array.of(97, 0, 98), 'a', 'b', '/srv/f cannot be edited: it is binary: it holds a NUL'),
  fails('no UTF-8', Uint8Array.of(0x61, 0xe9, 0x0a), 'a', 'b', '/srv/f cannot be edited: it is no text in UTF-8'),
  fails('UTF-16', Uint8Array.of(0xff, 0xfe, 0x61, 0), 'a', 'b', 'cannot be edited'),
  fails('too large', Buffer.alloc(8_000_001, 'a\n'), 'a', 'b', 'it has 8.0 MB, and at most 8.0 MB can be', 'sed'),
  fails('a whole line that is only a part', 'timeout = 100\n', 'timeout = 10\n', 'timeout = 20\n', 'does not occur', '1| timeout = 100'),
  {
    name: 'a change that is none beside one that is',
    file: '“a”\nb\n',
    args: edits(['b', 'c'], ['"a"', '“a”']),
    fails: ['"edits[1].oldText" would change nothing'],
  },
];
