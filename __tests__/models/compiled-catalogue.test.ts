/** The catalogue that the build makes of templates/models.toml. */

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadCatalogue, parseCatalogue } from '../../lib/models/catalogue.js';

const text = readFileSync('templates/models.toml', 'utf8');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compiled-catalogue-'));
  mkdirSync(join(folder, 'templates'));
  mkdirSync(join(folder, 'dist', 'bundle'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(toml: string, json?: string): void {
  writeFileSync(join(folder, 'templates', 'models.toml'), toml);
  if (json !== undefined) writeFileSync(join(folder, 'dist', 'bundle', 'models.json'), json);
}

const rule = (tokens: number) => `rule = [{ pattern = "house-7b", context_window = ${tokens} }]\n`;
const sumOf = (toml: string) => createHash('sha256').update(toml).digest('hex');
const compiled = (sha256: string) => JSON.stringify({ sha256, catalogue: { rule: [{ pattern: 'house-7b', context_window: 22 }] } });

test('says of every model what the text says', async () => {
  const { compiledCatalogue } = (await import(pathToFileURL('scripts/build.mjs').href)) as { compiledCatalogue(text: string): string };
  write(text, compiledCatalogue(text));
  const [fromText, fromBuild] = [await parseCatalogue(text), await loadCatalogue(folder)];
  const patterns = [...text.matchAll(/pattern = "([^"]+)"/g)].map((found) => found[1] ?? '');
  expect(patterns.length).toBeGreaterThan(250);
  for (const name of [...patterns, 'somebody/gpt-5.99', 'nobody-knows'])
    expect([name, fromBuild.facts(name)]).toEqual([name, fromText.facts(name)]);
  expect(fromBuild.facts('claude-sonnet-4-5')).toMatchObject({
    inputPrice: 3,
    outputPrice: 15,
    cacheReadPrice: 0.3,
    cacheWritePrice: 3.75,
  });
});

test('is taken when it was made of the text that is there', async () => {
  write(rule(11), compiled(sumOf(rule(11))));
  expect((await loadCatalogue(folder)).facts('house-7b').contextTokens).toBe(22);
  const own = [{ pattern: 'house-7b', context_window: 33 }];
  expect((await loadCatalogue(folder, own)).facts('house-7b').contextTokens).toBe(33);
});

test.each([
  ['made of another text', compiled(sumOf(rule(12)))],
  ['torn', compiled(sumOf(rule(11))).slice(0, -9)],
  ['something else', '[]'],
  ['not there', undefined],
])('the text counts when the JSON is %s', async (_, json) => {
  write(rule(11), json);
  expect((await loadCatalogue(folder)).facts('house-7b').contextTokens).toBe(11);
});
