/** One answer folded to its first line and shown again: by a key, and by a click on its mark. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { click, following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const lex = await loadMarkdown();
const prompt = (task: string, text: string): RuntimeEvent => ({ type: 'task.started', task, kind: 'prompt', text, pane: null });
const says = (text: string): RuntimeEvent => ({ type: 'model.text', task: '1', text });
const long = (word: string): RuntimeEvent =>
  says(`## **${word}** begins\n\n${Array.from({ length: 60 }, (_, i) => `${word} ${i}\n\n`).join('')}`);

const begun = (...events: readonly RuntimeEvent[]): State =>
  press(stateAfter(79, 24, [startedEvent(), ...events], { lex }), START_MS, 'tab').state;
const after = (state: State, ...keys: readonly string[]): State => press(state, START_MS, ...keys).state;
const rows = (state: State): readonly string[] =>
  seen(state)
    .split('\n')
    .filter((line) => line.startsWith('│'))
    .map((line) => line.slice(1, -1).trimEnd());
const two = [prompt('1', 'first?'), long('one'), prompt('2', 'second?'), says('short, and to the point')];

test('a folds the last answer at the end, and shows it again from its beginning', () => {
  const state = begun(prompt('1', 'first?'), long('one'));
  const folded = after(state, 'a');
  expect(seen(folded)).toContain('◆ one begins ⋯');
  expect(seen(folded)).not.toContain('one 59');
  expect(seen(after(folded, 'a'))).toContain('◆ ## one begins');
  expect(seen(after(folded, 'a', 'end'))).toBe(seen(state));
});

test('above the end it folds the one that is read; what is read is then its line', () => {
  const up = after(begun(...two), 'pageup', 'pageup');
  const folded = after(up, 'a');
  expect(rows(folded).filter((row) => row !== '')).toEqual(['● first?', '◆ one begins ⋯', '● second?', '◆ short, and to the point']);
  expect(seen(after(folded, 'a'))).toMatch(/one \d+/);
  expect(seen(after(folded, 'up', 'a'))).toContain('◆ short, and to the point ⋯');
});

test('a click on the mark folds, one on the folded line shows it again, one on the text does nothing', () => {
  const state = after(begun(...two), 'home');
  const y = seen(state)
    .split('\n')
    .findIndex((line) => line.includes('◆ ## one begins'));
  const clicked = (now: State, x: number) => click(now, START_MS, [x, y]).state;
  const folded = clicked(state, 1);
  expect(seen(folded)).toContain('◆ one begins ⋯');
  expect(seen(clicked(state, 8))).toBe(seen(state));
  expect(
    click(folded, START_MS + 5000, [
      8,
      seen(folded)
        .split('\n')
        .findIndex((line) => line.includes('⋯')),
    ]).state.toggled.size,
  ).toBe(0);
});

test('one that still comes stays folded; expanding all shows it', () => {
  const folded = following(after(begun(prompt('1', 'first?'), long('one')), 'a'), long('more'), long('again'));
  expect(
    rows(folded)
      .filter((row) => row !== '')
      .at(-1),
  ).toBe('◆ one begins ⋯');
  expect(seen(after(folded, 'C-o'))).toContain('again 59');
});

test('a match in front of a search is shown all the same', () => {
  const folded = after(begun(...two), 'home', 'a');
  expect(seen(after(folded, '/', 'o', 'n', 'e', ' ', '4', '2', 'enter'))).toContain('one 42');
});
