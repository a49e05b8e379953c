/** Panes moved, put away and chosen: by keys, by dragging their borders, kept for each size class. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { handleInput, settle } from '../../lib/view/app.js';
import { compose, createComposer } from '../../lib/view/compose.js';
import { reduce } from '../../lib/view/reducer.js';
import { screenLayout } from '../../lib/view/screen.js';
import type { State } from '../../lib/view/state.js';
import { click, following, picture, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const events: readonly RuntimeEvent[] = [
  startedEvent(),
  { type: 'pane.opened', pane: '%1', title: 'shared' },
  { type: 'task.started', task: '1', kind: 'prompt', text: 'why?', pane: null },
  { type: 'model.text', task: '1', text: 'Because of 日本語 and\n\nmore. '.repeat(40) },
];
const start = (cols: number, rows: number): State => settle(stateAfter(cols, rows, events)).state;
const keys = (state: State, ...names: readonly string[]): State => press(state, START_MS, ...names).state;
const panes = (state: State) => screenLayout(state).panes;

test('Alt and arrows move the border from a pane, with Shift from everywhere', () => {
  const state = start(160, 40);
  expect(panes(state).mirror?.cols).toBe(72);
  expect(panes(keys(state, 'M-S-left')).mirror?.cols).toBe(76);
  expect(panes(keys(state, 'tab', 'M-right', 'M-right')).mirror?.cols).toBe(64);
  const [tasks = 0, less = 0, more = 0] = [state, keys(state, 'M-S-down'), keys(state, 'M-S-up')].map((of) => panes(of).tasks?.rows);
  expect([less - tasks, more - tasks]).toEqual([-1, 1]);
  const strip = start(100, 30);
  expect((panes(keys(strip, 'M-S-down', 'M-S-down')).mirror?.rows ?? 0) - (panes(strip).mirror?.rows ?? 0)).toBe(2);
  expect(seen(keys(strip, 'M-S-left'))).toContain('Not now: no border can be moved that way.');
});

test('a step there and a step back is where one was, from every size', () => {
  for (let cols = 120; cols < 260; cols += 13) {
    const state = start(cols, 41);
    const moved = keys(state, 'M-S-left', 'M-S-up', 'M-S-right', 'M-S-down');
    expect(panes(moved)).toEqual(panes(state));
  }
});

test('where one pane is seen at a time there is nothing to arrange, and it says so', () => {
  for (const name of ['M-S-left', 'M-m', 'M-j', 'M-2']) {
    const next = keys(start(60, 20), name);
    expect(seen(next)).toContain('Not now: one pane is shown at a time below 80 columns.');
    expect(next.arrangements).toBe(next.keptArrangements);
  }
  expect(seen(keys(start(160, 40), 'f5', 'M-S-left'))).toContain('Not now: one pane is zoomed.');
});

test('panes are put away and come back; the keyboard leaves what is put away, and Tab goes round it', () => {
  const state = start(160, 40);
  const away = keys(state, 'M-m', 'M-j');
  expect([panes(away).mirror, panes(away).tasks, panes(away).conversation?.cols]).toEqual([null, null, 160]);
  expect(keys(away, 'tab', 'tab').focus).toBe('editor');
  expect(panes(keys(away, 'M-m')).mirror).not.toBeNull();
  const hidden = keys(state, 'tab', 'tab', 'x');
  expect([hidden.focus, panes(hidden).mirror]).toEqual(['editor', null]);
  expect(seen(keys(state, 'tab', 'x'))).toContain('the conversation stays');
  const back = press(hidden, START_MS, 'f6');
  expect([back.state.takeover, panes(back.state).mirror === null]).toEqual([{ pane: '%1', lost: false }, false]);
});

test('medium: the strip is toggled, and the tasks stand in for the mirror', () => {
  const state = start(100, 30);
  expect(panes(keys(state, 'M-m'))).toMatchObject({ mirror: null, tasks: null, conversation: { cols: 100 } });
  const tasks = keys(state, 'M-j');
  expect([panes(tasks).mirror, panes(tasks).tasks === null]).toEqual([null, false]);
  expect(panes(keys(tasks, 'M-j'))).toEqual(panes(state));
});

test('four presets, from every arrangement', () => {
  const state = keys(start(160, 40), 'M-S-left', 'M-j');
  expect(panes(keys(state, 'M-1'))).toEqual(panes(start(160, 40)));
  expect(panes(keys(state, 'M-2'))).toMatchObject({ mirror: null, tasks: null });
  expect(panes(keys(state, 'M-3'))).toMatchObject({ mirror: { cols: 104 }, conversation: { cols: 56 } });
  expect(panes(keys(state, 'M-4'))).toMatchObject({ mirror: { cols: 80 }, tasks: null });
  expect(seen(keys(state, 'M-4'))).toContain('Layout 4: conversation and pane, half each.');
  expect(keys(state, 'tab', 'tab', 'M-2').focus).toBe('editor');
});

test('a preset and a move are in the palette', () => {
  expect(seen(keys(start(160, 40), 'C-p', ...'layout2'))).toContain('layout 2: the conversation alone');
});

test('a border follows the pointer, and only its release tells the pane its new size and keeps it', () => {
  const state = start(160, 40);
  const mouse = (action: 'press' | 'drag' | 'release', x: number, y: number) => ({ type: 'mouse', action, button: 'left', x, y }) as const;
  let dragged = handleInput(state, mouse('press', 88, 10), START_MS).state;
  for (const x of [80, 70, 60]) {
    const moved = settle(handleInput(dragged, mouse('drag', x, 10), START_MS).state);
    expect([panes(moved.state).mirror?.x, moved.effects]).toEqual([x, []]);
    dragged = moved.state;
  }
  const { state: done, effects } = settle(handleInput(dragged, mouse('release', 60, 10), START_MS).state);
  expect(effects).toEqual([
    { type: 'arrangements.keep', arrangements: done.arrangements },
    { type: 'send', command: { type: 'pane.resize', pane: '%1', cols: 98, rows: 25 } },
  ]);
  expect(done.arrangements.wide.side).toBe(0.625);
  expect(done.arrangements.medium.side).toBeNull();
});

test('the border between mirror and tasks, and the one of the strip', () => {
  const wide = start(160, 40);
  const y = panes(wide).tasks?.y ?? 0;
  expect(panes(click(wide, START_MS, [120, y], [120, y - 5]).state).tasks?.y).toBe(y - 5);
  const medium = start(100, 30);
  const edge = panes(medium).conversation?.y ?? 0;
  for (const from of [edge, edge - 1]) expect(panes(click(medium, START_MS, [50, from], [50, 15]).state).conversation?.y).toBe(16);
});

test('each size class has its own, kept at once and once', () => {
  const wide = settle(keys(start(160, 40), 'M-3'));
  expect(wide.effects[0]).toEqual({ type: 'arrangements.keep', arrangements: wide.state.arrangements });
  expect(settle(wide.state).effects).toEqual([]);
  const medium = reduce(wide.state, { type: 'resized', size: { cols: 100, rows: 40 } });
  expect(panes(medium)).toEqual(panes(start(100, 40)));
  const again = stateAfter(160, 40, events, { arrangements: wide.state.arrangements });
  expect(panes(again)).toEqual(panes(wide.state));
});

test('a storm of 1 000 sizes ends in the frame of a fresh start', () => {
  const draw = createComposer();
  let state = settle(keys(start(160, 40), 'M-S-left', 'M-S-up')).state;
  const { arrangements } = state;
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return 1 + (seed % most);
  };
  for (let i = 0; i < 1000; i++) {
    state = settle(reduce(state, { type: 'resized', size: { cols: random(500), rows: random(200) } })).state;
    if (i % 10 === 0) draw(state);
  }
  for (const [cols, rows] of [
    [160, 40],
    [100, 30],
    [60, 20],
    [500, 200],
    [1, 1],
  ] as const) {
    const last = settle(reduce(state, { type: 'resized', size: { cols, rows } })).state;
    const fresh = stateAfter(cols, rows, events, { arrangements });
    expect(picture(draw(last))).toEqual(picture(compose(fresh, fresh.theme)));
  }
});

test('nothing breaks at 1×1 and at 500×200, whatever is pressed and dragged', () => {
  for (const [cols, rows] of [
    [1, 1],
    [500, 200],
  ] as const) {
    let state = following(start(cols, rows), { type: 'pane.state', pane: '%1', state: { kind: 'idle' }, lastExit: 0 });
    for (const name of ['M-S-left', 'M-S-up', 'M-3', 'M-m', 'M-j', 'tab', 'x', 'f5', 'f7', 'f7', 'M-1', 'pageup'])
      state = keys(state, name);
    for (const to of [0, cols - 1]) state = click(state, START_MS, [Math.floor(cols / 2), Math.floor(rows / 2)], [to, to % rows]).state;
    expect(picture(compose(state, state.theme))).toHaveLength(rows);
  }
});
