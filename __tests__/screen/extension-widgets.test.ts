/** What extensions show: above the draft and in the right column, cut where there is no room, and nothing of it is obeyed. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { reduce } from '../../lib/view/reducer.js';
import { initialState, type State } from '../../lib/view/state.js';
import { seen, theme } from '../view/support/picture.js';

const state = (cols: number, rows: number): State => initialState({ size: { cols, rows }, theme, version: '0', nowMs: 0 });

const after = (from: State, ...events: readonly RuntimeEvent[]): State =>
  events.reduce((now, event) => reduce(now, { type: 'runtime', envelope: { seq: 1, tsMs: 0, event } }), from);

const shown = (id: string, place: 'side' | 'above-editor', lines: readonly string[]): RuntimeEvent => ({
  type: 'widget.shown',
  id,
  widget: { id, extension: 'mine', title: id, place, lines },
});

test('one above the draft, one in the right column, each where it belongs', () => {
  const picture = seen(after(state(140, 30), shown('todo', 'above-editor', ['buy milk']), shown('load', 'side', ['cpu 0.42'])));
  const rows = picture.split('\n');
  expect(rows.at(-4)).toMatch(/^─ todo ─+$/);
  expect(rows.at(-3)).toMatch(/^ {2}buy milk/);
  expect(rows.at(-6)).toMatch(/─ load ─+$/);
  expect(rows.at(-5)).toMatch(/ {2}cpu 0\.42/);
});

test('without a right column both stand above the draft', () => {
  const picture = seen(after(state(80, 24), shown('todo', 'above-editor', ['buy milk']), shown('load', 'side', ['cpu 0.42'])));
  expect(picture).toMatch(/─ todo ─+\n {2}buy milk *\n─ load ─+\n {2}cpu 0\.42 *\n/);
});

test('what has no room is counted, and a question has all of it', () => {
  const many = shown(
    'todo',
    'above-editor',
    Array.from({ length: 20 }, (_, index) => `entry ${index}`),
  );
  expect(seen(after(state(80, 24), many))).toMatch(/entry 3 *\n {2}… 16 more lines/);
});

test('another one in its place, and none any more', () => {
  const first = after(state(80, 24), shown('todo', 'above-editor', ['one']));
  const second = after(first, shown('todo', 'above-editor', ['two']));
  expect(seen(second)).toContain('two');
  expect(seen(second)).not.toContain('  one');
  expect(seen(after(second, { type: 'widget.shown', id: 'todo', widget: null }))).toBe(seen(state(80, 24)));
});

test('escape sequences and what turns the direction of text are shown, never obeyed', () => {
  const picture = seen(after(state(80, 24), shown('todo', 'above-editor', ['\x1b[31mred\x07 \u202eright'])));
  expect(picture).not.toMatch(/[\x1b\x07\u202e]/);
});
