/** Every key, paste and mouse event as the bytes that the pane's terminal sends; and back again through our own decoder. */

import type { InputEvent } from '../../../lib/protocol/input.js';
import { freshModes, type PaneModes } from '../../../lib/protocol/panes.js';
import { decode, expire, freshDecoder } from '../../../lib/tui/input-decoder.js';
import { keyBytes, mouseBytes } from '../../../lib/view/keys/pane-bytes.js';

const asked = (modes: Partial<PaneModes>): PaneModes => ({ ...freshModes, ...modes });

test.each([
  ['a', 'a', 'a'],
  ['日', '日', '日'],
  ['space', ' ', ' '],
  ['enter', '', '\r'],
  ['tab', '', '\t'],
  ['S-tab', '', '\x1b[Z'],
  ['escape', '', '\x1b'],
  ['backspace', '', '\x7f'],
  ['C-backspace', '', '\b'],
  ['M-backspace', '', '\x1b\x7f'],
  ['M-enter', '', '\x1b\r'],
  ['S-enter', '', '\r'],
  ['C-space', '', '\0'],
  ['C-a', '', '\x01'],
  ['C-c', '', '\x03'],
  ['C-j', '', '\n'],
  ['C-z', '', '\x1a'],
  ['C-\\', '', '\x1c'],
  ['C-]', '', '\x1d'],
  ['C-^', '', '\x1e'],
  ['C-_', '', '\x1f'],
  ['C-/', '', '\x1f'],
  ['C-8', '', '\x7f'],
  ['M-x', '', '\x1bx'],
  ['C-M-x', '', '\x1b\x18'],
  ['up', '', '\x1b[A'],
  ['home', '', '\x1b[1~'],
  ['end', '', '\x1b[4~'],
  ['C-left', '', '\x1b[1;5D'],
  ['M-S-end', '', '\x1b[1;4F'],
  ['insert', '', '\x1b[2~'],
  ['delete', '', '\x1b[3~'],
  ['pagedown', '', '\x1b[6~'],
  ['S-pageup', '', '\x1b[5;2~'],
  ['f1', '', '\x1bOP'],
  ['C-f4', '', '\x1b[1;5S'],
  ['f5', '', '\x1b[15~'],
  ['f12', '', '\x1b[24~'],
  ['M-f9', '', '\x1b[20;3~'],
])('%s', (key, text, bytes) => {
  expect(keyBytes(key, text, freshModes)).toBe(bytes);
});

test('application cursor keys: SS3, but not with modifiers', () => {
  const modes = asked({ applicationCursor: true });
  const bytes = (key: string) => keyBytes(key, '', modes);
  expect(['up', 'left', 'home', 'C-up', 'f1', 'delete'].map(bytes)).toEqual([
    '\x1bOA',
    '\x1bOD',
    '\x1b[1~',
    '\x1b[1;5A',
    '\x1bOP',
    '\x1b[3~',
  ]);
});

test('what a terminal sent comes out as it was sent', () => {
  const sent = [
    ...Array.from({ length: 26 }, (_, at) => String.fromCharCode(at + 1)).filter((byte) => byte !== '\b'),
    ...[
      '\x1b[A',
      '\x1b[1;5C',
      '\x1b[1~',
      '\x1b[4~',
      '\x1bOP',
      '\x1b[15~',
      '\x1b[3;2~',
      '\x1b[Z',
      '\x1bf',
      '\x1b\x7f',
      '\x7f',
      'é',
      '\x1c',
      '\x1f',
    ],
  ];
  const back = sent.map((bytes) => {
    const first = decode(freshDecoder, Buffer.from(bytes, 'utf8'));
    const [event] = [...first.events, ...expire(first.state).events];
    return event?.type === 'key' ? keyBytes(event.key, event.text, freshModes) : `? ${JSON.stringify(event)}`;
  });
  expect(back).toEqual(sent);
});

type Mouse = Extract<InputEvent, { type: 'mouse' }>;
const mouse = (action: Mouse['action'], button: Mouse['button'] = 'left'): Mouse => ({ type: 'mouse', action, button, x: 0, y: 0 });
const at = { x: 4, y: 9 };

test('the mouse in the SGR form', () => {
  const modes = asked({ mouse: 'drag', mouseSgr: true });
  const bytes = [
    mouse('press'),
    mouse('drag'),
    mouse('release'),
    mouse('press', 'right'),
    mouse('wheel-up', 'none'),
    mouse('wheel-down', 'none'),
  ];
  expect(bytes.map((event) => mouseBytes(event, at, modes))).toEqual([
    '\x1b[<0;5;10M',
    '\x1b[<32;5;10M',
    '\x1b[<0;5;10m',
    '\x1b[<2;5;10M',
    '\x1b[<64;5;10M',
    '\x1b[<65;5;10M',
  ]);
});

test('the mouse in the first form, as far as its bytes reach', () => {
  const modes = asked({ mouse: 'vt200' });
  expect(mouseBytes(mouse('press'), at, modes)).toBe('\x1b[M %*');
  expect(mouseBytes(mouse('release'), at, modes)).toBe('\x1b[M#%*');
  expect(mouseBytes(mouse('press'), { x: 200, y: 3 }, modes)).toBe('');
});

test('only what the program asked for', () => {
  const all = [mouse('press'), mouse('release'), mouse('drag'), mouse('wheel-up', 'none')];
  const kinds = (['none', 'x10', 'vt200', 'drag', 'any'] as const).map((wanted) =>
    all.map((event) => mouseBytes(event, at, asked({ mouse: wanted, mouseSgr: true })) !== ''),
  );
  expect(kinds).toEqual([
    [false, false, false, false],
    [true, false, false, false],
    [true, true, false, true],
    [true, true, true, true],
    [true, true, true, true],
  ]);
});
