/** vi keys by triples, written down from vim's manual: before, keys, after. `|` is the cursor, `/` in the notation a line end. */

import { draftOf } from '../../../lib/view/editor/model.js';
import type { State } from '../../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from '../support/picture.js';
import { afterCommand, draftOfCase } from './support/vi-draft.js';

function typed(before: string, keys: string): string {
  const at = before.indexOf('|');
  const lines = before.replace('|', '').split('/');
  const head = before.slice(0, at).split('/');
  const draft = draftOfCase({ lines, line: head.length - 1, column: [...(head[head.length - 1] ?? '')].length });
  const { text } = afterCommand(draft, keys.replaceAll('<Esc>', '\x1b').replaceAll('<C-r>', '\x12'));
  return text.lines
    .map((line, i) => (i === text.cursor.line ? `${line.slice(0, text.cursor.offset)}|${line.slice(text.cursor.offset)}` : line))
    .join('/');
}

/** Every operator with every motion, from the `t` of `two` in one text. */
const text = 'one.a (|two b) tail/last, line';
const table: readonly (readonly [string, string, string, string])[] = [
  // motion, moved, deleted, changed to X
  ['h', 'one.a |(two b) tail/last, line', 'one.a |two b) tail/last, line', 'one.a |Xtwo b) tail/last, line'],
  ['l', 'one.a (t|wo b) tail/last, line', 'one.a (|wo b) tail/last, line', 'one.a (|Xwo b) tail/last, line'],
  ['0', '|one.a (two b) tail/last, line', '|two b) tail/last, line', '|Xtwo b) tail/last, line'],
  ['^', '|one.a (two b) tail/last, line', '|two b) tail/last, line', '|Xtwo b) tail/last, line'],
  ['$', 'one.a (two b) tai|l/last, line', 'one.a |(/last, line', 'one.a (|X/last, line'],
  ['w', 'one.a (two |b) tail/last, line', 'one.a (|b) tail/last, line', 'one.a (|X b) tail/last, line'],
  ['W', 'one.a (two |b) tail/last, line', 'one.a (|b) tail/last, line', 'one.a (|X b) tail/last, line'],
  ['e', 'one.a (tw|o b) tail/last, line', 'one.a (| b) tail/last, line', 'one.a (|X b) tail/last, line'],
  ['E', 'one.a (tw|o b) tail/last, line', 'one.a (| b) tail/last, line', 'one.a (|X b) tail/last, line'],
  ['b', 'one.a |(two b) tail/last, line', 'one.a |two b) tail/last, line', 'one.a |Xtwo b) tail/last, line'],
  ['B', 'one.a |(two b) tail/last, line', 'one.a |two b) tail/last, line', 'one.a |Xtwo b) tail/last, line'],
  ['ge', 'one.a |(two b) tail/last, line', 'one.a |wo b) tail/last, line', 'one.a |Xwo b) tail/last, line'],
  ['fb', 'one.a (two |b) tail/last, line', 'one.a (|) tail/last, line', 'one.a (|X) tail/last, line'],
  ['tb', 'one.a (two| b) tail/last, line', 'one.a (|b) tail/last, line', 'one.a (|Xb) tail/last, line'],
  ['F.', 'one|.a (two b) tail/last, line', 'one|two b) tail/last, line', 'one|Xtwo b) tail/last, line'],
  ['T.', 'one.|a (two b) tail/last, line', 'one.|two b) tail/last, line', 'one.|Xtwo b) tail/last, line'],
  ['%', 'one.a |(two b) tail/last, line', 'one.a | tail/last, line', 'one.a |X tail/last, line'],
  ['j', 'one.a (two b) tail/last, l|ine', '|', '|X'],
  ['G', 'one.a (two b) tail/|last, line', '|', '|X'],
  ['gg', '|one.a (two b) tail/last, line', '|last, line', '|X/last, line'],
  ['2w', 'one.a (two b|) tail/last, line', 'one.a (|) tail/last, line', 'one.a (|X) tail/last, line'],
];

