/** The draft by triples: before, keys, after. `|` is the cursor, `/` in the notation a line end. */

import fc from 'fast-check';
import { handleInput } from '../../../lib/view/app.js';
import { compose } from '../../../lib/view/compose.js';
import { clusters } from '../../../lib/view/editor/clusters.js';
import { draftOf } from '../../../lib/view/editor/model.js';
import { editorRows, seenAt } from '../../../lib/view/editor/wrap.js';
import { editorWidth } from '../../../lib/view/screen.js';
import type { State } from '../../../lib/view/state.js';
import { keyEvent, press, START_MS, seen, stateAfter } from '../support/picture.js';

function written(before: string): State {
  const at = before.indexOf('|');
  const lines = before.replace('|', '').split('/');
  const head = before.slice(0, at).split('/');
  const state = stateAfter(40, 20);
  const cursor = { line: head.length - 1, offset: head[head.length - 1]?.length ?? 0 };
  return { ...state, editor: { ...state.editor, text: { lines, cursor } } };
}

function shown(state: State): string {
  const { lines, cursor } = state.editor.text;
  return lines.map((line, i) => (i === cursor.line ? `${line.slice(0, cursor.offset)}|${line.slice(cursor.offset)}` : line)).join('/');
}

const triples: readonly (readonly [string, string, string])[] = [
  ['|', 'h i', 'hi|'],
  ['ab|', 'left X', 'aX|b'],
  ['a|b', 'right right', 'ab|'],
  ['ab/|cd', 'left', 'ab|/cd'],
  ['ab|/cd', 'right', 'ab/|cd'],
  ['ab/|cd', 'backspace', 'ab|cd'],
  ['ab|/cd', 'delete', 'ab|cd'],
  ['ab|/cd', 'C-d', 'ab|cd'],
  ['a👩‍👩‍👧|b', 'backspace', 'a|b'],
  ['e\u0301|', 'left', '|e\u0301'],
  ['日本|語', 'left left', '|日本語'],
  ['one two|', 'M-b', 'one |two'],
  ['|one two', 'M-f M-f', 'one two|'],
  ['one/|two', 'M-b', '|one/two'],
  ['one.two|', 'C-w', '|'],
  ['one.two|', 'M-backspace', 'one.|'],
  ['|one two', 'M-d', '| two'],
  ['one |two', 'C-k C-y', 'one two|'],
  ['one |two', 'C-u C-e C-y', 'twoone |'],
  ['a|/b', 'C-k', 'a|b'],
  ['a/|b', 'C-u', 'a|b'],
  ['one two|', 'C-w C-w C-y', 'one two|'],
  ['one two|', 'C-w left C-w C-y', 'one| '],
  ['one two|', 'C-w left C-w C-y M-y', 'two| '],
  ['|ab/cd', 'C-e down', 'ab/cd|'],
  ['abc/x/abc|', 'up up', 'abc|/x/abc'],
  ['ab|', 'M-enter c', 'ab/c|'],
  ['ab|', 'C-j c', 'ab/c|'],
  ['ab|', 'S-enter c', 'ab/c|'],
  ['|', 'a b C-_', '|'],
  ['|', 'a b C-_ M-_', 'ab|'],
  ['|', 'a b space c C-_', 'ab |'],
  ['|', 'a b space c C-_ C-_', 'ab|'],
  ['one|', 'C-u C-_', 'one|'],
  ['one/t|wo', 'home', 'one/|two'],
  ['one/t|wo', 'C-a C-k', 'one/|'],
  ['draft|', 'C-c', '|'],
  ['draft|', 'C-c C-_', 'draft|'],
  ['ab|c', 'C-t', 'acb|'],
  ['abc|', 'C-t', 'acb|'],
  ['|abc', 'C-t', '|abc'],
  ['a|', 'C-t', 'a|'],
  ['日本|', 'C-t', '本日|'],
  ['one two|', 'M-t', 'two one|'],
  ['one |two three', 'M-t', 'two one| three'],
  ['one two  |', 'M-t', 'two one|  '],
  ['|one', 'M-t', '|one'],
  ['one, |two', 'M-t', 'two, one|'],
  ['|one two', 'M-u', 'ONE| two'],
  ['ONE| TWO', 'M-l', 'ONE two|'],
  ['|one tWO', 'M-c M-c', 'One Two|'],
  ['é|éa', 'M-u', 'éÉA|'],
  ['a  | b', 'M-\\', 'a|b'],
  ['a/b|c', 'M-<', '|a/bc'],
  ['a|/bc', 'M->', 'a/bc|'],
  ['on|e two', 'C-space M-f right C-w', 'on|two'],
  ['on|e two', 'C-space M-f M-w C-e C-y', 'one twoe|'],
  ['one| two', 'C-space C-e C-x C-x', 'one| two'],
  ['one two|', 'C-space C-a C-w C-y', 'one two|'],
  ['one two|', 'C-space x C-w', 'one |'],
  ['one|', 'C-x C-u', 'one|'],
  ['|', 'a C-x C-u', '|'],
  ['a|', 'C-v tab', 'a\t|'],
  ['a|', 'C-v enter b', 'a/b|'],
  ['a|', 'C-v C-a', 'a\u0001|'],
  ['a|', 'C-v left b', 'ab|'],
  ['a|', 'C-x q b', 'ab|'],
  ['text|', 'C-s', '|'],
  ['text|', 'C-s C-s', 'text|'],
  ['text|', 'C-s n e w C-s', 'text|'],
  ['text|', 'C-s n e w C-s C-u C-s', 'new|'],
  ['text|', 'C-s C-_', 'text|'],
];

