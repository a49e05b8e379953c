/** How the room in a model's window is shared out when a conversation is compacted. */

import type { Message } from '../protocol/messages.js';
import { type ContextWindow, fixedCharacters } from './context-window.js';
import { estimateTokens } from './history.js';

/** Parts of the room beside instructions and tools: the newest messages, the person's older words, the summary. */
const PARTS = { tail: 0.3, said: 0.1, summary: 0.2 } as const;
/** A window of any size is given no more of the older part than this (characters). */
const MOST = { said: 6000, summary: 24_000 } as const;
/** A summary of less says nothing (characters). */
const LEAST_SUMMARY = 600;
/** Without a summary: what may be in the window afterwards, so that the next few requests fit as well. */
const TRIM_TO = 0.75;
/** On a person's word: the part of the conversation that is kept as it is, and what may be left without a summary. */
const ASKED = { tail: 0.25, left: 0.5 } as const;

/** Tokens are estimated ones, uncorrected. */
export interface CompactionBudget {
  /** The newest messages, kept as they are. */
  readonly tailTokens: number;
  readonly saidCharacters: number;
  readonly summaryCharacters: number;
  /** All messages, when there is no summary. */
  readonly trimToTokens: number;
}

/** For a request that would not fit. `keepTokens`: the most that the newest messages are to have, corrected. */
export function budgetFor(window: ContextWindow, extra: readonly Message[], keepTokens: number): CompactionBudget {
  const { meter, windowTokens } = window;
  const limit = meter.uncorrected(meter.limit(windowTokens));
  const taken = Math.ceil(fixedCharacters(window) / 4) + estimateTokens(extra, 0);
  const room = Math.max(0, limit - taken);
  return {
    tailTokens: Math.min(meter.uncorrected(keepTokens), Math.floor(room * PARTS.tail)),
    saidCharacters: Math.min(MOST.said, Math.floor(room * PARTS.said * 4)),
    summaryCharacters: Math.max(LEAST_SUMMARY, Math.min(MOST.summary, Math.floor(room * PARTS.summary * 4))),
    trimToTokens: Math.max(0, Math.floor(limit * TRIM_TO) - taken),
  };
}

/** When a person asks for it, however much room there still is. */
export function budgetAsked(window: ContextWindow, keepTokens: number): CompactionBudget {
  const budget = budgetFor(window, [], keepTokens);
  const tokens = estimateTokens(window.messages, 0);
  return {
    ...budget,
    tailTokens: Math.min(budget.tailTokens, Math.floor(tokens * ASKED.tail)),
    trimToTokens: Math.min(budget.trimToTokens, Math.floor(tokens * ASKED.left)),
  };
}
