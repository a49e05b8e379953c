/** `[[models_catalog]]` of buddy.toml: what the user knows of models, over what the catalogue knows. */

import { type ProfileRow, type ReasoningEffort, reasoningEfforts } from './profiles.js';
import { flag, integer, oneOf, optionalNumber, type SettingKind, text } from './setting-kinds.js';

const MOST_DOLLARS = 1_000_000;
const dollars = optionalNumber(0, MOST_DOLLARS);

/** Levels of effort, as a list. */
const efforts: SettingKind<readonly ReasoningEffort[]> = {
  expected: `a list of levels out of ${reasoningEfforts.map((level) => `"${level}"`).join(', ')}`,
  fromToml: (raw) => (Array.isArray(raw) && raw.every((level) => reasoningEfforts.includes(level)) ? raw : undefined),
  fromText: () => undefined,
};

/** The keys of one rule. */
export const catalogueRows = {
  pattern: { kind: text, doc: 'Name of the model, in lower case, with or without what stands before its slash.' },
  match: {
    kind: oneOf('exact', 'prefix', 'contains'),
    doc: 'Whether the name is the pattern, begins with it or contains it; "exact" when left out. The first rule that fits counts.',
  },
  context_window: { kind: integer(1), doc: 'Context window in tokens.' },
  max_output_tokens: { kind: integer(1), doc: 'Longest answer in tokens.' },
  input_price_per_mtok: { kind: dollars, doc: 'Dollars for a million tokens that are sent.' },
  output_price_per_mtok: { kind: dollars, doc: 'Dollars for a million tokens of answers.' },
  cache_read_price_per_mtok: { kind: dollars, doc: 'Dollars for a million tokens that the server had kept.' },
  cache_write_price_per_mtok: {
    kind: dollars,
    doc: 'Dollars for a million tokens that the server puts into its cache, where that is billed.',
  },
  efforts: { kind: efforts, doc: 'How much the model can be told to think; [] when it does not.' },
  images: { kind: flag, doc: 'Whether the model takes pictures.' },
} as const;

/** One rule, each value checked against its row. */
export type CatalogueRule = {
  readonly [K in keyof typeof catalogueRows]?: (typeof catalogueRows)[K] extends ProfileRow<infer T> ? T : never;
};