test.each(triples)('%j  %s', (before, keys, after) => {
  expect(shown(press(written(before), START_MS, ...keys.split(' ')).state)).toBe(after);
});

test('up and down go by the rows that are seen and keep to their column', () => {
  const long = 'a'.repeat(30);
  const { state } = press(written(`${long} ${long}|`), START_MS, 'up');
  expect(state.editor.text.cursor.offset).toBe(30);
  expect(press(state, START_MS, 'down').state.editor.text.cursor.offset).toBe(61);
});

test('history: up from the first row, and the draft waits at its end', () => {
  const start = stateAfter(80, 24, [], { history: ['first', 'second'] });
  const draft = press(start, START_MS, 'n', 'e', 'w').state;
  const up = (state: State) => press(state, START_MS, 'up').state;
  const down = (state: State) => press(state, START_MS, 'down').state;
  expect(shown(up(draft))).toBe('second|');
  expect(shown(up(up(draft)))).toBe('first|');
  expect(shown(up(up(up(draft))))).toBe('first|');
  expect(shown(down(down(up(up(draft)))))).toBe('new|');
  expect(shown(down(draft))).toBe('new|');
});

test('Alt+. brings the last word of the prompt before, then of earlier ones; one undo takes it away', () => {
  const start = stateAfter(80, 24, [], { history: ['cp a.txt b.txt', 'cat  c.txt '] });
  const once = press(start, START_MS, 'x', 'space', 'M-.').state;
  expect(shown(once)).toBe('x c.txt|');
  expect(shown(press(once, START_MS, 'M-.').state)).toBe('x b.txt|');
  expect(shown(press(once, START_MS, 'M-.', 'M-.').state)).toBe('x b.txt|');
  expect(shown(press(once, START_MS, 'M-.', 'C-_').state)).toBe('x |');
});

test('undo after sending brings the text back as a draft', () => {
  const state = press(stateAfter(80, 24), START_MS, 'h', 'i', 'enter').state;
  expect(shown(state)).toBe('|');
  expect(shown(press(state, START_MS, 'C-_').state)).toBe('hi|');
  expect(shown(press(state, START_MS, 'y', 'o', 'C-_', 'C-_').state)).toBe('hi|');
});

