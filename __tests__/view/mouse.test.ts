/** The mouse: wheel, focus, buttons of a question, scrollbars, and lending it to the terminal. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import type { InputEvent } from '../../lib/protocol/input.js';
import { handleInput } from '../../lib/view/app.js';
import { approvalButtons } from '../../lib/view/approval-buttons.js';
import { reduce } from '../../lib/view/reducer.js';
import { loadMarkdown } from '../../lib/view/rows/markdown.js';
import { scrollbars } from '../../lib/view/scrollbar.js';
import type { State } from '../../lib/view/state.js';
import { click, following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const lex = await loadMarkdown();
const prompt: RuntimeEvent = { type: 'task.started', task: '1', kind: 'prompt', text: 'tell me', pane: null };
const lines = (count: number, from = 0): RuntimeEvent => ({
  type: 'model.text',
  task: '1',
  text: Array.from({ length: count }, (_, i) => `line ${from + i}.\n\n`).join(''),
});
const wheel = (action: 'wheel-up' | 'wheel-down', x = 10, y = 10): InputEvent => ({ type: 'mouse', action, button: 'none', x, y });
const focus = (gained: boolean): InputEvent => ({ type: 'focus', gained });
const moused = (state: State, ...inputs: readonly InputEvent[]): State =>
  inputs.reduce((now, input) => handleInput(now, input, START_MS).state, state);
const LATER = START_MS + 5000;

describe('the wheel', () => {
  const state = (wheelRows: number): State =>
    stateAfter(79, 24, [startedEvent(), prompt, lines(60)], { lex, mouse: { enabled: true, wheelRows, copyOnRelease: true } });
  const first = (of: State) => /line (\d+)\./.exec(seen(of))?.[1];

  test.each([2, 4, 10])('moves as many rows as the settings say (%d)', (rows) => {
    const top = Number(first(state(rows)));
    expect(Number(first(moused(state(rows), wheel('wheel-up'))))).toBe(top - rows / 2);
  });

  test('a burst ends where as many single steps do, and back', () => {
    const burst = moused(state(4), ...Array<InputEvent>(12).fill(wheel('wheel-up')));
    expect(first(burst)).toBe(String(Number(first(state(4))) - 24));
    expect(moused(burst, ...Array<InputEvent>(12).fill(wheel('wheel-down'))).reading).toEqual({ kind: 'follow' });
  });

  test('chooses in an open list, and nothing below it', () => {
    const open = press(state(3), START_MS, 'C-p').state;
    const next = moused(open, wheel('wheel-down'), wheel('wheel-down'), wheel('wheel-up'));
    expect([next.picker?.selected, next.reading]).toEqual([1, { kind: 'follow' }]);
    expect(click(open, START_MS, [10, 15]).state.focus).toBe('editor');
  });
});

describe('a click', () => {
  const wide = (): State => stateAfter(160, 40, [startedEvent(), prompt, lines(3)], { lex });

  test.each([
    [10, 20, 'conversation'],
    [120, 30, 'tasks'],
    [10, 38, 'editor'],
  ] as const)('at %d,%d focuses what is there: %s', (x, y, pane) => {
    const from = press(wide(), START_MS, 'tab', 'tab').state;
    expect(click(from, START_MS, [x, y]).state.focus).toBe(pane);
  });

  test('on a task chooses it, and then the wheel goes on from there', () => {
    const jobs = ['2', '3', '4'].map(
      (task): RuntimeEvent => ({ type: 'task.started', task, kind: 'job', text: `sleep ${task}`, pane: '%2' }),
    );
    const state = following(wide(), ...jobs, { type: 'task.progress', task: '2', lastLine: 'still asleep' });
    const y = (words: string) =>
      seen(state)
        .split('\n')
        .findIndex((line) => line.includes(words));
    const chosen = (of: State) => [of.focus, of.taskList.selected];
    expect(chosen(click(state, START_MS, [120, y('sleep 3')]).state)).toEqual(['tasks', 'task 3']);
    const second = click(state, START_MS, [120, y('still asleep')]).state;
    expect(chosen(second)).toEqual(['tasks', 'task 2']);
    expect(chosen(moused(second, wheel('wheel-down', 120, 30)))).toEqual(['tasks', 'task 3']);
    expect(chosen(moused(state, wheel('wheel-down', 120, 30)))).toEqual(['editor', null]);
  });

  test('the one that gives the window the focus only focuses: no card opens, no pane is taken over', () => {
    const call: readonly RuntimeEvent[] = [
      { type: 'pane.opened', pane: '%1', title: 'shared' },
      { type: 'tool.requested', task: '1', call: 'c', name: 'run_shell', preview: 'make' },
      { type: 'tool.started', task: '1', call: 'c' },
      { type: 'tool.ended', task: '1', call: 'c', isError: false, text: 'the output', summary: 'exit 0', exitCode: 0, elapsedMs: 5 },
    ];
    const away = moused(following(wide(), ...call), focus(false), focus(true));
    const y = seen(away)
      .split('\n')
      .findIndex((line) => line.includes('make'));
    const woken = click(away, START_MS, [10, y]).state;
    expect([woken.focus, seen(woken).includes('the output')]).toEqual(['conversation', false]);
    expect(seen(click(woken, LATER, [10, y]).state)).toContain('the output');
    const pane = click(away, START_MS, [120, 5]);
    expect([pane.state.focus, pane.state.takeover, pane.effects]).toEqual(['mirror', null, []]);
    expect(click(pane.state, LATER, [120, 5]).state.takeover).not.toBeNull();
  });
});

describe('buttons of a question', () => {
  const request = { id: 'a', task: '1', call: 'c', tool: 'run_shell', title: 'run', body: 'uptime', target: 't', cwd: '/', claim: null };
  const shown = (state: State): State => reduce(state, { type: 'shown', nowMs: START_MS });
  const asked = (): State =>
    shown(stateAfter(100, 30, [startedEvent(), prompt, { type: 'approval.requested', request: { ...request, editable: true } }], { lex }));
  const cell = (state: State, id: string): readonly [number, number] => {
    const button = approvalButtons(state).find((of) => of.id === id);
    return [(button?.from ?? 0) + 1, button?.row ?? 0];
  };
  const answer = (decision: string) => [{ type: 'send', command: { type: 'approval.answer', approval: 'a', decision } }];

  test.each([
    ['approval.once', 'once'],
    ['approval.session', 'session'],
    ['approval.deny', 'deny'],
  ])('%s', (id, decision) => {
    expect(click(asked(), LATER, cell(asked(), id)).effects).toEqual(answer(decision));
  });

  test('others do what their keys do', () => {
    expect(click(asked(), LATER, cell(asked(), 'approval.feedback')).state.answering?.kind).toBe('feedback');
    expect(click(asked(), LATER, cell(asked(), 'approval.edit')).state.answering?.kind).toBe('edit');
    expect(click(asked(), LATER, cell(asked(), 'approval.expand')).state.approval?.expanded).toBe(true);
  });

  test('not in the first moment, and then nothing is typed into the draft', () => {
    const writing = shown(following(press(asked(), START_MS, 'a').state, prompt));
    const { state, effects } = click(writing, START_MS + 100, cell(writing, 'approval.once'));
    expect([effects, state.approvals.length, state.editor]).toEqual([[], 1, writing.editor]);
  });

  test('the first click after the window got the focus answers nothing, the second one does', () => {
    const away = moused(asked(), focus(false), focus(true));
    const first = click(away, LATER, cell(away, 'approval.once'));
    expect([first.effects, first.state.approvals.length]).toEqual([[], 1]);
    expect(click(first.state, LATER, cell(away, 'approval.once')).effects).toEqual(answer('once'));
  });

  test('who lets go elsewhere has changed their mind', () => {
    expect(click(asked(), LATER, cell(asked(), 'approval.once'), cell(asked(), 'approval.deny')).effects).toEqual([]);
    expect(click(asked(), LATER, cell(asked(), 'approval.once'), [5, 5]).effects).toEqual([]);
  });

  test('yes needs the whole command seen, with the mouse as well', () => {
    const long = { ...request, body: 'echo\n'.repeat(80) };
    const state = shown(stateAfter(100, 30, [startedEvent(), prompt, { type: 'approval.requested', request: long }], { lex }));
    const at = cell(state, 'approval.once');
    expect(click(state, LATER, at).effects).toEqual([]);
  });
});

describe('a scrollbar', () => {
  const start = (): State => stateAfter(79, 24, [startedEvent(), prompt, lines(60), ...Array.from({ length: 20 }, () => prompt)], { lex });
  const bar = (state: State) => scrollbars(state).find(({ name }) => name === 'conversation');
  const thumb = (state: State) => bar(state)?.thumb ?? { top: -1, rows: 0 };

  test('is there when something is hidden, and touches an end only when that is shown', () => {
    expect(bar(stateAfter(79, 24, [startedEvent(), prompt], { lex }))).toBeUndefined();
    const state = start();
    const { track } = bar(state) ?? { track: { rows: 0 } };
    expect(thumb(state).top + thumb(state).rows).toBe(track.rows);
    const up = moused(state, wheel('wheel-up'));
    expect(thumb(up).top + thumb(up).rows).toBeLessThan(track.rows);
    const top = press(state, START_MS, 'C-home').state;
    expect(thumb(top).top).toBe(0);
    expect(thumb(moused(top, wheel('wheel-down'))).top).toBeGreaterThan(0);
    expect(seen(state).split('\n')[track.rows + 2]).toMatch(/┃$/);
  });

  test('dragging its thumb to the top and back reads the start and follows again', () => {
    const state = start();
    const { track } = bar(state) ?? { track: { x: 0, y: 0, rows: 0 } };
    const grip: readonly [number, number] = [track.x, track.y + track.rows - 1];
    const top = click(state, START_MS, grip, [track.x, track.y + 5], [track.x, 0]).state;
    expect(seen(top)).toContain('● tell me');
    const middle = click(state, START_MS, grip, [3, track.y + 9]).state;
    expect(middle.reading.kind).toBe('at');
    expect(thumb(middle).top).toBeGreaterThan(0);
    const back = click(top, START_MS, [track.x, track.y], [track.x, 23]).state;
    expect(back.reading).toEqual({ kind: 'follow' });
  });

  test('a click beside the thumb goes there', () => {
    const state = start();
    const { track } = bar(state) ?? { track: { x: 0, y: 0, rows: 0 } };
    expect(seen(click(state, START_MS, [track.x, track.y]).state)).toContain('● tell me');
    const half = click(state, START_MS, [track.x, track.y + 9]).state;
    expect(Math.abs(thumb(half).top + thumb(half).rows / 2 - 9)).toBeLessThan(3);
  });

  test('of a long command: what was not seen yet is not skipped', () => {
    const request = { id: 'a', task: '1', call: 'c', tool: 't', title: 't', body: 'x\n'.repeat(100), target: 't', cwd: '/', claim: null };
    const asked = following(start(), { type: 'approval.requested', request });
    const state = reduce(asked, { type: 'shown', nowMs: START_MS });
    const found = scrollbars(state).find(({ name }) => name === 'approval');
    const { track } = found ?? { track: { x: 0, y: 0, rows: 0 } };
    const dragged = click(state, START_MS, [track.x, track.y], [track.x, track.y + track.rows]).state;
    expect(dragged.approval?.seen).toBe(state.approval?.seen);
    expect(seen(dragged)).toMatch(/rows \d+–\d+ of 101/);
    expect(Number(/rows (\d+)–/.exec(seen(dragged))?.[1])).toBeLessThan(20);
  });
});

test('F7 gives the mouse to the terminal and takes it back; the hints say so', () => {
  const state = stateAfter(140, 30, [startedEvent()]);
  expect(seen(state).split('\n').at(-1)).toContain('F7 free mouse');
  const free = press(state, START_MS, 'f7');
  expect(free.effects).toEqual([{ type: 'mouse', on: false }]);
  expect(seen(free.state).split('\n').at(-1)).toContain('F7 mouse back');
  const narrow = reduce(free.state, { type: 'resized', size: { cols: 60, rows: 20 } });
  expect(seen(narrow).split('\n').at(-1)).toContain('F7 mouse back');
  expect(press(free.state, START_MS, 'f7').effects).toEqual([{ type: 'mouse', on: true }]);
});
