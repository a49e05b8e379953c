/** What is known of models: the shipped rules, the user's own over them, and what can be chosen from it. */

import { readFileSync } from 'node:fs';
import type { CatalogueRule } from '../../lib/config/catalogue-rules.js';
import { bundledProfiles, demoProfile } from '../../lib/config/profiles.js';
import { loadCatalogue, parseCatalogue } from '../../lib/models/catalogue.js';
import { summarize, summarizeWithEfforts } from '../../lib/models/index.js';
import { modelHost, profileFor } from './provider-under-test.js';

test('the file is the script’s own: families stand last, word for word', () => {
  const text = readFileSync('templates/models.toml', 'utf8');
  const families = readFileSync('scripts/catalogue/families.toml', 'utf8').trimEnd();
  expect(text.endsWith(`${families}\n]\n`)).toBe(true);
  expect(text).toContain('Written by "node scripts/catalogue.mjs"');
});

test('efforts: told of those that are listed, none of one that does not think, not known of a family', async () => {
  const catalogue = await loadCatalogue(process.cwd());
  expect(catalogue.facts('gpt-5.3-codex').efforts).toEqual(['none', 'low', 'medium', 'high', 'xhigh']);
  expect(catalogue.facts('openai/gpt-4o:free').efforts).toEqual([]);
  expect(catalogue.facts('gpt-5.99-unheard-of').efforts).toBeNull();
});

test('exact rules go before families, whatever their order in the file', async () => {
  const catalogue = await loadCatalogue(process.cwd());
  expect(catalogue.facts('gpt-5-chat-latest').contextTokens).toBe(128_000);
  expect(catalogue.facts('claude-sonnet-4-5').contextTokens).toBe(200_000);
});

test('the user’s rules lie over ours: only what they say, also for names with a colon', async () => {
  const own: readonly CatalogueRule[] = [
    { pattern: 'qwen3:8b', context_window: 16_384, efforts: [] },
    { pattern: 'gpt-4.1', match: 'prefix', input_price_per_mtok: 1, output_price_per_mtok: 2 },
    { pattern: 'house', match: 'contains', context_window: 5 },
  ];
  const catalogue = await parseCatalogue(readFileSync('templates/models.toml', 'utf8'), own);
  expect(catalogue.facts('qwen3:8b')).toMatchObject({ contextTokens: 16_384, efforts: [] });
  expect(catalogue.facts('qwen3:4b').contextTokens).toBe(262_144);
  expect(catalogue.facts('openai/gpt-4.1-mini')).toMatchObject({
    contextTokens: 1_047_576,
    inputPrice: 1,
    outputPrice: 2,
    cacheReadPrice: 0.1,
  });
  expect(catalogue.facts('our-house-7b').contextTokens).toBe(5);
});

test('the prices of long prompts, where there are such; a price of the user’s own holds for every length', async () => {
  const profile = profileFor('chat', 'https://generativelanguage.googleapis.com/v1beta/openai', {
    model: 'gemini-2.5-pro',
    provider: 'gemini',
  });
  const longPrompt = { above: 200_000, input: 2.5, output: 15, cacheRead: 0.25, cacheWrite: null };
  expect((await summarize([profile], modelHost()))[0]?.prices).toMatchObject({ input: 1.25, output: 10, longPrompt });
  const own = [{ pattern: 'gemini-2.5-pro', input_price_per_mtok: 1, output_price_per_mtok: 2 }];
  expect((await summarize([profile], modelHost(), own))[0]?.prices).not.toHaveProperty('longPrompt');
  // The window of this one ends where its higher prices begin.
  expect((await loadCatalogue(process.cwd())).facts('gpt-5.4').longPrompt).toBeNull();
});

test('a server of one’s own has a price when the user says one', async () => {
  const profile = profileFor('chat', 'http://127.0.0.1:1/v1', { model: 'gpt-4.1' });
  expect((await summarize([profile], modelHost()))[0]?.prices).toBeUndefined();
  const own = [{ pattern: 'gpt-4.1', input_price_per_mtok: 1, output_price_per_mtok: 2 }];
  expect((await summarize([profile], modelHost(), own))[0]?.prices).toEqual({ input: 1, output: 2, cacheRead: 0.5, cacheWrite: null });
});

test('each profile once more for each other effort of its model; names that are taken stay what they are', async () => {
  const [codex] = bundledProfiles;
  if (codex === undefined) throw new Error('no profiles');
  const taken = { ...codex, name: 'gpt-codex:low', model: 'gpt-4.1' };
  const all = await summarizeWithEfforts([codex, taken, demoProfile], modelHost(), []);
  expect(all.map(({ profile, effort, variantOf }) => [profile, effort, variantOf])).toEqual([
    ['gpt-codex', 'medium', undefined],
    ['gpt-codex:none', 'none', 'gpt-codex'],
    ['gpt-codex:high', 'high', 'gpt-codex'],
    ['gpt-codex:xhigh', 'xhigh', 'gpt-codex'],
    ['gpt-codex:low', 'medium', undefined],
    ['demo', undefined, undefined],
  ]);
});
