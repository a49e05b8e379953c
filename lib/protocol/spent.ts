/** Tokens and money of one answer or of many: counted by the server where it does, else estimated, and then marked as such. */

import type { AssistantMessage, Usage } from './messages.js';

/** Characters of a token, as long as the server has not counted. */
export const CHARACTERS_PER_TOKEN = 4;

/** Dollars per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Of input that the server had kept; null: as any other input. */
  readonly cacheRead: number | null;
  /** Of input that the server put into its cache; null: as any other input. */
  readonly cacheWrite: number | null;
}

/** Dollars per million tokens, and from which length of a prompt on they are others. */
export interface ModelPrices extends TokenPrices {
  readonly longPrompt?: TokenPrices & { readonly above: number };
}

/** Tokens and money. */
export interface Spent {
  /** Answers of a model. */
  readonly requests: number;
  /** Answers whose tokens are an estimate, because the server gave no figures. */
  readonly estimated: number;
  readonly inputTokens: number;
  /** Part of the input that the server had kept; null: no server has said. */
  readonly cachedTokens: number | null;
  /** Part of the input that the server put into its cache; null: no server has said. */
  readonly cacheWriteTokens: number | null;
  readonly outputTokens: number;
  /** Part of the output that was thought; null: no server has said. */
  readonly reasoningTokens: number | null;
  /** Dollars, of the answers whose prices are known. */
  readonly cost: number;
  /** Answers whose prices are not known. */
  readonly unpriced: number;
}

/** Of no answer. */
export const nothingSpent: Spent = {
  requests: 0,
  estimated: 0,
  inputTokens: 0,
  cachedTokens: null,
  cacheWriteTokens: null,
  outputTokens: 0,
  reasoningTokens: null,
  cost: 0,
  unpriced: 0,
};

/** One answer. */
export interface Answered {
  /** Of all that the model said. */
  readonly characters: number;
  readonly usage: Usage | null;
  /** What the request was thought to come to (tokens). */
  readonly estimatedInput: number;
  /** Null: not known. */
  readonly prices: ModelPrices | null;
}

/** What an answer took. A figure of 0 that cannot be is no figure. */
export function spentOn({ characters: said, usage, estimatedInput, prices }: Answered): Spent {
  const isCounted = usage !== null && usage.inputTokens > 0 && (usage.outputTokens > 0 || said === 0);
  const inputTokens = positive(usage?.inputTokens) ?? Math.ceil(estimatedInput);
  const outputTokens = positive(usage?.outputTokens) ?? Math.ceil(said / CHARACTERS_PER_TOKEN);
  const cachedTokens = within(usage?.cachedTokens, inputTokens);
  const cacheWriteTokens = within(usage?.cacheWriteTokens, inputTokens - (cachedTokens ?? 0));
  const counts = {
    requests: 1,
    estimated: isCounted ? 0 : 1,
    inputTokens,
    cachedTokens,
    cacheWriteTokens,
    outputTokens,
    reasoningTokens: within(usage?.reasoningTokens, outputTokens),
  };
  return { ...counts, cost: prices === null ? 0 : costOf(counts, prices), unpriced: prices === null ? 1 : 0 };
}

/** What a model said, its calls with it. */
export function charactersOf({ text, reasoning, calls }: AssistantMessage): number {
  return text.length + reasoning.length + calls.reduce((sum, { name, argsText }) => sum + name.length + argsText.length, 0);
}

function positive(count: number | undefined): number | null {
  return count !== undefined && count > 0 ? count : null;
}

function within(part: number | null | undefined, whole: number): number | null {
  return part === null || part === undefined ? null : Math.min(part, whole);
}

function costOf(counts: Omit<Spent, 'cost' | 'unpriced'>, prices: ModelPrices): number {
  const { longPrompt } = prices;
  const { input, output, cacheRead, cacheWrite } = longPrompt !== undefined && counts.inputTokens > longPrompt.above ? longPrompt : prices;
  const cached = counts.cachedTokens ?? 0;
  const written = counts.cacheWriteTokens ?? 0;
  const fresh = (counts.inputTokens - cached - written) * input;
  return (fresh + cached * (cacheRead ?? input) + written * (cacheWrite ?? input) + counts.outputTokens * output) / 1_000_000;
}

/** Both together. */
export function sumOf(a: Spent, b: Spent): Spent {
  return {
    requests: a.requests + b.requests,
    estimated: a.estimated + b.estimated,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: known(a.cachedTokens, b.cachedTokens),
    cacheWriteTokens: known(a.cacheWriteTokens, b.cacheWriteTokens),
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: known(a.reasoningTokens, b.reasoningTokens),
    cost: a.cost + b.cost,
    unpriced: a.unpriced + b.unpriced,
  };
}

function known(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}
