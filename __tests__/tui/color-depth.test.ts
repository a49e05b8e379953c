import { rgb } from '../../lib/base/style.js';
import { colorDepthOf, reduceColor } from '../../lib/tui/color-depth.js';
import { sgr } from '../../lib/tui/sgr.js';

test.each([
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 'truecolor'],
  [{ TERM: 'tmux-256color', COLORTERM: '24bit' }, 'truecolor'],
  [{ TERM: 'xterm-256color' }, '256'],
  [{ TERM: 'xterm-kitty' }, 'truecolor'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }, 'truecolor'],
  [{ TERM: 'tmux-256color', TERM_PROGRAM: 'WezTerm' }, '256'],
  [{ TERM: 'linux' }, '16'],
  [{ TERM: 'xterm' }, '16'],
  [{ TERM: 'vt100' }, 'mono'],
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1' }, 'mono'],
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '' }, 'truecolor'],
  [{}, '256'],
])('%j has depth %s', (env, depth) => {
  expect(colorDepthOf(env)).toBe(depth);
});

test('colours become the nearest there are', () => {
  expect(reduceColor(rgb(255, 0, 0), '256')).toBe(196);
  expect(reduceColor(rgb(128, 128, 128), '256')).toBe(244);
  expect(reduceColor(rgb(10, 10, 240), '16')).toBe(4);
  expect(reduceColor(196, '16')).toBe(9);
  expect(reduceColor(3, '16')).toBe(3);
  expect(reduceColor(3, 'mono')).toBeNull();
});

test('one sequence says the whole look', () => {
  expect(sgr({}, 'truecolor')).toBe('\x1b[m');
  expect(sgr({ bold: true, strike: true, fg: 9, bg: rgb(1, 2, 3) }, 'truecolor')).toBe('\x1b[0;1;9;91;48;2;1;2;3m');
  expect(sgr({ underline: true, fg: 208 }, 'mono')).toBe('\x1b[0;4m');
});
