/** The key tester's picture: bytes, names, meanings, and how the terminal tells keys. */

import { Buffer } from 'node:buffer';
import type { InputEvent } from '../../lib/protocol/input.js';
import { decode, expire, freshDecoder } from '../../lib/tui/input-decoder.js';
import { type KeyTest, keyTestFrame, withHeard } from '../../lib/view/key-test.js';
import { keyList } from '../../lib/view/key-uses.js';
import { keymap } from '../../lib/view/keymap.js';
import { picture, theme } from './support/picture.js';

const fresh: KeyTest = {
  bindings: new Map(),
  vi: false,
  terminal: 'TERM=xterm-256color',
  protocol: 'asked',
  notes: [],
  heard: [],
  last: '',
  over: false,
};

/** The tester after bytes, one read each. */
function heard(start: KeyTest, ...reads: readonly string[]): KeyTest {
  return reads.reduce((test, read) => {
    const bytes = Buffer.from(read);
    const { state, events } = decode(freshDecoder, bytes);
    const all: readonly InputEvent[] = [...events, ...expire(state).events];
    return withHeard(test, bytes, all);
  }, start);
}
const seen = (test: KeyTest, cols = 100, rows = 30): string => picture(keyTestFrame(test, { cols, rows }, theme)).join('\n');

test('a key: its bytes, its name, and what it does in each context that knows it', () => {
  const shown = seen(heard(fresh, '\x10'));
  expect(shown).toMatch(/ Ctrl\+P \(C-p\) +10\n/);
  expect(shown).toContain('    Everywhere: everything that can be done, searched by typing\n');
  expect(shown).toContain('Choices while typing a slash command or a file: previous choice\n');
  expect(shown).not.toContain('vi keys');
  expect(seen(heard({ ...fresh, vi: true }, 'x'))).toContain('Draft with vi keys, outside of insert mode: the usual short changes');
});

test.each([
  ['q', /q +71\n.*goes to the pane\n +Draft: types itself\n[\s\S]*Help: close help/],
  ['\x18', /Draft: begins Ctrl\+X Ctrl\+E: write in \$EDITOR/],
  ['\x1b[24~', /F12 \(f12\) +1b 5b 32 34 7e\n.*goes to the pane\n +no other meaning; \[keys\] in buddy\.toml/],
  ['\x1b[<0;11;6M', /mouse press left +1b 5b 3c 30 3b 31 31 3b 36 4d\n +column 11, row 6/],
  ['\x1b[200~ab\ncdefghi\x1b[201~', /paste +1b 5b .* … \(22 bytes\)\n +10 characters/],
  ['\x1b[I', /focus gained/],
  ['\x1b[97;1:3u', /no key +1b .*\n +is not used/],
  ['日', /日 +e6 97 a5\n[\s\S]*types itself/],
])('%j', (bytes, shown) => {
  expect(seen(heard(fresh, bytes))).toMatch(shown);
});

test('keys of the user’s own are told as they are', () => {
  const bindings = new Map([['global/zoom', ['f9']]]);
  expect(seen(heard({ ...fresh, bindings }, '\x1b[20~'))).toContain('Everywhere: this pane alone, or all again');
  expect(keyList(bindings).find((line) => line.startsWith('global/zoom '))).toMatch(/zoom +F9 +this pane alone/);
  expect(keyList(new Map()).length).toBe(keymap.length);
});

test.each([
  [['\x1b[?0u', '\x1b[?62;4c'], 'kitty keyboard protocol'],
  [['\x1b[?62;4c', '\x1b[13;2u'], 'kitty keyboard protocol'],
  [['\x1b[>4;1m', '\x1b[?1;2c'], 'modifyOtherKeys'],
  [['\x1b[?1;2c', '\x1b[27;2;13~'], 'modifyOtherKeys'],
  [['\x1b[?1;2c', '\r'], 'is plain'],
  [['\r'], 'has not answered'],
])('%j: %s', (reads, words) => {
  expect(seen(heard(fresh, ...reads)).split('\n')[1]).toContain(words);
});

test('Ctrl+C twice or q twice ends it, with nothing in between', () => {
  expect(heard(fresh, 'q', 'q').over).toBe(true);
  expect(heard(fresh, '\x03', '\x03').over).toBe(true);
  expect(heard(fresh, 'q', '\x03', 'q', 'a', 'a', '\x03').over).toBe(false);
  // The terminal's answers and the mouse are no keys.
  expect(heard(fresh, 'q', '\x1b[?1;2c', '\x1b[<64;1;1M', 'q').over).toBe(true);
  expect(seen(heard(fresh, 'q')).split('\n').at(-1)).toBe(' Press keys. q again leaves');
});

test('the newest is uppermost, and nothing is too much for any window', () => {
  const keys = Array.from({ length: 300 }, (_, i) => String.fromCharCode(97 + (i % 16)));
  const test = heard({ ...fresh, notes: ['Inside of tmux.', '  set -s extended-keys on'] }, ...keys, '\x1b');
  expect(test.heard.length).toBe(100);
  expect(seen(test).split('\n').slice(1, 6)).toEqual([
    ' The terminal was asked how it tells keys and has not answered.',
    ' Inside of tmux.',
    '   set -s extended-keys on',
    '',
    ' Esc (escape)    1b',
  ]);
  for (const [cols, rows] of [
    [1, 1],
    [2, 2],
    [10, 3],
    [40, 10],
    [500, 200],
  ] as const)
    expect(seen(test, cols, rows).split('\n').length).toBe(rows);
});
