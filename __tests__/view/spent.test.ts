/** What an answer took: by the figures of the server, by prices of each kind of token, and by an estimate where there are none. */

import type { ModelPrices } from '../../lib/protocol/events.js';
import type { AssistantMessage, Usage } from '../../lib/protocol/messages.js';
import { charactersOf, nothingSpent, spentOn, sumOf } from '../../lib/protocol/spent.js';
import { costText, inputText, outputText, tokensText } from '../../lib/view/spent.js';

const prices: ModelPrices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const message: AssistantMessage = {
  role: 'assistant',
  text: 'x'.repeat(30),
  reasoning: 'y'.repeat(50),
  calls: [{ id: 'c', name: 'ls', argsText: 'z'.repeat(18) }],
  extras: {},
  incomplete: false,
};
const counted: Usage = {
  inputTokens: 1_000_000,
  outputTokens: 10_000,
  cachedTokens: 600_000,
  cacheWriteTokens: 200_000,
  reasoningTokens: 4000,
};
const of = (usage: Usage | null, more: { readonly prices?: ModelPrices | null } = {}) =>
  spentOn({ characters: charactersOf(message), usage, estimatedInput: 500, prices, ...more });

test('each kind of token has its price', () => {
  const spent = of(counted);
  // 200 000 fresh at 3, 600 000 read at 0.3, 200 000 written at 3.75, 10 000 out at 15 (thoughts are part of what comes out).
  expect(spent.cost).toBeCloseTo(0.6 + 0.18 + 0.75 + 0.15, 10);
  expect(tokensText(spent)).toBe('1.0M in (600k cached, 200k written) · 10.0k out (4.0k thinking)');
  expect(costText(spent)).toBe('$1.68');
});

test('a long prompt has its own prices, for all of the answer', () => {
  const long = { above: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: null };
  const at = (inputTokens: number) =>
    of({ inputTokens, outputTokens: 1000, cachedTokens: 100_000, reasoningTokens: null }, { prices: { ...prices, longPrompt: long } }).cost;
  expect(at(200_000)).toBeCloseTo(0.3 + 0.03 + 0.015, 10);
  expect(at(200_001)).toBeCloseTo(0.600006 + 0.06 + 0.0225, 10);
});

test('without a price of its own a kind costs what any input costs', () => {
  const plain = of(counted, { prices: { input: 3, output: 15, cacheRead: null, cacheWrite: null } });
  expect(plain.cost).toBeCloseTo(3.15, 10);
  expect(of({ ...counted, cachedTokens: null, reasoningTokens: null, cacheWriteTokens: 0 }).cost).toBeCloseTo(3.15, 10);
});

test('a server that reports nothing: an estimate with its mark, and no zero', () => {
  const spent = of(null);
  expect(spent).toMatchObject({ estimated: 1, inputTokens: 500, outputTokens: 25, cachedTokens: null, reasoningTokens: null });
  expect(tokensText(spent)).toBe('~500 in · ~25 out');
  expect(costText(spent)).toBe('~$0.0019');
});

test.each<readonly [string, Usage, string]>([
  ['zeros', { inputTokens: 0, outputTokens: 0, cachedTokens: null, reasoningTokens: null }, '~500 in · ~25 out'],
  ['only what came out', { inputTokens: 0, outputTokens: 9, cachedTokens: null, reasoningTokens: null }, '~500 in · ~9 out'],
  ['only what went in', { inputTokens: 70, outputTokens: 0, cachedTokens: null, reasoningTokens: null }, '~70 in · ~25 out'],
  [
    'more cached than sent',
    { inputTokens: 70, outputTokens: 9, cachedTokens: 90, reasoningTokens: 99 },
    '70 in (70 cached) · 9 out (9 thinking)',
  ],
])('a server that reports %s', (_, usage, words) => {
  expect(tokensText(of(usage))).toBe(words);
  expect(of(usage).cost).toBeGreaterThan(0);
});

test('an answer without a word has no tokens out, and that is a figure', () => {
  const silent = { ...message, text: '', reasoning: '', calls: [] };
  const usage = { inputTokens: 70, outputTokens: 0, cachedTokens: null, reasoningTokens: null };
  expect(tokensText(spentOn({ characters: charactersOf(silent), usage, estimatedInput: 9, prices }))).toBe('70 in · 0 out');
});

test('sums keep what nobody said apart from nothing, and carry the marks', () => {
  const small: Usage = { inputTokens: 10, outputTokens: 5, cachedTokens: null, reasoningTokens: null };
  const both = sumOf(of(small), of({ ...small, cachedTokens: 0 }));
  expect([both.cachedTokens, both.cacheWriteTokens]).toEqual([0, null]);
  const mixed = sumOf(sumOf(nothingSpent, of(null)), of(counted, { prices: null }));
  expect([inputText(mixed), outputText(mixed), costText(mixed)]).toEqual(['~1.0M', '~10.0k', '~$0.0019+']);
  expect(costText(of(counted, { prices: null }))).toBeNull();
});
