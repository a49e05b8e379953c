/** Words beside the screen: each terminal's own form, nothing that could begin or end a sequence. */

import fc from 'fast-check';
import { notification, progressBytes, titleBytes } from '../../lib/tui/notify.js';

test.each([
  ['kitty', { TERM: 'xterm-kitty' }, '\x1b]99;i=buddy:d=1:p=title;done\x1b\\'],
  ['foot', { TERM: 'foot' }, '\x1b]777;notify;buddy-tui;done\x1b\\'],
  ['WezTerm', { TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }, '\x1b]777;notify;buddy-tui;done\x1b\\'],
  ['iTerm2', { TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, '\x1b]9;done\x1b\\'],
  ['xterm', { TERM: 'xterm-256color' }, '\x07'],
  ['Linux console', { TERM: 'linux' }, '\x07'],
  ['kitty inside tmux', { TERM: 'tmux-256color', TMUX: '/tmp/x,1,0', TERM_PROGRAM: 'ghostty' }, '\x07'],
])('%s', (_name, env, bytes) => {
  expect(notification('done', 'auto', env)).toBe(bytes);
});

test('bell and off', () => {
  expect(notification('done', 'bell', { TERM: 'xterm-kitty' })).toBe('\x07');
  expect(notification('done', 'off', { TERM: 'xterm-kitty' })).toBe('');
});

test('no text of anybody can leave its place', () => {
  const control = /[\x00-\x1f\x7f-\x9f]/;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(titleBytes(text).slice('\x1b]2;'.length, -2)).not.toMatch(control);
      const words = notification(text, 'auto', { TERM: 'foot' });
      if (words !== '\x07') expect(words.slice('\x1b]777;notify;buddy-tui;'.length, -2)).not.toMatch(/[\x00-\x1f\x7f-\x9f;]/);
    }),
  );
});

test('progress only where it is known to be one', () => {
  expect(progressBytes('busy', { TERM_PROGRAM: 'ghostty' })).toBe('\x1b]9;4;3\x1b\\');
  expect(progressBytes('waiting', { WT_SESSION: 'x' })).toBe('\x1b]9;4;4;100\x1b\\');
  expect(progressBytes('none', { ConEmuANSI: 'ON' })).toBe('\x1b]9;4;0\x1b\\');
  expect(progressBytes('busy', { TERM: 'xterm-256color' })).toBe('');
  expect(progressBytes('busy', { TERM_PROGRAM: 'ghostty', TMUX: 'x' })).toBe('');
});
