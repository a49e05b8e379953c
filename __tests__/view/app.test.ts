/** Keys of the whole dashboard: send, stop, leave, move. */

import type { RuntimeEvent } from '../../lib/protocol/events.js';
import { handleInput, settle } from '../../lib/view/app.js';
import { compose } from '../../lib/view/compose.js';
import { draftOf } from '../../lib/view/editor/model.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { following, picture, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const idle = (cols = 100, rows = 30): State => stateAfter(cols, rows, [startedEvent()]);
const prompt: RuntimeEvent = { type: 'task.started', task: '7', kind: 'prompt', text: 'x', pane: null };
const busy = (): State => following(idle(), prompt);
const sent = (command: unknown) => ({ type: 'send', command });

describe('sending', () => {
  test('Enter sends a prompt, remembers it and empties the draft', () => {
    const { state, effects } = press(idle(), START_MS, 'h', 'i', 'enter');
    expect(effects).toEqual([sent({ type: 'prompt.submit', text: 'hi' }), { type: 'remember', text: 'hi' }]);
    expect(draftOf(state.editor)).toBe('');
  });

  test('Enter while a prompt runs steers it, Alt+Q queues', () => {
    expect(press(busy(), START_MS, 'a', 'enter').effects[0]).toEqual(sent({ type: 'prompt.steer', text: 'a' }));
    expect(press(busy(), START_MS, 'a', 'M-q').effects[0]).toEqual(sent({ type: 'prompt.submit', text: 'a' }));
  });

  test('blanks are not sent', () => {
    expect(press(idle(), START_MS, 'space', 'enter').effects).toEqual([]);
  });

  test('up in an empty draft takes queued texts back; they come before the draft', () => {
    const queued = following(busy(), { type: 'queue.changed', waiting: [{ id: 'q', text: 'later', mode: 'follow-up' }] });
    const step = press(queued, START_MS, 'up');
    expect(step.effects).toEqual([sent({ type: 'queue.recall' })]);
    const typed = press(step.state, START_MS, 'n', 'o', 'w').state;
    expect(draftOf(following(typed, { type: 'queue.returned', texts: ['later', 'last'] }).editor)).toBe('later\nlast\nnow');
  });
});

describe('stopping', () => {
  const cancel = sent({ type: 'task.cancel', task: '7' });

  test('Esc and Ctrl+C cancel the running prompt, once', () => {
    expect(press(busy(), START_MS, 'escape').effects).toEqual([cancel]);
    expect(press(busy(), START_MS, 'C-c').effects).toEqual([cancel]);
    expect(press(busy(), START_MS, 'escape', 'escape').effects).toEqual([cancel]);
  });

  test('a prompt that does not stop does not hold the program', () => {
    expect(press(busy(), START_MS, 'C-c', 'C-c', 'C-c').effects).toEqual([cancel, { type: 'quit', keep: false }]);
  });

  test('Ctrl+C twice within two seconds quits when nothing runs', () => {
    const once = press(idle(), START_MS, 'C-c');
    expect(once.effects).toEqual([]);
    expect(seen(once.state)).toContain('Ctrl+C again to quit.');
    expect(press(once.state, START_MS + 1999, 'C-c').effects).toEqual([{ type: 'quit', keep: false }]);
    expect(press(once.state, START_MS + 2000, 'C-c').effects).toEqual([]);
  });

  test('Ctrl+C clears a draft before it quits', () => {
    const { state, effects } = press(idle(), START_MS, 'a', 'C-c', 'C-c');
    expect([draftOf(state.editor), effects]).toEqual(['', []]);
  });

  test('Ctrl+D quits in an empty draft only', () => {
    expect(press(idle(), START_MS, 'C-d').effects).toEqual([{ type: 'quit', keep: false }]);
    expect(press(idle(), START_MS, 'a', 'C-d').effects).toEqual([]);
  });

  test('Ctrl+Z suspends, Ctrl+L paints anew, Ctrl+G opens the editor', () => {
    expect(press(idle(), START_MS, 'C-z', 'C-l', 'a', 'C-g').effects).toEqual([
      { type: 'suspend' },
      { type: 'repaint' },
      { type: 'editor.external', text: 'a' },
    ]);
  });
});

