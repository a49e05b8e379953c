import { expect, test } from '@jest/globals';
import { asksTerminal, isAnswers } from '../../lib/targets/tmux/terminal-answers.js';

test.each([
  ['the rest of two reports', '1;2c12;1R'],
  ['a report with its mark', '^[[?1;2c^[[12;40R'],
  ['one that is still coming', '1;2c12;'],
  ['one that has just begun', '[?1'],
  ['one that a line editor drew again while it came', '1;21;2c121;2c12;1R'],
  ['a version', '>|tmux 3.3a'],
  ['a colour', ']11;rgb:0000/0000/0000'],
])('%s is an answer that nobody has read', (_, text) => {
  expect(isAnswers(text)).toBe(true);
});

test.each(['ls', 'cat 12', 'rm 1;2c', '1;2c ls', '[ -e x ]'])('%s is what somebody typed', (text) => {
  expect(isAnswers(text)).toBe(false);
});

test('a question is known by its bytes', () => {
  expect(asksTerminal(Buffer.from('a\x1b[6nb'))).toBe(true);
  expect(asksTerminal(Buffer.from('a\x1b[31mb'))).toBe(false);
});

test('a long line of them is judged at once', () => {
  expect(isAnswers('1;2c'.repeat(1000))).toBe(true);
  expect(isAnswers(`${'1;2c'.repeat(1000)}x`)).toBe(false);
});
