/** Wherever a conversation is cut, both parts are conversations. */

import fc from 'fast-check';
import { cutFor, isCutPoint, unansweredFrom } from '../../lib/runtime/cut-points.js';
import { estimateTokens } from '../../lib/runtime/history.js';
import { assistant, conversations, result, unsound, user } from '../support/messages.js';

test('every cut point parts a conversation into two sound ones, and every other place does not', () => {
  fc.assert(
    fc.property(conversations, (messages) => {
      expect(unsound(messages)).toBeNull();
      for (let at = 0; at <= messages.length; at++) {
        const parts = [unsound(messages.slice(0, at)), unsound(messages.slice(at))];
        expect([at, parts.every((part) => part === null)]).toEqual([at, isCutPoint(messages, at)]);
      }
    }),
  );
});

test('for every budget the tail is the longest that fits, and keeps what is unanswered', () => {
  fc.assert(
    fc.property(conversations, fc.nat(12_000), (messages, budget) => {
      const cut = cutFor(messages, budget);
      const tokens = (from: number) => estimateTokens(messages.slice(from), 0);
      expect(isCutPoint(messages, cut)).toBe(true);
      expect(cut).toBeLessThanOrEqual(unansweredFrom(messages));
      if (cut < unansweredFrom(messages)) expect(tokens(cut)).toBeLessThanOrEqual(budget + messages.length);
      const longer = Array.from({ length: cut }, (_, at) => at).findLast((at) => isCutPoint(messages, at));
      if (longer !== undefined) expect(tokens(longer)).toBeGreaterThan(budget - messages.length);
    }),
  );
});

test('results that the model has not seen stay with their calls, however long they are', () => {
  const long = 'x'.repeat(40_000);
  const messages = [user('a'), assistant('b'), user('c'), assistant('', ['1', '2']), result('1', long), result('2', long), user('steered')];
  expect(cutFor(messages, 10)).toBe(3);
  expect(cutFor(messages.slice(0, 3), 0)).toBe(2);
  expect(cutFor(messages.slice(0, 2), 0)).toBe(2);
});
