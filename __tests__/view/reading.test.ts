/** The place that is read is sacred: it holds whatever happens below, above, and to the window. */

import { readFileSync } from 'node:fs';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { handleInput } from '../../lib/view/app.js';
import { compose } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import type { State } from '../../lib/view/state.js';
import { parseTheme } from '../../lib/view/theme.js';
import { click, following, picture, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const lex = await loadMarkdown();

const answer = (count: number, from = 0): RuntimeEvent => ({
  type: 'model.text',
  task: '1',
  text: Array.from({ length: count }, (_, i) => `Paragraph ${from + i} has a few words that say something of no use.\n\n`).join(''),
});

function call(id: string, lines: number): readonly RuntimeEvent[] {
  const text = Array.from({ length: lines }, (_, i) => `${id} output ${i}`).join('\n');
  return [
    { type: 'tool.requested', task: '1', call: id, name: 'run_shell', preview: `run ${id}` },
    { type: 'tool.started', task: '1', call: id },
    { type: 'tool.output', task: '1', call: id, text },
    { type: 'tool.ended', task: '1', call: id, isError: false, text, summary: 'exit 0', exitCode: 0, elapsedMs: 20 },
  ];
}

const prompt: RuntimeEvent = { type: 'task.started', task: '1', kind: 'prompt', text: 'tell me', pane: null };

function begun(...events: readonly RuntimeEvent[]): State {
  return stateAfter(79, 24, [startedEvent(), prompt, ...events], { lex });
}

/** The rows inside the conversation pane. */
function rows(state: State): readonly string[] {
  const lines = seen(state).split('\n');
  const top = lines.findIndex((line) => line.includes('─ conversation '));
  const end = lines.findIndex((line, i) => i > top && line.includes('└'));
  return lines.slice(top + 1, end).map((line) => line.split(/[│┃]/)[1]?.trimEnd() ?? '');
}

test('it follows the end until one scrolls, and again only at the end', () => {
  const state = begun(answer(40));
  expect(rows(state).at(-1)).toContain('Paragraph 39');
  const up = press(state, START_MS, 'pageup').state;
  expect(up.reading.kind).toBe('at');
  const almost = press(up, START_MS, 'tab', 'down').state;
  expect(almost.reading.kind).toBe('at');
  expect(press(almost, START_MS, 'pagedown').state.reading).toEqual({ kind: 'follow' });
});

test('while following, what streams is seen', () => {
  expect(rows(following(begun(answer(40)), answer(5, 40))).at(-1)).toContain('Paragraph 44');
});

test('while reading, nothing moves: not by streaming, not by new blocks; the border counts them', () => {
  const state = press(begun(answer(40)), START_MS, 'pageup').state;
  const streamed = following(state, answer(200, 40), ...call('c1', 30), ...call('c2', 30));
  expect(rows(streamed)).toEqual(rows(state));
  expect(seen(streamed)).toMatch(/└─ +2 new ↓ +─/);
  expect(rows(press(streamed, START_MS, 'C-end').state).at(-1)).toContain('exit 0');
});

test('a click on the count follows again', () => {
  const state = following(press(begun(answer(40)), START_MS, 'pageup').state, ...call('c1', 3));
  const y = seen(state)
    .split('\n')
    .findIndex((line) => line.includes('new ↓'));
  const step = handleInput(state, { type: 'mouse', action: 'press', button: 'left', x: 5, y }, START_MS);
  expect(step.state.reading).toEqual({ kind: 'follow' });
});

test('a resize keeps the first word that is read', () => {
  const words = Array.from({ length: 400 }, (_, i) => `word${i}`).join(' ');
  const text: RuntimeEvent = { type: 'model.text', task: '1', text: words };
  let state = press(begun(text, answer(40)), START_MS, 'C-home').state;
  state = press(state, START_MS, 'tab', ...Array<string>(7).fill('down')).state;
  const first = /word\d+/.exec(rows(state)[0] ?? '')?.[0] ?? '';
  expect(first).not.toBe('');
  for (const cols of [50, 70, 130, 41, 79]) {
    const resized = reduce(state, { type: 'resized', size: { cols, rows: 24 } });
    expect(rows(resized)[0]?.split(/\s+/)).toContain(first);
  }
});

test('expanding what is above or on the screen leaves the top row where it is', () => {
  const state = press(begun(...call('c1', 30), answer(10), ...call('c2', 30), answer(40)), START_MS, 'pageup', 'pageup', 'pageup').state;
  const expanded = press(state, START_MS, 'C-o').state;
  expect(rows(expanded)[0]).toBe(rows(state)[0]);
  expect(rows(press(expanded, START_MS, 'C-o').state)[0]).toBe(rows(state)[0]);
});

test('a click expands the card under it in place, another folds it', () => {
  const state = begun(...call('c1', 3), ...call('c2', 4));
  const y = seen(state)
    .split('\n')
    .findIndex((line) => line.includes('run c1'));
  const open = click(state, START_MS, [10, y]).state;
  expect(seen(open).split('\n')[y]).toContain('run c1');
  expect(seen(open)).toContain('c1 output 2');
  expect(seen(open)).not.toContain('c2 output 2');
  const folded = press(click(open, START_MS + 1000, [10, y]).state, START_MS, 'i').state;
  expect(seen(folded)).toBe(seen(state));
});

test('Enter in the conversation expands the chosen card', () => {
  const state = press(begun(...call('c1', 3), ...call('c2', 4)), START_MS, 'tab', 'enter').state;
  expect(seen(state)).toContain('c2 output 3');
  expect(seen(press(state, START_MS, 'p', 'enter').state)).toContain('c1 output 2');
});

test('100 000 lines: only what is seen is laid out, and an unchanged picture is the very same rows', () => {
  let state = begun();
  for (let i = 0; i < 25_000; i++) state = reduce(state, { type: 'notice', level: 'info', text: `a ${i}\nb\nc\nd` });
  const laidOut = (): number => state.layouts.laidOutRows();
  const before = laidOut();
  const first = compose(state, state.theme);
  expect(laidOut() - before).toBeLessThan(40);
  const second = compose({ ...state }, state.theme);
  expect(laidOut() - before).toBeLessThan(40);
  expect(second.parts.flatMap((part) => part.rows).every((row, i) => row === first.parts.flatMap((part) => part.rows)[i])).toBe(true);
  const count = laidOut();
  state = press(state, START_MS, 'pageup', 'pageup').state;
  compose(state, state.theme);
  state = reduce(state, { type: 'notice', level: 'info', text: 'one more' });
  compose(state, state.theme);
  expect(laidOut() - count).toBeLessThan(120);
  expect(picture(compose(press(state, START_MS, 'C-home').state, state.theme)).join('\n')).toContain('● tell me');
});

test('a delta touches one block, however long the transcript is', () => {
  let state = begun(answer(3));
  for (let i = 0; i < 1000; i++) state = reduce(state, { type: 'notice', level: 'info', text: String(i) });
  state = following(state, answer(1));
  const next = following(state, answer(1));
  const changed = next.transcript.chunks.filter((chunk, i) => chunk !== state.transcript.chunks[i]);
  expect(changed.length).toBe(1);
});

test('another theme keeps the place, and so does what thinks below it', () => {
  const state = press(begun(answer(40)), START_MS, 'pageup', 'pageup').state;
  const dark = { ...state, theme: parseTheme(readFileSync('themes/dark.json', 'utf8')) };
  expect(rows(dark)).toEqual(rows(state));
  const thinking = following(dark, { type: 'model.reasoning', task: '1', text: 'so\n'.repeat(50) }, answer(3));
  expect(rows(thinking)).toEqual(rows(state));
});

test('when a larger window shows the end, nothing is said to be hidden', () => {
  const state = press(begun(answer(12)), START_MS, 'pageup').state;
  expect(seen(state)).toContain('more ↓');
  expect(seen(reduce(state, { type: 'resized', size: { cols: 79, rows: 60 } }))).not.toContain('more ↓');
});
