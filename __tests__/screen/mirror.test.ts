/** Journeys through the mirror: keys in, screen out. Letters and numbers name the cases of the list of real-world failures. */

import { type Row, rowOf } from '../../lib/base/style.js';
import { visible } from '../../lib/base/visible.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { type CursorShape, freshModes } from '../../lib/protocol/panes.js';
import { handleInput, settle } from '../../lib/view/app.js';
import { compose } from '../../lib/view/compose.js';
import { scrollPane } from '../../lib/view/pane-view.js';
import { reduce } from '../../lib/view/reducer.js';
import { scrollbars } from '../../lib/view/scrollbar.js';
import type { State } from '../../lib/view/state.js';
import { click, following, press, START_MS, seen, startedEvent, stateAfter } from '../view/support/picture.js';

const rows = (from: number, count: number, text = (n: number) => `line ${n}`): readonly Row[] =>
  Array.from({ length: count }, (_, i) => rowOf({ text: visible(text(from + i)), style: {} }));
const screen = (of: readonly Row[], cols = 70, x = 0, y = of.length - 1, shape?: CursorShape): RuntimeEvent => ({
  type: 'pane.screen',
  pane: '%1',
  screen: { cols, rows: of, cursor: { x, y, shown: true, ...(shape === undefined ? {} : { shape }) }, modes: freshModes },
});
const scrollback = (of: readonly Row[] | null, cols = 70, more = false): RuntimeEvent => ({
  type: 'pane.scrollback',
  pane: '%1',
  scrollback: of === null ? null : { cols, rows: of, more },
});
const opened = (cols: number, high: number, ...events: readonly RuntimeEvent[]): State =>
  following(
    stateAfter(cols, high, [startedEvent()]),
    { type: 'pane.opened', pane: '%1', title: 'shared' },
    { type: 'pane.state', pane: '%1', state: { kind: 'idle' }, lastExit: 0 },
    ...events,
  );
const keys = (state: State, ...names: readonly string[]): State => press(state, START_MS, ...names).state;
const asks = { type: 'send', command: { type: 'pane.scrollback', pane: '%1' } };
/** The upper border of the mirror, and what it shows; it is the right column, or all of the screen. */
const shown = (state: State): { readonly title: string; readonly lines: readonly string[] } => {
  const lines = seen(state).split('\n');
  const top = lines.findIndex((line) => /─ (pane|you have)/.test(line));
  const left = Math.max(0, (lines[top] ?? '').lastIndexOf('┌'));
  const end = lines.findIndex((line, i) => i > top && /[└├]/.test(line.charAt(left)));
  const cells = lines.slice(top + 1, end).map((line) => line.slice(left + 1, -1).trimEnd());
  return { title: (lines[top] ?? '').slice(left), lines: cells };
};

/** A pane that has printed 1 000 lines; on 160×45 its mirror has 29 rows. */
const long = (): State => keys(opened(160, 45, screen(rows(972, 29))), 'tab', 'tab');

test('what has scrolled off is asked for once, read page by page, and left at its end', () => {
  const asked = press(long(), START_MS, 'pageup', 'pageup');
  expect(asked.effects).toEqual([asks]);
  expect(shown(asked.state).title).toContain('scrolling back …');
  expect(shown(asked.state).lines.at(0)).toBe('line 972');
  let state = following(asked.state, scrollback(rows(1, 1000)));
  const room = shown(state).lines.length;
  const up = 2 * (room - 1);
  expect(shown(state).title).toContain(`pane shared ·  ${up} lines up  · idle · exit 0`);
  expect([shown(state).lines[0], shown(state).lines.at(-1)]).toEqual([`line ${1000 - up - room + 1}`, `line ${1000 - up}`]);
  state = keys(state, 'up');
  expect(shown(state).title).toContain(` ${up + 1} lines up `);
  state = keys(state, 'home', 'pageup');
  expect(shown(state).lines[0]).toBe('line 1');
  expect(shown(state).title).toContain(', the start');
  for (const key of ['end', 'escape', 'G']) {
    const live = press(state, START_MS, key);
    expect([live.effects, shown(live.state).title]).toEqual([[], expect.not.stringContaining('up')]);
    expect(live.state.focus).toBe('mirror');
  }
  const down = keys(state, ...Array<string>(100).fill('pagedown'));
  expect(shown(down)).toEqual(shown(long()));
});

