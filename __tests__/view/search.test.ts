/** Search in the conversation: all of it, what is folded as well; where one was is kept. */

import { rowText } from '../../lib/base/style.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { handleInput } from '../../lib/view/app.js';
import { compose } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const lex = await loadMarkdown();
const prompt = (text: string): RuntimeEvent => ({ type: 'task.started', task: '1', kind: 'prompt', text, pane: null });
const says = (text: string): RuntimeEvent => ({ type: 'model.text', task: '1', text });
const call = (id: string, text: string): readonly RuntimeEvent[] => [
  { type: 'tool.requested', task: '1', call: id, name: 'run_shell', preview: `run ${id}` },
  { type: 'tool.started', task: '1', call: id },
  { type: 'tool.ended', task: '1', call: id, isError: false, text, summary: 'exit 0', exitCode: 0, elapsedMs: 20 },
];
const lines = (word: string, count: number): string => Array.from({ length: count }, (_, i) => `${word} ${i}\n\n`).join('');

function begun(...events: readonly RuntimeEvent[]): State {
  return press(stateAfter(79, 24, [startedEvent(), ...events], { lex }), START_MS, 'tab').state;
}

const type = (state: State, ...keys: readonly string[]): State => press(state, START_MS, ...keys).state;
const search = (state: State, words: string): State => type(state, '/', ...[...words].map((key) => (key === ' ' ? 'space' : key)));
const bottom = (state: State): string =>
  seen(state)
    .split('\n')
    .find((line) => line.startsWith('│/'))
    ?.slice(1, -1)
    .replace(/ {2,}/g, ' | ')
    .trimEnd() ?? '';
/** The texts on the screen in the look of a match, the one in front in brackets. */
function marks(state: State): readonly string[] {
  const { search_match, search_current } = state.theme.styles;
  return compose(state, state.theme)
    .parts.flatMap((part) => part.rows)
    .flatMap((row) => row.segments)
    .flatMap((part) => (part.style === search_match ? [part.text] : part.style === search_current ? [`[${part.text}]`] : []));
}

test('each letter searches; matches are marked and counted, smart about case', () => {
  const state = begun(prompt('why?'), says('Error one. error two, **ERR**or three'));
  const typed = search(state, 'err');
  expect(bottom(typed)).toBe('/err | 1 of 3');
  expect(marks(typed)).toEqual(['[Err]', 'err', 'ERR']);
  expect(bottom(search(state, 'Err'))).toBe('/Err | 1 of 1');
  expect(bottom(search(state, 'error'))).toBe('/error | 1 of 3');
  expect(marks(search(state, 'nope'))).toEqual([]);
  expect(bottom(search(state, 'nope'))).toBe('/nope | not found');
  expect(bottom(type(typed, 'backspace', 'backspace'))).toBe('/e | 1 of 6');
});

test('Enter keeps the marks, n and N go around, Esc takes them away and stays', () => {
  const state = type(search(begun(prompt('why?'), says('a needle and a needle and a needle')), 'needle'), 'enter');
  expect(bottom(state)).toBe('/needle | 1 of 3');
  expect(bottom(type(state, 'n'))).toBe('/needle | 2 of 3');
  expect(bottom(type(state, 'N'))).toBe('/needle | 3 of 3');
  expect(bottom(type(state, 'n', 'n', 'n'))).toBe('/needle | 1 of 3');
  const closed = type(state, 'escape');
  expect(closed.search).toBeNull();
  expect(marks(closed)).toEqual([]);
  expect(bottom(type(closed, '/', 'enter'))).toBe('/needle | 1 of 3');
});

test('Esc while typing goes back to where one was', () => {
  const reading = type(begun(prompt('why?'), says(`the needle\n\n${lines('x', 200)}`)), 'pageup', 'pageup');
  const typed = search(reading, 'needle');
  expect(seen(typed)).toContain('the needle');
  expect(seen(type(typed, 'escape'))).toBe(seen(reading));
  const end = begun(prompt('why?'), says(`the needle\n\n${lines('x', 200)}`));
  expect(type(search(end, 'needle'), 'escape').reading).toEqual({ kind: 'follow' });
});

