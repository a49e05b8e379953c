/** What the models have used: by turn, by model and in all, and how fast an answer comes. Counted from events; turns are kept to a number. */

import type { ModelPrices, ModelSummary, RuntimeEvent } from '../protocol/events.js';
import type { Usage as Reported } from '../protocol/messages.js';
import type { DrawChart } from './charts.js';

/** Turns that are kept; older ones only count in the sums. */
const TURNS_KEPT = 200;
/** Seconds of the rate that are kept. */
const RATE_SECONDS = 12;
/** Characters of a token, as long as the server has not counted. */
const CHARACTERS_PER_TOKEN = 4;

/** Tokens and money. */
export interface Spent {
  /** Answers of a model. */
  readonly requests: number;
  /** Answers for which the server gave no figures. */
  readonly uncounted: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Dollars, of the answers whose prices are known. */
  readonly cost: number;
  /** Counted answers whose prices are not known. */
  readonly unpriced: number;
}

/** One prompt with all the requests that it took. */
export interface Turn extends Spent {
  readonly task: string;
  readonly text: string;
  /** The profile that answered last. */
  readonly profile: string;
}

/** A profile in sum. */
export interface ModelSpent extends Spent {
  readonly profile: string;
  readonly model: string;
}

/** Tokens in each of the last seconds that had any; the newest is `second` (of the wall clock). */
interface Rate {
  readonly second: number;
  readonly tokens: readonly number[];
}

/** The page of charts: the first row that is shown. */
interface UsagePage {
  readonly top: number;
}

/** All of it, as a part of the state. */
export interface UsageState {
  readonly turns: readonly Turn[];
  readonly models: readonly ModelSpent[];
  readonly all: Spent;
  readonly rate: Rate;
  /** Null: closed. */
  readonly page: UsagePage | null;
  /** Draws charts, once they are loaded; until then, and without them, there are the numbers. */
  readonly draw: DrawChart | null;
  /** Why there are no charts. */
  readonly trouble: string | null;
}

const nothing: Spent = {
  requests: 0,
  uncounted: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  unpriced: 0,
};

/** Before anything was used. */
export const emptyUsage: UsageState = {
  turns: [],
  models: [],
  all: nothing,
  rate: { second: 0, tokens: [] },
  page: null,
  draw: null,
  trouble: null,
};

/** What is used after `event`, with `model` in use and those of `profiles` at hand. The very same value when nothing is counted. */
export function usageAfter(
  usage: UsageState,
  model: ModelSummary | null,
  profiles: readonly ModelSummary[],
  event: RuntimeEvent,
  tsMs: number,
): UsageState {
  switch (event.type) {
    case 'task.started':
      return event.kind === 'prompt' ? { ...usage, turns: withTurn(usage.turns, event.task, event.text) } : usage;
    case 'model.text':
    case 'model.reasoning':
      return { ...usage, rate: rateAfter(usage.rate, event.text.length / CHARACTERS_PER_TOKEN, Math.floor(tsMs / 1000)) };
    case 'model.answered':
      return model === null ? usage : answered(usage, model, event.task, event.usage);
    case 'context.summarised': {
      const writer = profiles.find(({ profile }) => profile === event.profile) ?? null;
      return writer === null ? usage : answered(usage, writer, event.task, event.usage);
    }
    default:
      return usage;
  }
}

function withTurn(turns: readonly Turn[], task: string, text: string): readonly Turn[] {
  return [...turns.slice(1 - TURNS_KEPT), { ...nothing, task, text: text.slice(0, 200), profile: '' }];
}

function answered(usage: UsageState, model: ModelSummary, task: string, reported: Reported | null): UsageState {
  const { profile } = model;
  const more = spentFor(reported, model.prices ?? null);
  const known = usage.models.some((entry) => entry.profile === profile && entry.model === model.model);
  const models = known ? usage.models : [...usage.models, { ...nothing, profile, model: model.model }];
  return {
    ...usage,
    all: sum(usage.all, more),
    models: models.map((entry) => (entry.profile === profile && entry.model === model.model ? { ...entry, ...sum(entry, more) } : entry)),
    turns: usage.turns.map((turn) => (turn.task === task ? { ...turn, ...sum(turn, more), profile } : turn)),
  };
}

function spentFor(reported: Reported | null, prices: ModelPrices | null): Spent {
  if (reported === null) return { ...nothing, requests: 1, uncounted: 1 };
  const { inputTokens, outputTokens } = reported;
  const cachedTokens = Math.min(inputTokens, reported.cachedTokens ?? 0);
  const counted = { ...nothing, requests: 1, inputTokens, cachedTokens, outputTokens, reasoningTokens: reported.reasoningTokens ?? 0 };
  if (prices === null) return { ...counted, unpriced: 1 };
  const perMillion =
    (inputTokens - cachedTokens) * prices.input + cachedTokens * (prices.cacheRead ?? prices.input) + outputTokens * prices.output;
  return { ...counted, cost: perMillion / 1_000_000 };
}

function sum(a: Spent, b: Spent): Spent {
  return {
    requests: a.requests + b.requests,
    uncounted: a.uncounted + b.uncounted,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cost: a.cost + b.cost,
    unpriced: a.unpriced + b.unpriced,
  };
}

function rateAfter(rate: Rate, tokens: number, second: number): Rate {
  const gap = Math.min(RATE_SECONDS, Math.max(0, second - rate.second));
  const moved = [...rate.tokens, ...Array.from({ length: gap }, () => 0)].slice(-RATE_SECONDS);
  const last = moved.length - 1;
  if (last < 0) return { second, tokens: [tokens] };
  return { second: Math.max(second, rate.second), tokens: moved.map((count, i) => (i === last ? count + tokens : count)) };
}

/** Tokens in each of the last whole seconds, oldest first; none when the last of them lies too far back. */
export function rateNow({ rate }: UsageState, nowMs: number): readonly number[] {
  const now = Math.floor(nowMs / 1000);
  const ended = Math.max(0, now - 1 - rate.second);
  if (rate.tokens.length === 0 || ended >= RATE_SECONDS) return [];
  // The second that goes on is no whole one yet.
  const whole = now <= rate.second ? rate.tokens.slice(0, -1) : rate.tokens;
  return [...whole, ...Array.from({ length: ended }, () => 0)].slice(-RATE_SECONDS).map(Math.round);
}

/** `950`, `12.3k`, `4.1M`. */
export function tokenCount(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 999_950) return `${(tokens / 1000).toFixed(tokens < 99_950 ? 1 : 0)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** `$0.12`, `$0.0042`; with a `+` when some of it has no known price; null when no price is known. */
export function costText({ cost, unpriced, requests, uncounted }: Spent): string | null {
  if (requests - uncounted === unpriced) return null;
  return `$${cost > 0 && cost < 0.01 ? cost.toFixed(4) : cost.toFixed(2)}${unpriced > 0 ? '+' : ''}`;
}

/** The page is open, and nothing more pressing lies over it. */
export function isUsageShown(state: { readonly usage: UsageState; readonly approvals: readonly unknown[] }): boolean {
  return state.usage.page !== null && state.approvals.length === 0;
}
