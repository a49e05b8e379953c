/** Output that nobody heard, found on the pane's rows. */

import { missedOutput } from '../../lib/targets/output/missed-output.js';

const pane = (...rows: readonly string[]) => ['old', '❯ make', ...rows, '', ''];

test.each([
  ['nothing came yet', '', pane('one', 'two', '$ '), true, 'one\ntwo\n'],
  ['goes on after the last whole line', 'one\r\ntwo\r\n', pane('one', 'two', 'three', '$'), true, 'three\n'],
  ['goes on within a line', 'one\r\ntw', pane('one', 'two', 'three'), false, 'o\nthree'],
  ['colours do not count', '\x1b[31mone\x1b[0m\r\n', pane('one', 'two'), false, 'two'],
  ['a progress line that was rewritten', '10%\r20%\r\n', pane('20%', 'done', '$'), true, 'done\n'],
  ['nothing was missed', 'one\r\n', pane('one', '$'), true, ''],
])('%s', (_name, received, lines, atPrompt, text) => {
  expect(missedOutput(received, lines, atPrompt, 2)).toEqual({ text, complete: true });
});

test.each([
  ['the place occurs twice', 'a\r\n', pane('a', 'b', 'a', 'c')],
  ['the place has scrolled away', 'gone\r\n', ['z', 'y']],
  ['a screen program wrote elsewhere', 'x\x1b[Hy\r\n', pane('other')],
])('not certain: %s', (_name, received, lines) => {
  expect(missedOutput(received, lines, false, 2).complete).toBe(false);
});

test.each([
  ['a whole line', '', pane('one'), 1, 'one\n'],
  ['the rest of a line and its end', 'on', pane('one'), 1, 'e\n'],
  ['the end of a line alone', 'one', pane('one'), 1, '\n'],
  ['a line and an empty one', 'one\r\n', pane('one', 'two'), 0, 'two\n\n'],
  ['a progress line with the cursor at its beginning', 'one\r\n', pane('one', '20%'), 2, '20%'],
])('the cursor stands below the last text: %s', (_name, received, lines, rowsBelow, text) => {
  expect(missedOutput(received, lines, false, rowsBelow)).toEqual({ text, complete: true });
});
