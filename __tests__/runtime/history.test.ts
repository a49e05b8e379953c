/** Whatever happened before, what is sent is sound. */

import fc from 'fast-check';
import type { Message } from '../../lib/protocol/messages.js';
import { repaired } from '../../lib/runtime/history.js';

const call = (id: string) => ({ id, name: 'run_shell', argsText: '{}' });
const assistant = (text: string, ids: readonly string[] = []): Message => ({
  role: 'assistant',
  text,
  reasoning: '',
  calls: ids.map(call),
  extras: {},
  incomplete: false,
});
const result = (id: string): Message => ({ role: 'tool', callId: id, name: 'run_shell', text: '{}', isError: false });
const user = (text: string): Message => ({ role: 'user', text });

test('a sound conversation comes back as it is', () => {
  const sound = [user('a'), assistant('b', ['1', '2']), result('1'), result('2'), assistant('c')];
  expect(repaired(sound, 0)).toEqual(sound);
});

test('a call without a result gets one, a result without a call goes, an empty answer says so', () => {
  const fixed = repaired([user('a'), assistant('', ['1']), result('9'), assistant('')], 5);
  expect(fixed.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(fixed[2]).toMatchObject({ callId: '1', isError: true });
  expect(fixed[3]?.text).toBe('(no answer)');
});

test('any mixture becomes whole pairs in order', () => {
  const message = fc.oneof(
    fc.string().map(user),
    fc.tuple(fc.string(), fc.uniqueArray(fc.constantFrom('1', '2', '3'))).map(([text, ids]) => assistant(text, ids)),
    fc.constantFrom('1', '2', '3', '4').map(result),
  );
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const fixed = repaired(messages, 0);
      for (const [index, entry] of fixed.entries()) {
        if (entry.role !== 'assistant') continue;
        const following = fixed.slice(index + 1, index + 1 + entry.calls.length);
        expect(following.map((next) => (next.role === 'tool' ? next.callId : next.role))).toEqual(entry.calls.map((made) => made.id));
        expect(fixed[index + 1 + entry.calls.length]?.role).not.toBe('tool');
      }
      expect(fixed.filter((entry) => entry.role === 'user')).toEqual(messages.filter((entry) => entry.role === 'user'));
    }),
  );
});
