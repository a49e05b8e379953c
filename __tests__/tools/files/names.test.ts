/** Names of any bytes, shown so that nothing of them is hidden or obeyed. */

import { unreadNote } from '../../../lib/tools/files/folder.js';
import { bytesOf, shownName, textOf } from '../../../lib/tools/files/names.js';

test.each([
  ['plain/name', 'plain/name'],
  [bytesOf('żółć 日本'), 'żółć 日本'],
  ['b\xe9d', 'b\\xE9d'],
  [`${bytesOf('ż')}\xff${bytesOf('ć')}`, 'ż\\xFFć'],
  ['a\nb\tc\x1b[31m\r', 'a␊b␉c␛[31m␍'],
  [bytesOf('a\u202eb\u200b'), 'a<U+202E>b<U+200B>'],
])('%j', (bytes, shown) => {
  expect(shownName(bytes)).toBe(shown);
});

test('text and bytes are each other', () => {
  for (const text of ['', 'a', 'ż/日本/😀']) expect(textOf(bytesOf(text))).toBe(text);
});

test('what could not be read is told in the same words, whoever complained', () => {
  const said = [
    "find: './locked': Permission denied",
    'find: ./locked: Permission denied',
    'find: ‘./locked’: Permission denied',
    'rg: ./locked: Permission denied (os error 13)',
    '[fd error]: ./locked: Permission denied (os error 13)',
    'grep: ./locked: Permission denied',
  ];
  for (const line of said) expect(unreadNote(`${line}\n`)).toEqual(['Could not be read: locked.']);
  expect(unreadNote(said.join('\n'))).toEqual(['Could not be read: locked.']);
  expect(unreadNote('find: File system loop detected\n')).toEqual([]);
});