test('C1: what is read stands still while the pane goes on, the window changes, and a zoom', () => {
  let state = following(keys(long(), 'pageup'), scrollback(rows(1, 1000)));
  const read = shown(state).lines;
  for (let i = 0; i < 50; i++) state = following(state, screen(rows(1000 + i, 29)));
  expect(shown(state).lines).toEqual(read);
  expect(shown(state).title).toContain('lines up, it has gone on');
  state = keys(state, 'z');
  expect(shown(state).title).toContain('lines up, it has gone on');
  expect(shown(keys(state, 'up')).lines.at(-1)).toMatch(/^line 9\d\d$/);
  for (const [cols, high] of [
    [60, 20],
    [1, 1],
    [500, 200],
    [160, 45],
  ] as const)
    state = reduce(state, { type: 'resized', size: { cols, rows: high } });
  expect(shown(keys(state, 'z')).lines).toEqual(read);
  expect(shown(keys(state, 'end')).lines).toContain('line 1049');
});

test('the wheel scrolls as the keys do; a takeover shows what is typed', () => {
  const begun = scrollPane(long(), -3);
  expect(begun.effects).toEqual([asks]);
  const state = following(begun.state, scrollback(rows(1, 1000)));
  expect(shown(state).title).toContain(' 3 lines up ');
  expect(shown(scrollPane(state, 3).state)).toEqual(shown(long()));
  const taken = keys(state, 'f6');
  expect(shown(taken).title).toContain('you have the keyboard');
  expect(shown(taken).lines).toContain('line 1000');
  const read = press(taken, START_MS, 'S-pageup');
  expect(read.effects).toEqual([asks]);
  const back = following(read.state, scrollback(rows(1, 1000)));
  expect(shown(back).title).toMatch(/you have the keyboard .* 28 lines up /);
  const wheel = { type: 'mouse', action: 'wheel-up', button: 'none', x: 120, y: 9 } as const;
  expect(shown(handleInput(back, wheel, START_MS).state).title).toContain(' 31 lines up ');
  const clicked = click(back, START_MS, [120, 9]);
  expect([clicked.effects, shown(clicked.state).lines.at(-1)]).toEqual([[], 'line 1000']);
  const typed = press(back, START_MS, 'S-pageup', 'S-pagedown', 'l');
  expect(typed.effects).toEqual([{ type: 'send', command: { type: 'pane.input', pane: '%1', bytes: 'l' } }]);
  expect(shown(typed.state).lines).toContain('line 1000');
});

test('the wheel, the scrollbar and a selection in what has scrolled off', () => {
  const wheel = { type: 'mouse', action: 'wheel-up', button: 'none', x: 120, y: 9 } as const;
  const begun = handleInput(long(), wheel, START_MS);
  expect(begun.effects).toEqual([asks]);
  const state = following(begun.state, scrollback(rows(1, 1000)));
  expect(shown(state).title).toContain(' 3 lines up ');
  const [bar] = scrollbars(state).filter(({ name }) => name === 'mirror');
  const { x, y } = bar?.track ?? { x: 0, y: 0 };
  const thumb = y + (bar?.thumb.top ?? 0);
  const top = click(state, START_MS, [x, thumb], [x, y - 1]).state;
  expect(shown(top).lines[0]).toBe('line 1');
  const copied = click(top, START_MS, [90, y], [97, y + 1]);
  expect(copied.effects).toEqual([{ type: 'copy', text: expect.stringMatching(/^\w* ?1\nline 2$/) }]);
  const live = click(top, START_MS, [x, y], [x, y + 100]).state;
  expect(shown(live)).toEqual(shown(long()));
});

test('nothing above, no answer, an answer that nobody waits for: said, and live', () => {
  const asked = keys(long(), 'up');
  const none = following(asked, scrollback(rows(972, 29)));
  expect(seen(none)).toContain('Nothing has scrolled off yet.');
  const lost = following(asked, scrollback(null));
  expect(seen(lost)).toContain('tmux does not tell what has scrolled off.');
  const refused = following(asked, { type: 'command.refused', command: 'pane.scrollback', reason: 'there is no pane %1' });
  expect(seen(refused)).toContain('there is no pane %1');
  const late = following(keys(asked, 'end'), scrollback(rows(1, 1000)));
  for (const state of [none, lost, refused, late]) expect(shown(state)).toEqual(shown(long()));
});

