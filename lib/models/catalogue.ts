/** What is known of models without asking their servers: rules of templates/models.toml, which the build makes a JSON of. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readFile } from '../base/files.js';
import type { CatalogueRule } from '../config/catalogue-rules.js';
import { type ReasoningEffort, reasoningEfforts } from '../config/profiles.js';
import type { ModelPrices } from '../protocol/events.js';
import { asList, asNumber, asObject, asText, type JsonObject, parseJson } from './json.js';

/** What a rule tells of a model. Prices are dollars per million tokens. */
export interface ModelFacts {
  readonly contextTokens: number;
  readonly maxOutputTokens: number | null;
  readonly inputPrice: number | null;
  readonly outputPrice: number | null;
  readonly cacheReadPrice: number | null;
  /** Of input that the server puts into its cache; null: as any other input. */
  readonly cacheWritePrice: number | null;
  /** The prices of longer prompts; null: the same. */
  readonly longPrompt: NonNullable<ModelPrices['longPrompt']> | null;
  /** How much it can be told to think, from least to most; none: it does not think; null: that is not known. */
  readonly efforts: readonly ReasoningEffort[] | null;
  /** Whether it takes pictures; null: that is not known. */
  readonly images: boolean | null;
  /** The user has said what it costs. */
  readonly isPricedByUser: boolean;
}

interface Rule {
  readonly match: 'exact' | 'prefix' | 'contains';
  readonly pattern: string;
  readonly facts: ModelFacts;
}

/** Looks models up; the first rule that fits decides. */
export interface Catalogue {
  facts(model: string): ModelFacts;
}

/** Context of a model that no rule knows, when the file names none. */
const UNKNOWN_CONTEXT_TOKENS = 32_768;

function toRule(value: unknown): Rule | null {
  const rule = asObject(value);
  const context = asNumber(rule?.['context_window']);
  const match = rule?.['match'] ?? 'exact';
  const pattern = asText(rule?.['pattern']).toLowerCase();
  if (rule === null || context === null || pattern === '' || (match !== 'exact' && match !== 'prefix' && match !== 'contains')) return null;
  return {
    match,
    pattern,
    facts: {
      contextTokens: context,
      maxOutputTokens: asNumber(rule['max_output_tokens']),
      inputPrice: asNumber(rule['input_price_per_mtok']),
      outputPrice: asNumber(rule['output_price_per_mtok']),
      cacheReadPrice: asNumber(rule['cache_read_price_per_mtok']),
      cacheWritePrice: asNumber(rule['cache_write_price_per_mtok']),
      longPrompt: longPromptOf(asObject(rule['long_prompt'])),
      efforts: typeof rule['efforts'] === 'string' ? effortsIn(rule['efforts']) : null,
      images: typeof rule['images'] === 'boolean' ? rule['images'] : null,
      isPricedByUser: false,
    },
  };
}

function longPromptOf(rule: JsonObject | null): ModelFacts['longPrompt'] {
  const [above, input, output] = ['above', 'input', 'output'].map((name) => asNumber(rule?.[name]));
  if (above == null || input == null || output == null) return null;
  return { above, input, output, cacheRead: asNumber(rule?.['cache_read']), cacheWrite: asNumber(rule?.['cache_write']) };
}

function effortsIn(text: string): readonly ReasoningEffort[] {
  return reasoningEfforts.filter((level) => text.split(' ').includes(level));
}

/** What the user says of a model lies over what we know. */
function overlaid(facts: ModelFacts, rule: CatalogueRule): ModelFacts {
  return {
    contextTokens: rule.context_window ?? facts.contextTokens,
    maxOutputTokens: rule.max_output_tokens ?? facts.maxOutputTokens,
    inputPrice: rule.input_price_per_mtok ?? facts.inputPrice,
    outputPrice: rule.output_price_per_mtok ?? facts.outputPrice,
    cacheReadPrice: rule.cache_read_price_per_mtok ?? facts.cacheReadPrice,
    cacheWritePrice: rule.cache_write_price_per_mtok ?? facts.cacheWritePrice,
    // Who says one price has said it of every length.
    longPrompt: rule.input_price_per_mtok == null && rule.output_price_per_mtok == null ? facts.longPrompt : null,
    efforts: rule.efforts ?? facts.efforts,
    images: rule.images ?? facts.images,
    isPricedByUser: rule.input_price_per_mtok != null && rule.output_price_per_mtok != null,
  };
}

function fits({ match, pattern }: Pick<Rule, 'match' | 'pattern'>, name: string): boolean {
  if (match === 'exact') return name === pattern;
  return match === 'prefix' ? name.startsWith(pattern) : name.includes(pattern);
}

/** A catalogue out of the text of a models.toml. */
export async function parseCatalogue(source: string, own: readonly CatalogueRule[] = []): Promise<Catalogue> {
  const { parse } = await import('smol-toml');
  return catalogueOf(parse(source), own);
}

/** Names are compared in lower case, without what follows a colon, whole and after the last slash. */
function catalogueOf(file: JsonObject, own: readonly CatalogueRule[]): Catalogue {
  const rules = asList(file['rule'])
    .map(toRule)
    .filter((rule) => rule !== null);
  const unknown: ModelFacts = {
    contextTokens: asNumber(file['default_context_window']) ?? UNKNOWN_CONTEXT_TOKENS,
    maxOutputTokens: null,
    inputPrice: null,
    outputPrice: null,
    cacheReadPrice: null,
    cacheWritePrice: null,
    longPrompt: null,
    efforts: null,
    images: null,
    isPricedByUser: false,
  };
  const ownRules = own.map((rule) => ({ rule, match: rule.match ?? 'exact', pattern: (rule.pattern ?? '').toLowerCase() }));
  return {
    facts(model) {
      const name = (model.toLowerCase().split(':')[0] ?? '').trim();
      const short = name.slice(name.lastIndexOf('/') + 1);
      const known = rules.find((rule) => fits(rule, name) || fits(rule, short))?.facts ?? unknown;
      // Their own names may have a colon (qwen3:8b), which ours never have.
      const whole = model.toLowerCase().trim();
      const said = ownRules.find((rule) => [whole, name, short].some((of) => fits(rule, of)));
      return said === undefined ? known : overlaid(known, said.rule);
    },
  };
}

/**
 * The catalogue of this package, with the user's own rules over it. What the build made of it is taken when it was made of this very text:
 * somebody may have changed the text since. Throws the system's error when the file is missing.
 */
export async function loadCatalogue(packageDir: string, own: readonly CatalogueRule[] = []): Promise<Catalogue> {
  const [text, built] = await Promise.all([
    readFile(join(packageDir, 'templates', 'models.toml')),
    readFile(join(packageDir, 'dist', 'bundle', 'models.json'), 'utf8').catch(() => ''),
  ]);
  const compiled = asObject(parseJson(built));
  const file = compiled?.['sha256'] === createHash('sha256').update(text).digest('hex') ? asObject(compiled['catalogue']) : null;
  return file === null ? parseCatalogue(text.toString('utf8'), own) : catalogueOf(file, own);
}