describe('moving', () => {
  test('Tab goes round the panes', () => {
    const focus = [1, 2, 3, 4].map((times) => press(idle(), START_MS, ...Array<string>(times).fill('tab')).state.focus);
    expect(focus).toEqual(['conversation', 'mirror', 'tasks', 'editor']);
    expect(press(idle(), START_MS, 'S-tab').state.focus).toBe('tasks');
  });

  test('Esc goes back to the draft when nothing runs', () => {
    expect(press(idle(), START_MS, 'tab', 'escape').state.focus).toBe('editor');
  });

  test('narrow: the pane with the keyboard is the one that is seen; a click on a tab moves there', () => {
    const state = press(idle(60, 20), START_MS, 'tab', 'tab').state;
    expect(seen(state)).toContain('─ pane ─');
    const click = { type: 'mouse', action: 'press', button: 'left', x: 22, y: 1 } as const;
    expect(seen(handleInput(state, click, START_MS).state)).toContain('─ tasks ─');
  });

  test('z zooms a pane, in the draft it is a letter; F5 zooms from everywhere', () => {
    const zoomed = press(idle(140, 30), START_MS, 'tab', 'tab', 'z').state;
    expect(seen(zoomed)).not.toContain('conversation ─');
    expect(seen(press(zoomed, START_MS, 'z').state)).toContain('conversation ─');
    expect(draftOf(press(idle(), START_MS, 'z').state.editor)).toBe('z');
    expect(press(idle(), START_MS, 'f5').state.zoomed).toBe(true);
  });

  test('letters in a pane are keys, not text; i goes back to writing', () => {
    const { state } = press(idle(), START_MS, 'tab', 'x', 'i', 'y');
    expect([state.focus, draftOf(state.editor)]).toEqual(['editor', 'y']);
  });

  test('? opens help in an empty draft, else it is a letter', () => {
    expect(press(idle(), START_MS, '?').state.help).toBe(0);
    expect(draftOf(press(idle(), START_MS, 'a', '?').state.editor)).toBe('a?');
  });

  test('c copies the last answer', () => {
    const state = following(busy(), { type: 'model.text', task: '7', text: 'the **answer**' });
    expect(press(state, START_MS, 'tab', 'c').effects).toEqual([{ type: 'copy', text: 'the **answer**' }]);
  });
});

describe('the pane takes the size of its mirror', () => {
  const opened = (state: State): State => following(state, { type: 'pane.opened', pane: '%1', title: 'shared' });

  test('once, and again after a resize', () => {
    const first = settle(opened(idle(160, 40)));
    expect(first.effects).toEqual([sent({ type: 'pane.resize', pane: '%1', cols: 70, rows: 25 })]);
    expect(settle(first.state).effects).toEqual([]);
    const wider = settle(reduce(first.state, { type: 'resized', size: { cols: 200, rows: 40 } }));
    expect(wider.effects).toEqual([sent({ type: 'pane.resize', pane: '%1', cols: 88, rows: 25 })]);
  });

  test('not for a question, a long draft, or a mirror out of sight', () => {
    const { state } = settle(opened(idle(160, 40)));
    const request = { id: 'a', task: '1', call: 'c', tool: 't', title: 't', body: 'x\n'.repeat(30), target: 't', cwd: '/', claim: null };
    const asked = following(press(state, START_MS, 'a', 'M-enter', 'b', 'M-enter').state, { type: 'approval.requested', request });
    expect(settle(asked).effects).toEqual([]);
    expect(settle(reduce(state, { type: 'resized', size: { cols: 60, rows: 20 } })).effects).toEqual([]);
  });

  test('never below what programs can live with', () => {
    expect(settle(opened(idle(80, 14))).effects).toEqual([sent({ type: 'pane.resize', pane: '%1', cols: 78, rows: 10 })]);
  });
});

test('focus and replies of the terminal change nothing', () => {
  const state = idle();
  expect(handleInput(state, { type: 'focus', gained: true }, START_MS).state).toBe(state);
  expect(handleInput(state, { type: 'reply', bytes: '\x1b[?62c' }, START_MS).state).toBe(state);
});

test('a click in the draft puts the cursor there', () => {
  const { state } = press(idle(), START_MS, 'a', '日', 'b', 'M-enter', 'c', 'tab');
  const click = (x: number, y: number) => handleInput(state, { type: 'mouse', action: 'press', button: 'left', x, y }, START_MS).state;
  expect([click(5, 27).focus, click(5, 27).editor.text.cursor]).toEqual(['editor', { line: 0, offset: 2 }]);
  expect(click(60, 28).editor.text.cursor).toEqual({ line: 1, offset: 1 });
});

test('the cursor stands in the draft', () => {
  const { state } = press(idle(), START_MS, '日', 'b');
  const frame = compose(state, state.theme);
  expect(picture(frame)[28]).toBe('> 日b');
  expect(frame.cursor).toEqual({ x: 5, y: 28, shown: true });
});