test('a draft put aside is told, also after another one was sent', () => {
  const state = press(stateAfter(80, 24), START_MS, 'a', 'C-s', 'b', 'enter').state;
  expect(seen(state)).toContain('stashed');
  expect(shown(press(state, START_MS, 'C-s').state)).toBe('a|');
  expect(seen(press(state, START_MS, 'C-s').state)).not.toContain('stashed');
});

test('the region is seen', () => {
  const state = press(written('one two|'), START_MS, 'C-space', 'M-b').state;
  const frame = compose(state, state.theme);
  const marked = frame.parts.flatMap(({ rows }) =>
    rows.flatMap(({ segments }) => segments.filter((part) => part.style === state.theme.styles.selected)),
  );
  expect(marked.map((part) => part.text)).toEqual(['two']);
});

describe('right to left', () => {
  test('the cursor goes by the order of the text, its cells add up, and rows hold all of it', () => {
    const state = written('שלום עולם|');
    expect(shown(press(state, START_MS, 'M-b').state)).toBe('שלום |עולם');
    expect(shown(press(state, START_MS, 'C-a', 'right').state)).toBe('ש|לום עולם');
    const rows = editorRows(state.editor.text, 5, []);
    expect(rows.map((row) => row.pieces.map((part) => part.text).join(''))).toEqual(['שלום ', 'עולם']);
  });
});

test('a wide character that does not fit at the border goes to the next row, and the cursor with it', () => {
  const text = { lines: ['abcd日本'], cursor: { line: 0, offset: 4 } };
  const rows = editorRows(text, 5, []);
  expect(rows.map((row) => [row.start, row.end])).toEqual([
    [0, 4],
    [4, 6],
  ]);
  expect(seenAt(text, rows, 6, [])).toEqual({ x: 0, y: 1 });
});

describe('pastes', () => {
  const paste = (state: State, text: string): State => handleInput(state, { type: 'paste', text, complete: true }, START_MS).state;

  test('a small one is text, line ends and all, and submits nothing', () => {
    const step = handleInput(stateAfter(80, 24), { type: 'paste', text: 'one\r\ntwo\rthree\n', complete: true }, START_MS);
    expect(draftOf(step.state.editor)).toBe('one\ntwo\nthree\n');
    expect(step.effects).toEqual([]);
  });

  test('a big one is one token, sent as what it stands for', () => {
    const text = 'line of text\n'.repeat(2300);
    const state = press(paste(press(stateAfter(80, 24), START_MS, 'a').state, text), START_MS, 'b').state;
    expect(state.editor.pastes.map((folded) => folded.label)).toEqual(['[paste #1 · 2 300 lines]']);
    expect(press(state, START_MS, 'enter').effects[0]).toEqual({ type: 'send', command: { type: 'prompt.submit', text: `a${text}b` } });
  });

  test('one backspace takes a token away, undo brings it back', () => {
    const state = paste(stateAfter(80, 24), 'x'.repeat(1001));
    const erased = press(state, START_MS, 'backspace').state;
    expect(draftOf(erased.editor)).toBe('');
    expect(draftOf(press(erased, START_MS, 'C-_').state.editor)).toBe('x'.repeat(1001));
  });

  test('a token that was cut comes back whole, also in the next draft', () => {
    const text = 'y\n'.repeat(50);
    const cut = press(paste(stateAfter(80, 24), text), START_MS, 'C-u', 'h', 'enter').state;
    expect(draftOf(press(cut, START_MS, 'C-y').state.editor)).toBe(text);
  });

  test('characters that stand for tokens cannot be pasted', () => {
    const state = paste(paste(stateAfter(80, 24), 'x'.repeat(2000)), 'a\ufdd0b');
    expect(draftOf(state.editor)).toBe(`${'x'.repeat(2000)}a\ufffdb`);
  });

  test('Alt+E writes the token at the cursor out, undo folds it again; a huge one stays', () => {
    const text = 'line\n'.repeat(40).trimEnd();
    const state = press(paste(stateAfter(80, 24), text), START_MS, 'M-e').state;
    expect(state.editor.text.lines).toHaveLength(40);
    expect(press(state, START_MS, 'C-_').state.editor.text.lines).toHaveLength(1);
    const huge = press(paste(stateAfter(80, 24), 'x'.repeat(200_000)), START_MS, 'M-e').state;
    expect(huge.editor.text.lines[0]).toHaveLength(1);
    expect(seen(huge)).toContain('too long to be shown here');
    expect(seen(press(stateAfter(80, 24), START_MS, 'M-e').state)).toContain('no folded paste at the cursor');
  });

  test('tokens that are gone make room for new ones: no paste is ever written out for want of a mark', () => {
    let state = stateAfter(80, 24);
    for (let at = 0; at < 80; at++) state = press(paste(state, `${at}`.repeat(1200)), START_MS, 'backspace').state;
    state = paste(state, 'y'.repeat(5000));
    expect(state.editor.text.lines[0]).toHaveLength(1);
    expect(draftOf(state.editor)).toBe('y'.repeat(5000));
    expect(draftOf(press(state, START_MS, 'backspace', 'C-_').state.editor)).toBe('y'.repeat(5000));
  });

  test('a megabyte is folded and shown in one row', () => {
    const state = paste(stateAfter(80, 24), 'é'.repeat(1_000_000));
    expect(editorRows(state.editor.text, 77, state.editor.pastes).length).toBe(1);
  });
});

