/** Terminals that tell Ctrl+[ from Escape: a person who presses it means what it is everywhere else. */

import type { State } from '../../lib/view/state.js';
import { press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const begun = (): State => stateAfter(100, 30, [startedEvent()]);
const after = (state: State, ...keys: readonly string[]) => press(state, START_MS, ...keys).state;

test('Ctrl+[ closes a list, Ctrl+M sends, Ctrl+I goes to the next pane, Ctrl+/ takes back', () => {
  const list = after(begun(), 'C-p');
  expect(list.picker).not.toBeNull();
  expect(after(list, 'C-[').picker).toBeNull();
  expect(press(after(begun(), 'h', 'i'), START_MS, 'C-m').effects).toContainEqual({
    type: 'send',
    command: { type: 'prompt.submit', text: 'hi' },
  });
  expect(after(begun(), 'C-i').focus).toBe(after(begun(), 'tab').focus);
  const undone = after(begun(), 'h', 'i', 'C-/');
  expect(seen(undone)).toBe(seen(after(begun(), 'h', 'i', 'C-_')));
  expect(seen(undone)).not.toContain('> hi');
});

test('a key that was given a meaning of its own has that', () => {
  const state = stateAfter(100, 30, [startedEvent()], { bindings: new Map([['global/palette.open', ['C-i']]]) });
  expect(after(state, 'C-i').picker?.kind).toBe('palette');
});