describe.each(table)('%s', (motion, moved, deleted, changed) => {
  test('moves', () => {
    // "%" looks for a bracket in the line: from the closing one it comes back.
    expect(typed(motion === '%' ? 'one.a (two b|) tail/last, line' : text, motion)).toBe(moved);
  });
  test.each([
    ['d', deleted],
    ['c', changed],
  ])('%s', (operator, expected) => {
    const start = motion === '%' ? 'one.a |(two b) tail/last, line' : text;
    expect(typed(start, operator === 'd' ? `d${motion}` : `c${motion}X<Esc>`)).toBe(expected);
  });
  test('y changes nothing, and P brings a copy that u takes away again', () => {
    const start = motion === '%' ? 'one.a |(two b) tail/last, line' : text;
    expect(typed(start, `y${motion}`).replace('|', '')).toBe(start.replace('|', ''));
    expect(typed(start, `y${motion}Pu`).replace('|', '')).toBe(start.replace('|', ''));
  });
});

const triples: readonly (readonly [string, string, string])[] = [
  ['a "|b c" d', 'di"', 'a "|" d'],
  ['a "b| c" d', 'da"', 'a |d'],
  ["|a 'b' d", "ci'x<Esc>", "a '|x' d"],
  ['f(a, |g(b))', 'di(', 'f(|)'],
  ['f(a, g(|b))', 'd2i(', 'f(|)'],
  ['f(|a)', 'dab', '|f'],
  ['x {/  |y/}', 'di{', 'x {/|}'],
  ['x {/  |y/}', 'ci{z<Esc>', 'x {/|z/}'],
  ['a[|1][2]', 'ci[9<Esc>', 'a[|9][2]'],
  ['one |two three', 'diw', 'one | three'],
  ['one |two three', 'daw', 'one |three'],
  ['one |two', 'daw', 'on|e'],
  ['one t|wo three', 'ciwX<Esc>', 'one |X three'],
  ['|a/b/c', 'dd', '|b/c'],
  ['a/|b/c', '2dd', '|a'],
  ['|a/b', 'ddp', 'b/|a'],
  ['a/|b', 'ddP', '|b/a'],
  ['|ab', 'xp', 'b|a'],
  ['|abcd', '3x', '|d'],
  ['ab|cd', 'X', 'a|cd'],
  ['a|bcd', 'D', '|a'],
  ['a|bcd', 'Cx<Esc>', 'a|x'],
  ['|abc', 'sx<Esc>', '|xbc'],
  ['ab|c/d', 'Sx<Esc>', '|x/d'],
  ['|abc', 'rz', '|zbc'],
  ['|abc', '2rz', 'z|zc'],
  ['|abc', '4rz', '|abc'],
  ['|abcd', 'Rxy<Esc>', 'x|ycd'],
  ['a|b', 'Rxyz<Esc>', 'axy|z'],
  ['|aBc', '2~', 'Ab|c'],
  ['|a/  b', 'J', 'a| b'],
  ['|a/)', 'J', 'a|)'],
  ['|a', '3ix<Esc>', 'xx|xa'],
  ['|a', '2ox<Esc>', 'a/x/|x'],
  ['|a b', 'dwu', '|a b'],
  ['|a b', 'dwu<C-r>', '|b'],
  ['|a b c', 'dw.', '|c'],
  ['|one two', 'cwX<Esc>w.', 'X |X'],
  ['|a', 'ib<Esc>.', '|bba'],
  ['|abcdef', 'x2.', '|def'],
  ['|axbxc', 'fx;', 'axb|xc'],
  ['axbx|c', 'Fx,', 'axb|xc'],
  ['|axbxc', 'tx;', 'ax|bxc'],
  ['|one two three', 'vwd', '|wo three'],
  ['|one two', 'veyP', 'on|eone two'],
  ['|a/b/c', 'Vjd', '|c'],
  ['o|ne two', 'viwd', '| two'],
  ['|one two', 'veU', '|ONE two'],
  ['|one/two', 'VjJ', 'one| two'],
  ['one |two', 'vbcX<Esc>', '|Xwo'],
  ['|one two', 'yiwwviwp', 'one on|e'],
  ['|one/two', 'yyjVp', 'one/|one'],
  ['|a b', 'vod', '| b'],
  ['|日本 語', 'dw', '|語'],
  ['日|本', 'x', '|日'],
  ['|👩‍👩‍👧b', 'x', '|b'],
  ['|one', 'ggg', '|one'],
  ['|ONE two', 'guu', '|one two'],
  ['|one two', 'g~w', '|ONE two'],
];

test.each(triples)('%j  %s', (before, keys, expected) => {
  expect(typed(before, keys)).toBe(expected);
});

