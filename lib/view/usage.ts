/** What the models have used: by turn, by model and in all, and how fast an answer comes. Counted from events; turns are kept to a number. */

import type { TaskId } from '../protocol/commands.js';
import type { ModelSummary, RuntimeEvent } from '../protocol/events.js';
import { CHARACTERS_PER_TOKEN, charactersOf, nothingSpent, type Spent, spentOn, sumOf } from '../protocol/spent.js';
import type { DrawChart } from './charts.js';

/** Turns that are kept; older ones only count in the sums. */
const TURNS_KEPT = 200;
/** Seconds of the rate that are kept. */
const RATE_SECONDS = 12;
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
  /** Of this run. */
  readonly all: Spent;
  /** Of the session that goes on. */
  readonly session: Spent;
  /** The request that was sent last, as large as it was thought to be; null before any. */
  readonly asked: { readonly task: string; readonly tokens: number } | null;
  readonly rate: Rate;
  /** Null: closed. */
  readonly page: UsagePage | null;
  /** Draws charts, once they are loaded; until then, and without them, there are the numbers. */
  readonly draw: DrawChart | null;
  /** Why there are no charts. */
  readonly trouble: string | null;
}

/** Before anything was used. */
export const emptyUsage: UsageState = {
  turns: [],
  models: [],
  all: nothingSpent,
  session: nothingSpent,
  asked: null,
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
    case 'model.requested':
      return { ...usage, asked: { task: event.task, tokens: event.estimatedTokens } };
    case 'model.answered':
      return model === null ? usage : added(usage, model, event.task, spentIn(event, usage, model));
    case 'session.started':
      return { ...usage, session: nothingSpent };
    case 'session.resumed':
      return { ...usage, session: event.spent ?? nothingSpent };
    case 'context.summarised': {
      const writer = profiles.find(({ profile }) => profile === event.profile) ?? null;
      return writer === null ? usage : added(usage, writer, event.task, spentOnSummary(event, writer));
    }
    default:
      return usage;
  }
}

function withTurn(turns: readonly Turn[], task: string, text: string): readonly Turn[] {
  return [...turns.slice(1 - TURNS_KEPT), { ...nothingSpent, task, text: text.slice(0, 200), profile: '' }];
}

type ModelAnswered = Extract<RuntimeEvent, { type: 'model.answered' }>;

/** What that answer took, by the figures of the server or, where it has none, by what was sent and said. */
export function spentIn({ message, usage: reported, task }: ModelAnswered, usage: UsageState, model: ModelSummary | null): Spent {
  const estimatedInput = usage.asked?.task === task ? usage.asked.tokens : 0;
  return spentOn({ characters: charactersOf(message), usage: reported, estimatedInput, prices: model?.prices ?? null });
}

type Summarised = Extract<RuntimeEvent, { type: 'context.summarised' }>;

function spentOnSummary({ characters, usage, estimatedTokens: estimatedInput }: Summarised, { prices }: ModelSummary): Spent {
  return spentOn({ characters, usage, estimatedInput, prices: prices ?? null });
}

function added(usage: UsageState, model: ModelSummary, task: TaskId, more: Spent): UsageState {
  const { profile } = model;
  const known = usage.models.some((entry) => entry.profile === profile && entry.model === model.model);
  const models = known ? usage.models : [...usage.models, { ...nothingSpent, profile, model: model.model }];
  return {
    ...usage,
    all: sumOf(usage.all, more),
    session: sumOf(usage.session, more),
    models: models.map((entry) => (entry.profile === profile && entry.model === model.model ? { ...entry, ...sumOf(entry, more) } : entry)),
    turns: usage.turns.map((turn) => (turn.task === task ? { ...turn, ...sumOf(turn, more), profile } : turn)),
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

/** The page is open, and nothing more pressing lies over it. */
export function isUsageShown(state: { readonly usage: UsageState; readonly approvals: readonly unknown[] }): boolean {
  return state.usage.page !== null && state.approvals.length === 0;
}