const keys = [
  'left right up down home end backspace delete C-a C-e C-k C-u C-w C-y M-y M-b M-f M-d M-backspace C-_ M-_ M-enter C-left C-right C-t M-t M-u M-l M-c M-\\ M-. M-< M-> C-space M-w C-s M-e'.split(
    ' ',
  ),
  ['a', 'b', ' ', '.', 'é', '日', '👩‍👩‍👧', 'e\u0301', '🇩🇪', 'ก็', '\u0301', '\u200d', '️'],
].flat();

test('whatever is pressed: the cursor stands between clusters and on the screen, rows hold all the text and fit', () => {
  const input = fc.oneof(fc.constantFrom(...keys), fc.constantFrom('paste:x\ny', `paste:${'z'.repeat(1200)}`, 'paste:\t\u202e\x1b[A'));
  fc.assert(
    fc.property(fc.array(input, { maxLength: 60 }), fc.integer({ min: 40, max: 60 }), (pressed, cols) => {
      let state = stateAfter(cols, 20, [], { history: ['older\nprompt', 'p'.repeat(3000)] });
      for (const name of pressed) {
        const event = name.startsWith('paste:') ? ({ type: 'paste', text: name.slice(6), complete: true } as const) : keyEvent(name);
        state = handleInput(state, event, START_MS).state;
        const { lines, cursor } = state.editor.text;
        const line = lines[cursor.line] ?? '';
        const boundaries = [0];
        for (const cluster of clusters(line)) boundaries.push((boundaries.at(-1) ?? 0) + cluster.length);
        expect(boundaries).toContain(cursor.offset);
        const width = editorWidth(state.size);
        const rows = editorRows(state.editor.text, width, state.editor.pastes);
        expect(rows.map((row) => lines[row.line]?.slice(row.start, row.end)).join('')).toBe(lines.join(''));
        const seen = seenAt(state.editor.text, rows, width + 1, state.editor.pastes);
        expect(seen.x <= width && seen.y < rows.length).toBe(true);
      }
    }),
    { numRuns: 150, seed: 2026 },
  );
});

test('undo goes back over everything, redo forth again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...keys.filter((name) => !name.includes('_') && name !== 'up' && name !== 'down')), { maxLength: 30 }),
      (pressed) => {
        const end = press(stateAfter(80, 20), START_MS, ...pressed).state;
        let back = end;
        for (let i = 0; i < 60; i++) back = press(back, START_MS, 'C-_').state;
        expect(draftOf(back.editor)).toBe('');
        let forth = back;
        for (let i = 0; i < 60; i++) forth = press(forth, START_MS, 'M-_').state;
        expect(draftOf(forth.editor)).toBe(draftOf(end.editor));
      },
    ),
    { numRuns: 100, seed: 2026 },
  );
});
