/** The pane taken over: every key is the pane's, nothing is the draft's, no question is answered. */

import { rowOf } from '../../lib/base/style.js';
import { visible } from '../../lib/base/visible.js';
import type { RuntimeEvent } from '../../lib/protocol/events.js';
import type { InputEvent } from '../../lib/protocol/input.js';
import { freshModes, type PaneModes } from '../../lib/protocol/panes.js';
import { type Effect, handleInput, settle } from '../../lib/view/app.js';
import { compose } from '../../lib/view/compose.js';
import { draftOf } from '../../lib/view/editor/model.js';
import { reduce } from '../../lib/view/reducer.js';
import type { State } from '../../lib/view/state.js';
import { following, click as leftClick, press, START_MS, seen, startedEvent, stateAfter, theme } from './support/picture.js';

const sent = (command: unknown) => ({ type: 'send', command });
const input = (bytes: string) => sent({ type: 'pane.input', pane: '%1', bytes });
const screen = (modes: Partial<PaneModes> = {}): RuntimeEvent => ({
  type: 'pane.screen',
  pane: '%1',
  screen: {
    cols: 70,
    rows: [rowOf({ text: visible('root@web-01:~# '), style: {} })],
    cursor: { x: 15, y: 0, shown: true },
    modes: { ...freshModes, ...modes },
  },
});
const opened = (cols = 160, rows = 40, modes: Partial<PaneModes> = {}): State =>
  following(
    stateAfter(cols, rows, [startedEvent()]),
    { type: 'pane.opened', pane: '%1', title: 'shared' },
    { type: 'pane.state', pane: '%1', state: { kind: 'idle' }, lastExit: 0 },
    screen(modes),
  );
const taken = (...of: Parameters<typeof opened>): State => press(opened(...of), START_MS, 'f6').state;
const question: RuntimeEvent = {
  type: 'approval.requested',
  request: { id: 'a', task: '1', call: 'c', tool: 'run_shell', title: 'run', body: 'uptime', target: 'web-01', cwd: '/', claim: null },
};
const click = (x: number, y: number): InputEvent => ({ type: 'mouse', action: 'press', button: 'left', x, y });

test('F6 takes the keyboard, F6 hands it back; the frame says who has it', () => {
  const begun = press(opened(), START_MS, 'f6');
  expect(begun.effects).toEqual([sent({ type: 'pane.takeover', pane: '%1' })]);
  expect(seen(begun.state)).toContain('you have the keyboard · F6 hands back · idle · exit 0');
  expect(seen(begun.state).split('\n').at(-1)).toBe(' F6 hands back');
  const ended = press(begun.state, START_MS, 'f6');
  expect(ended.effects).toEqual([sent({ type: 'pane.handback', pane: '%1' })]);
  expect([ended.state.takeover, ended.state.focus]).toEqual([null, 'editor']);
  expect(seen(ended.state)).not.toContain('you have the keyboard');
});

test('the frame is red and the cursor stands in the mirror', () => {
  const frame = compose(taken(), theme);
  const red = frame.parts.filter((part) =>
    part.rows.some((row) => row.segments.some((segment) => segment.style === theme.styles.takeover)),
  );
  expect(red).toHaveLength(4);
  expect(theme.styles.takeover).toEqual(theme.styles.error);
  expect(frame.cursor).toMatchObject({ x: 160 - 72 + 1 + 15, shown: true });
});

test('every other key, also those that stop and quit elsewhere, goes to the pane; the draft stays', () => {
  const begun = press(press(opened(), START_MS, 'd', 'r').state, START_MS, 'f6').state;
  const { state, effects } = press(begun, START_MS, 'l', 's', 'enter', 'C-c', 'C-c', 'C-d', 'escape', 'C-z', '/', 'f1', 'tab', 'up');
  expect(effects).toEqual(['l', 's', '\r', '\x03', '\x03', '\x04', '\x1b', '\x1a', '/', '\x1bOP', '\t', '\x1b[A'].map(input));
  expect([draftOf(state.editor), state.help, state.takeover]).toEqual(['dr', null, { pane: '%1', lost: false }]);
});

test('keys are as the program in the pane wants them; a paste goes whole', () => {
  const state = taken(160, 40, { applicationCursor: true });
  expect(press(state, START_MS, 'up').effects).toEqual([input('\x1bOA')]);
  const paste = handleInput(state, { type: 'paste', text: 'one\ntwo', complete: true }, START_MS);
  expect(paste.effects).toEqual([sent({ type: 'pane.paste', pane: '%1', text: 'one\ntwo' })]);
  expect(paste.state.editor).toBe(state.editor);
});