const start = (): State => stateAfter(80, 24, [startedEvent()], { editorMode: 'vi', history: ['first', 'second'] });
const type = (state: State, ...keys: readonly string[]): State => press(state, START_MS, ...keys).state;

describe('in the dashboard', () => {
  test('the mode is shown, and what was begun', () => {
    expect(seen(start())).toContain('-- INSERT --');
    const normal = type(start(), 'a', 'b', 'escape');
    expect(seen(normal)).toContain('-- NORMAL --');
    expect(seen(type(normal, '2', 'd'))).toContain('2d');
    expect(seen(type(normal, 'v'))).toContain('-- VISUAL --');
    expect(seen(type(normal, 'V'))).toContain('-- VISUAL LINE --');
    expect(seen(type(normal, 'R'))).toContain('-- REPLACE --');
    expect(seen(stateAfter(80, 24, [startedEvent()]))).not.toContain('--');
  });

  test('Enter in normal mode sends; the next draft begins in insert mode', () => {
    const { state, effects } = press(start(), START_MS, 'h', 'i', 'escape', 'enter');
    expect(effects[0]).toEqual({ type: 'send', command: { type: 'prompt.submit', text: 'hi' } });
    expect(draftOf(type(state, 'x').editor)).toBe('x');
  });

  test('j and k walk through earlier prompts at the edges', () => {
    const normal = type(start(), 'n', 'escape');
    expect(draftOf(type(normal, 'k').editor)).toBe('second');
    expect(draftOf(type(normal, 'k', 'k').editor)).toBe('first');
    expect(draftOf(type(normal, 'k', 'k', 'j', 'j').editor)).toBe('n');
  });

  test('Esc leaves insert mode, drops what was begun, and in an empty draft interrupts', () => {
    const busy = following(start(), { type: 'task.started', task: '7', kind: 'prompt', text: 'x', pane: null });
    const cancel = { type: 'send', command: { type: 'task.cancel', task: '7' } };
    expect(press(busy, START_MS, 'escape').effects).toEqual([]);
    expect(press(busy, START_MS, 'escape', 'escape').effects).toEqual([cancel]);
    expect(press(busy, START_MS, 'a', 'escape', 'd', 'escape').effects).toEqual([]);
    expect(press(busy, START_MS, 'a', 'escape', 'escape').effects).toEqual([]);
  });

  test('letters are never typed in normal mode, also those that mean nothing, and arrows stay on the text', () => {
    const state = type(start(), 'a', 'b', 'escape', 'q', 'Q', 'é', 'right', 'right', 'end');
    expect(draftOf(state.editor)).toBe('ab');
    expect(state.editor.text.cursor.offset).toBe(1);
  });

  test('a slash opens the search in earlier prompts, a letter behind f can be any', () => {
    expect(seen(type(start(), 'a', 'escape', '/'))).toContain('earlier prompts');
    expect(type(start(), ...'a/b'.split(''), 'escape', '0', 'f', '/').editor.text.cursor.offset).toBe(1);
    expect(type(start(), ...'a b'.split(''), 'escape', '0', 'f', 'space').editor.text.cursor.offset).toBe(1);
  });

  test('backspace in replace mode brings back what was typed over', () => {
    expect(draftOf(type(start(), ...'abc'.split(''), 'escape', '0', 'R', 'x', 'y', 'backspace').editor)).toBe('xbc');
  });

  test('whatever is typed: the cursor of normal mode is on a character', () => {
    const keys = 'hjklwbe0$xXpPuiaoOdcyvVJ~.r;,fG%{}RsSDCY'
      .split('')
      .concat(['escape', 'enter', 'up', 'down', 'backspace', 'space', 'C-r', 'é']);
    let seed = 1;
    let state = type(start(), ...'one two'.split(''));
    for (let i = 0; i < 4000; i++) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      state = press(state, START_MS, keys[seed % keys.length] ?? 'x').state;
      const { text: draft, vi } = state.editor;
      const line = draft.lines[draft.cursor.line] ?? '';
      if (vi?.mode === 'normal') expect(draft.cursor.offset).toBeLessThanOrEqual(Math.max(0, line.length - 1));
      expect(draft.lines.length).toBeLessThan(100_000);
      if (state.picker !== null) state = type(state, 'C-c');
    }
  });
});
