/** The list of models: what one wants to know before one chooses, found by any letters of it. */

import { fuzzyFilter } from '../../lib/base/fuzzy.js';
import type { ModelSummary } from '../../lib/protocol/events.js';
import { modelItems, modelWords } from '../../lib/view/pickers/model.js';
import type { State } from '../../lib/view/state.js';

const codex: ModelSummary = {
  profile: 'codex',
  model: 'gpt-5.3-codex',
  api: 'responses',
  contextTokens: 400_000,
  prices: { input: 1.75, output: 14, cacheRead: null, cacheWrite: null },
  effort: 'medium',
  efforts: ['low', 'medium', 'high'],
};
const low: ModelSummary = { ...codex, profile: 'codex:low', effort: 'low', variantOf: 'codex' };
const high: ModelSummary = { ...codex, profile: 'codex:high', effort: 'high', variantOf: 'codex' };
const local: ModelSummary = { profile: 'local', model: 'qwen3:8b', api: 'chat', contextTokens: 16_384 };
const glm: ModelSummary = { ...local, profile: 'glm', model: 'z-ai/glm-5', contextTokens: 1_048_576, efforts: ['low'] };
const glmLow: ModelSummary = { ...glm, profile: 'glm:low', effort: 'low', variantOf: 'glm' };

const state = (model: ModelSummary) => ({ profiles: [codex, low, high, local, glm, glmLow], model, tasks: [] }) as unknown as State;

test('window, price and efforts, as far as they are known', () => {
  expect(modelWords(codex)).toBe('gpt-5.3-codex · responses · 400k · $1.75 in, $14 out · thinks low [medium] high');
  expect(modelWords(local)).toBe('qwen3:8b · chat · 16k');
  expect(modelWords(glm)).toBe('z-ai/glm-5 · chat · 1M · thinks low');
});

test('efforts of the one in use are offered below it, of the others not', () => {
  const rows = (model: ModelSummary) => modelItems(state(model)).map(({ id, note }) => `${id}${note === '' ? '' : ` (${note})`}`);
  expect(rows(codex)).toEqual(['codex (now)', 'codex:low', 'codex:high', 'local', 'glm']);
  expect(rows(high)).toEqual(['codex', 'codex:low', 'codex:high (now)', 'local', 'glm']);
  expect(rows(glm)).toEqual(['codex', 'local', 'glm (now)', 'glm:low']);
});

test('a few letters of the name of the model find it', () => {
  const found = (query: string) => fuzzyFilter(query, modelItems(state(codex)), (item) => `${item.label} ${item.says}`)[0]?.entry.id;
  expect([found('qwn'), found('glm5'), found('thinks high')]).toEqual(['local', 'glm', 'codex:high']);
});