test('a click into the mirror takes over; further ones are the pane’s when it wants them, in its own cells', () => {
  const left = 160 - 72;
  const step = leftClick(opened(160, 40, { mouse: 'vt200', mouseSgr: true }), START_MS, [left + 5, 3]);
  expect(step.effects).toEqual([sent({ type: 'pane.takeover', pane: '%1' })]);
  expect(handleInput(step.state, click(left + 5, 3), START_MS).effects).toEqual([input('\x1b[<0;5;2M')]);
  expect(handleInput(step.state, click(left, 3), START_MS).effects).toEqual([]);
  const deaf = leftClick(opened(), START_MS, [left + 5, 3]).state;
  expect(leftClick(deaf, START_MS + 1000, [left + 5, 3]).effects).toEqual([]);
});

test('a click elsewhere hands back and does what it does', () => {
  const step = handleInput(taken(), click(5, 38), START_MS);
  expect(step.effects).toEqual([sent({ type: 'pane.handback', pane: '%1' })]);
  expect(step.state.focus).toBe('editor');
  const wheel = handleInput(taken(), { type: 'mouse', action: 'wheel-up', button: 'none', x: 5, y: 5 }, START_MS);
  expect([wheel.state.takeover, wheel.effects]).toEqual([{ pane: '%1', lost: false }, []]);
});

describe('a question', () => {
  const asked = (): State => reduce(following(taken(), question), { type: 'shown', nowMs: START_MS + 10 });

  test('is shown and takes no answer', () => {
    const { state, effects } = press(asked(), START_MS + 5000, 'y', 's', 'n', 'enter');
    expect(effects).toEqual(['y', 's', 'n', '\r'].map(input));
    expect(seen(state)).toContain('approve on web-01');
    expect(seen(state)).toContain('y: you have the keyboard of the pane (F6 hands it back)');
    expect(compose(state, theme).cursor).not.toBeNull();
  });

  test('takes one again after the hand-back, but no key that was still on its way', () => {
    const back = press(asked(), START_MS + 5000, 'f6').state;
    const answered = (nowMs: number): readonly Effect[] => press(back, nowMs, 'y').effects;
    expect(answered(START_MS + 5399)).toEqual([]);
    expect(answered(START_MS + 5400)).toEqual([sent({ type: 'approval.answer', approval: 'a', decision: 'once' })]);
  });

  test('can be left for the pane with F6', () => {
    const state = reduce(following(opened(), question), { type: 'shown', nowMs: START_MS + 10 });
    expect(press(state, START_MS + 5000, 'f6').effects).toEqual([sent({ type: 'pane.takeover', pane: '%1' })]);
  });
});

test('without a pane that takes keys F6 says why', () => {
  const dead: RuntimeEvent = { type: 'pane.state', pane: '%1', state: { kind: 'dead', status: 0 }, lastExit: 0 };
  for (const [state, words] of [
    [stateAfter(120, 30, [startedEvent()]), 'Not now: there is no pane.'],
    [following(opened(), dead), 'Not now: the shell of the pane has ended'],
  ] as const) {
    const step = press(state, START_MS, 'f6');
    expect(step.effects).toEqual([]);
    expect(seen(step.state)).toContain(words);
  }
});

describe('what is still typed when the pane goes away reaches neither a pane nor the draft nor the model', () => {
  const goesNowhere = (state: State): void => {
    const { state: after, effects } = press(state, START_MS, 's', 'e', 'c', 'r', 'e', 't', 'enter', 'escape', 'C-c', 'C-c');
    expect([effects, draftOf(after.editor)]).toEqual([[], '']);
    const back = press(after, START_MS, 'f6');
    expect([back.effects, back.state.takeover, back.state.focus]).toEqual([[], null, 'editor']);
  };

  test('closed', () => {
    const state = following(taken(), { type: 'pane.returned', pane: '%1', commands: [] }, { type: 'pane.closed', pane: '%1' });
    expect(seen(state)).toContain('this pane is gone · F6 goes back to the draft · closed');
    goesNowhere(state);
  });

  test('refused', () => {
    const state = following(taken(), { type: 'command.refused', command: 'pane.takeover', reason: 'there is no pane %1' });
    expect(seen(state)).toContain('there is no pane %1');
    goesNowhere(state);
  });

  test('out of sight: the agent has the keyboard again', () => {
    const { state, effects } = settle(reduce(taken(), { type: 'resized', size: { cols: 30, rows: 8 } }));
    expect(effects).toEqual([sent({ type: 'pane.handback', pane: '%1' })]);
    expect(seen(state)).toContain('F6 goes back to the draft.');
    goesNowhere(state);
  });
});