test('a pane larger than its mirror: the part around the cursor, moved by keys, said in the border', () => {
  const wide = rows(1, 60, (n) => `${n}:${'0123456789'.repeat(12)}`);
  let state = keys(opened(100, 30, screen(wide, 120, 119, 59)), 'tab', 'tab', 'z');
  const part = () => /cols (\d+)–(\d+)\/120, rows (\d+)–(\d+)\/60/.exec(shown(state).title)?.slice(1).map(Number) ?? [];
  expect(part()).toEqual([23, 120, 36, 60]);
  state = keys(state, 'left', 'left', 'left', 'S-up');
  expect(part()).toEqual([1, 98, 35, 59]);
  expect(shown(state).lines[0]).toMatch(/^35:0123/);
  state = following(state, screen(wide, 120, 0, 0));
  expect(part()).toEqual([1, 98, 35, 59]);
  state = keys(state, 'escape');
  expect(part()).toEqual([1, 98, 1, 25]);
  expect(keys(state, 'S-up', 'K').pane?.view.y).toBe(0);
  state = following(keys(state, 'pageup'), scrollback([...rows(1, 40), ...wide], 120));
  expect(shown(keys(state, 'l')).title).toMatch(/lines up.* cols 9–106\/120 /);
});

test('a pane on its way to another size is not said to be larger; one that somebody made larger is', () => {
  const sized = (cols: number, high: number) => following(opening, screen(rows(1, high), cols));
  const opening = settle(opened(160, 45, screen(rows(1, 24), 80))).state;
  expect(shown(opening).title).not.toContain('cols');
  const there = settle(sized(70, 29)).state;
  expect(shown(following(there, screen(rows(1, 29), 90))).title).toContain('exit 0 · cols 1–70/90');
  const resized = settle(reduce(there, { type: 'resized', size: { cols: 140, rows: 45 } })).state;
  expect(shown(resized).title).not.toContain('cols');
});

test('N2: hostile rows of another terminal size stay inside the mirror, with no control byte', () => {
  const evil = 'a\x1b]52;c;ZXZpbA==\x07b\u202e漢字👨‍👩‍👧'.repeat(9);
  let state = keys(
    opened(
      100,
      30,
      screen(
        rows(1, 50, () => evil),
        300,
        299,
      ),
    ),
    'tab',
    'tab',
    'z',
  );
  state = following(
    keys(state, 'up', 'right'),
    scrollback(
      rows(1, 200, () => evil),
      300,
    ),
  );
  for (const key of ['right', 'up', 'home', 'left', 'down', 'S-down', 'pagedown']) {
    state = keys(state, key);
    // seen() throws when a row is wider than its pane.
    expect(seen(state)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  }
});

test.each(['block', 'underline', 'bar', undefined] as const)('the cursor stands in the mirror in the shape %s', (shape) => {
  const state = keys(opened(160, 45, screen(rows(1, 30), 70, 5, 3, shape)), 'tab', 'tab');
  expect(compose(state, state.theme).cursor?.shape).toBe(shape);
  const back = following(keys(state, 'up'), scrollback(rows(1, 99)));
  expect(compose(back, back.theme).cursor).toBeNull();
  const draft = handleInput(state, { type: 'key', key: 'i', text: 'i' }, START_MS).state;
  expect(compose(draft, draft.theme).cursor).not.toHaveProperty('shape');
});

test('] and [ look at another pane, live', () => {
  const two = following(
    following(keys(long(), 'up'), scrollback(rows(1, 1000))),
    { type: 'pane.opened', pane: '%2', title: 'build' },
    { type: 'pane.state', pane: '%2', state: { kind: 'idle' }, lastExit: 3 },
  );
  const next = keys(two, ']');
  expect([next.pane?.title, next.pane?.view.back]).toEqual(['build', null]);
  expect(keys(next, ']').pane?.title).toBe('shared');
  expect(keys(two, '[').pane?.title).toBe('build');
});
