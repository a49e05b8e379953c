/** Without a model a conversation gets smaller too, and stays one. */

import fc from 'fast-check';
import { estimateTokens } from '../../lib/runtime/history.js';
import { trimmed } from '../../lib/runtime/trimming.js';
import { assistant, conversations, result, unsound, user } from '../support/messages.js';

const goal = (targetTokens: number, tailTokens = 500) => ({ targetTokens, tailTokens, saidCharacters: 600 });

test('for every goal the result is sound, never larger, and fits where it can', () => {
  fc.assert(
    fc.property(conversations, fc.nat(8000), fc.nat(3000), (messages, target, tail) => {
      const before = JSON.stringify(messages);
      const short = trimmed(messages, goal(target, tail), 0);
      expect(unsound(short)).toBeNull();
      expect(JSON.stringify(messages)).toBe(before);
      if (estimateTokens(messages, 0) <= target) expect(short).toEqual(messages);
      // Beside the goal there is at most a recap, and what is short already.
      if (target > 6000) expect(estimateTokens(short, 0)).toBeLessThanOrEqual(target);
    }),
  );
});

test('old results go first, and only as many as need be', () => {
  const messages = [
    user('look'),
    assistant('', ['1', '2']),
    result('1', 'x'.repeat(4000)),
    result('2', 'y'.repeat(4000)),
    assistant('', ['3']),
    result('3', 'z'.repeat(1000)),
  ];
  const short = trimmed(messages, goal(1600, 400), 0);
  expect(short.map((message) => message.text.length > 400)).toEqual([false, false, false, true, false, true]);
  expect(short[2]?.text).toContain('left out to save room');
  expect(short[3]).toBe(messages[3]);
});

test('where that is not enough, old messages become the words of the person and a list of calls, those that failed among them', () => {
  const steps = Array.from({ length: 40 }, (_, n) => [
    assistant('word '.repeat(60), [`c${n}`]),
    result(`c${n}`, 'x', n === 3 ? 7 : 0),
  ]).flat();
  const short = trimmed([user('please repair nginx, and never restart postgres'), ...steps], goal(2500, 300), 0);
  const [recap] = short;
  expect(estimateTokens(short, 0)).toBeLessThanOrEqual(2500);
  expect(recap?.text).toContain('1. please repair nginx, and never restart postgres');
  expect(recap?.text).toContain('run_shell {"command":"echo c3"} → exit code 7');
  expect(recap?.text).toMatch(/run_shell {"command":"echo c3\d"} → exit code 0/);
  expect(recap?.text).not.toContain('echo c5"');
});

test('at last the results that the model has not seen are shortened in their middle', () => {
  const short = trimmed([user('read it'), assistant('', ['1']), result('1', `first ${'x'.repeat(90_000)} last`)], goal(1500), 0);
  expect(estimateTokens(short, 0)).toBeLessThanOrEqual(1500);
  expect(short[2]?.text).toContain('first ');
  expect(short[2]?.text).toContain(' last');
  expect(short[2]?.text).toContain('characters are left out');
});