test('the wheel presses cursor keys in a full-screen program that knows no mouse', () => {
  const fullscreen: RuntimeEvent = {
    type: 'pane.state',
    pane: '%1',
    state: { kind: 'fullscreen', program: 'less', sinceMs: START_MS },
    lastExit: 0,
  };
  const wheel = { type: 'mouse', action: 'wheel-down', button: 'none', x: 120, y: 8 } as const;
  const state = taken(160, 40, { applicationCursor: true });
  expect(handleInput(following(state, fullscreen), wheel, START_MS).effects).toEqual([input('\x1bOB\x1bOB\x1bOB')]);
  expect(handleInput(state, wheel, START_MS).effects).toEqual([]);
});

test('the wheel scrolls back where the program has not asked for the mouse, as tmux does; typing is live again', () => {
  const wheel = (action: 'wheel-up' | 'wheel-down') => ({ type: 'mouse', action, button: 'none', x: 120, y: 8 }) as const;
  const up = handleInput(taken(), wheel('wheel-up'), START_MS);
  expect(up.effects).toEqual([sent({ type: 'pane.scrollback', pane: '%1' })]);
  expect([up.state.takeover, seen(up.state)]).toEqual([{ pane: '%1', lost: false }, expect.stringContaining('scrolling back …')]);
  const rows = Array.from({ length: 200 }, (_, n) => ({ segments: [{ text: visible(`old ${n}`), style: {} }] }));
  const back = following(up.state, { type: 'pane.scrollback', pane: '%1', scrollback: { rows, cols: 60, more: false } });
  expect(seen(back)).toContain('3 lines up');
  const further = handleInput(back, wheel('wheel-up'), START_MS);
  expect([further.effects, seen(further.state)]).toEqual([[], expect.stringContaining('6 lines up')]);
  const typed = press(further.state, START_MS, 'l');
  expect([typed.effects, seen(typed.state)]).toEqual([[input('l')], expect.not.stringContaining('lines up')]);
});

test('in a narrow window the pane comes into sight', () => {
  expect(seen(taken(60, 20))).toContain('you have the keyboard · F6 hands back');
});

test('the list of the hand-back, and what was run by hand at another time, stand in the conversation', () => {
  const commands = [
    { text: 'cd /tmp; false', exitCode: 1, cwd: '/tmp' },
    { text: '(private)', exitCode: 0, cwd: '/tmp' },
  ];
  const back = seen(following(opened(), { type: 'pane.returned', pane: '%1', commands }));
  expect(back).toContain('is told that you ran:');
  expect(back).toContain('cd /tmp; false · exit 1 · /tmp');
  expect(back).toContain('(private) · exit 0 · /tmp');
  expect(seen(following(opened(), { type: 'pane.returned', pane: '%1', commands: [] }))).toContain('You ran no command.');
  const other = following(opened(), { type: 'pane.command', pane: '%1', text: 'make', exitCode: 2, cwd: '' });
  expect(seen(other)).toContain('Run in the pane by hand: make · exit 2');
});

test('while attached the pane has the size of the terminal but for a line, and afterwards that of its mirror again', () => {
  const before = settle(opened()).state;
  const attached = settle(reduce(before, { type: 'attached', on: true }));
  expect(attached.effects).toEqual([sent({ type: 'pane.resize', pane: '%1', cols: 160, rows: 39 })]);
  const wider = settle(reduce(attached.state, { type: 'resized', size: { cols: 200, rows: 50 } }));
  expect(wider.effects).toEqual([sent({ type: 'pane.resize', pane: '%1', cols: 200, rows: 49 })]);
  expect(settle(reduce(wider.state, { type: 'attached', on: false })).effects).toEqual([
    sent({ type: 'pane.resize', pane: '%1', cols: 88, rows: 32 }),
  ]);
});

test('a program that asks for a password says how to give it', () => {
  const asks: RuntimeEvent = { type: 'pane.state', pane: '%1', state: { kind: 'password', program: 'sudo' }, lastExit: 0 };
  expect(seen(following(opened(), asks))).toContain('pane shared · sudo asks for a password · F6 to type it');
  expect(seen(following(taken(), asks))).toContain('F6 hands back · sudo asks for a password');
});