test('the first match from the top row on is in front, else the nearest above', () => {
  const events = [prompt('why?'), says(`needle 1\n\n${lines('x', 100)}`), ...call('c', ''), says(`needle 2\n\n${lines('y', 100)}`)];
  expect(bottom(search(begun(...events), 'needle'))).toBe('/needle | 2 of 2');
  expect(bottom(search(type(begun(...events), 'C-home'), 'needle'))).toBe('/needle | 1 of 2');
});

test('what a folded card hides is found, and seen while it is in front', () => {
  const state = begun(prompt('why?'), ...call('c1', 'one\nthe needle\n'), ...call('c2', 'two\n'), says('done'));
  expect(seen(state)).not.toContain('the needle');
  const typed = search(state, 'needle');
  expect(bottom(typed)).toBe('/needle | 1 of 1');
  expect(marks(typed)).toEqual(['[needle]']);
  expect(seen(type(typed, 'enter', 'escape'))).not.toContain('the needle');
});

test('the place holds while more streams, and the count grows', () => {
  const state = type(search(begun(prompt('why?'), says(`the needle\n\n${lines('x', 60)}`)), 'needle'), 'enter');
  const more = following(state, says('another needle\n\n'), ...call('c', 'needle'));
  expect(bottom(more)).toBe('/needle | 1 of 3');
  expect(marks(more)).toEqual(['[needle]']);
  expect(seen(reduce(more, { type: 'resized', size: { cols: 60, rows: 20 } }))).toContain('the needle');
});

test('from the palette it opens where the conversation is out of sight', () => {
  const narrow = press(
    stateAfter(60, 24, [startedEvent(), prompt('why?'), says('a needle')], { lex }),
    START_MS,
    'tab',
    'tab',
    'tab',
  ).state;
  expect(seen(narrow)).not.toContain('─ conversation ');
  const open = type(narrow, 'C-p', ...'searchin'.split(''), 'enter');
  expect(seen(open)).toContain('─ conversation ');
  expect(bottom(type(open, 'n', 'e', 'e'))).toBe('/nee | 1 of 1');
});

test('a match over a line wrap is marked on both rows', () => {
  const state = search(begun(prompt('why?'), says(`${'word '.repeat(14)}split words here`)), 'split words');
  expect(marks(state).join('')).toMatch(/^\[split ?\]\[words\]$|^\[split words\]$/);
});

test('what is typed and pasted goes into the words, never into the draft; a question takes the keyboard', () => {
  const state = search(begun(prompt('why?'), says('a b')), 'a');
  const pasted = handleInput(state, { type: 'paste', text: ' b\nrm -rf x', complete: true }, START_MS).state;
  expect(bottom(pasted)).toBe('/a b | 1 of 1');
  expect(pasted.editor).toBe(state.editor);
  expect(handleInput(pasted, { type: 'key', key: 'escape', text: '' }, START_MS).effects).toEqual([]);
});

test('after a change only what has changed is read again', () => {
  let state = begun();
  for (let i = 0; i < 3000; i++) state = reduce(state, { type: 'notice', level: 'info', text: `note ${i}` });
  state = type(search(state, 'note 17'), 'enter');
  compose(state, state.theme);
  const read = state.layouts.finder.blocksRead();
  state = following(state, { type: 'warning', message: 'note 17 again' });
  compose(state, state.theme);
  expect(state.layouts.finder.blocksRead() - read).toBeLessThan(300);
  compose({ ...type(state, 'n') }, state.theme);
  expect(state.layouts.finder.blocksRead() - read).toBeLessThan(300);
});

test('what stands for a hidden character can be searched as it is shown', () => {
  const state = search(begun(prompt('why?'), says('a\u202eb')), 'U+202E');
  expect(marks(state)).toEqual(['[U+202E]']);
});

test('the words themselves are shown safely', () => {
  const state = handleInput(search(begun(prompt('why?')), 'a'), { type: 'paste', text: '\u202eb', complete: true }, START_MS).state;
  const rows = compose(state, state.theme)
    .parts.flatMap((part) => part.rows)
    .map(rowText);
  expect(rows.some((row) => row.includes('/a<U+202E>b'))).toBe(true);
});

test('words to search for end after 200 characters, and hold no control character', () => {
  const open = type(begun(), '/');
  const paste = (text: string): State => handleInput(open, { type: 'paste', text, complete: true }, START_MS).state;
  expect(paste('é'.repeat(500)).search?.query).toBe('é'.repeat(200));
  expect(paste('\x9b\x1b\nab\x9bcd').search?.query).toBe('ab');
});
