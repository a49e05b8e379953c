/** What a draft would bring along: when it is asked about, and what is said of it. */

import { settle } from '../../lib/view/app.js';
import type { State } from '../../lib/view/state.js';
import { chatModel, following, press, START_MS, seen, startedEvent, stateAfter } from './support/picture.js';

const typed = (state: State, text: string): State =>
  settle(press(state, START_MS, ...[...text].map((key) => (key === ' ' ? 'space' : key))).state).state;
const start = () => stateAfter(100, 24, [startedEvent(chatModel)]);
const asks = (state: State, text: string) =>
  settle(press(state, START_MS, ...[...text].map((key) => (key === ' ' ? 'space' : key))).state).effects.flatMap((effect) =>
    effect.type === 'send' && effect.command.type === 'mentions.tell' ? [effect.command.text] : [],
  );
const told = (text: string, more: object = {}) =>
  ({ type: 'mentions.told', text, attached: [], tokens: 0, troubles: [], missing: [], choices: [], ...more }) as const;

test('is asked about once for the same mentions, and no more when they are gone', () => {
  const one = typed(start(), 'see @a ');
  expect(one.brought?.text).toBe('@a');
  expect(asks(one, 'and some words')).toEqual([]);
  expect(asks(one, '@b')).toEqual(['@a @b']);
  expect(asks(press(one, START_MS, 'C-u').state, 'x')).toEqual(['']);
});

test('not for a command, one’s own or a slash one, nor behind a backslash', () => {
  for (const text of ['!cat @a', '/model @a', 'me@a.example', '\\@a']) expect(asks(start(), text)).toEqual([]);
});

test('an answer to another question is dropped; sizes, notes and troubles are said in one row', () => {
  const state = typed(start(), 'see @a @b ');
  expect(following(state, told('@a', { missing: ['@a'] })).brought?.told).toBeNull();
  const attached = [
    { kind: 'file', name: 'a', bytes: 900 },
    { kind: 'image', name: 'b', bytes: 14_000, note: 'the model takes no images' },
  ];
  const shown = seen(following(state, told('@a @b', { attached, tokens: 12_345, troubles: ['@c is not attached: it is closed'] })));
  expect(shown).toContain('\n+ 1 file, 1 image · 14.9 kB · ~12.3k tokens · b: the model takes no images · @c is not attached: it…');
});

test('what is being written is not said to be missing', () => {
  const state = following(typed(start(), 'see @a'), told('@a', { missing: ['@a'] }));
  expect(seen(state)).not.toContain('no such file');
  expect(seen(typed(state, ' '))).toContain('+ no such file: @a');
});

test('another model is asked about anew', () => {
  const state = following(typed(start(), 'see @a '), told('@a'));
  const switched = following(state, { type: 'model.switched', model: chatModel });
  expect(settle(switched).effects).toContainEqual({ type: 'send', command: { type: 'mentions.tell', text: '@a' } });
  expect(settle(settle(switched).state).effects).toEqual([]);
});
