/** How a model of the messages protocol is asked to think: by a budget of tokens, or, since 4.6, by an effort. */

import type { ModelProfile, ReasoningEffort } from '../config/profiles.js';
import type { JsonObject } from './json.js';

/** What goes into the request, and whether temperature and top_p may stand beside it. */
export interface Thinking {
  readonly body: JsonObject;
  readonly takesSampling: boolean;
}

const BUDGETS: Readonly<Record<Exclude<ReasoningEffort, 'none'>, number>> = {
  minimal: 1024,
  low: 4096,
  medium: 10_240,
  high: 24_576,
  xhigh: 32_768,
};
/** The least that is accepted. */
const LEAST_BUDGET = 1024;

/** The version of a Claude model as a number that can be compared (4.6 is 4006), 0 for other models. */
function claudeVersion(model: string): number {
  const name = model.toLowerCase();
  if (!name.includes('claude')) return 0;
  // Dates (20250929) are no versions.
  const found = /(?:^|[^\d])(\d)(?:[-.](\d{1,2}))?(?!\d)/.exec(name.slice(name.indexOf('claude')));
  return found === null ? 0 : Number(found[1]) * 1000 + Number(found[2] ?? 0);
}

/** Claude thinks since then; other models of this protocol are taken at their owner's word. */
const THINKS_SINCE = 3007;
const EFFORT_SINCE = 4006;
/** These take no temperature, and show their thoughts only when asked. */
const STRICT_SINCE = 4007;

/** What to ask of `profile`, whose answer may have `maxTokens` in all; `mayHaveBudget`: the history allows one. */
export function thinkingOf({ model, reasoningEffort }: ModelProfile, maxTokens: number, mayHaveBudget: boolean): Thinking {
  const version = claudeVersion(model);
  const takesSampling = version < STRICT_SINCE;
  const thinks = version === 0 || version >= THINKS_SINCE;
  if (!thinks || reasoningEffort === null || reasoningEffort === 'none') return { body: {}, takesSampling };
  if (version >= EFFORT_SINCE) {
    const strict = version >= STRICT_SINCE;
    const effort = reasoningEffort === 'minimal' ? 'low' : reasoningEffort === 'xhigh' && !strict ? 'high' : reasoningEffort;
    const thinking = { type: 'adaptive', ...(strict ? { display: 'summarized' } : {}) };
    return { body: { thinking, output_config: { effort } }, takesSampling: false };
  }
  // The budget is part of the answer, and some must be left for the words.
  const budget = Math.min(BUDGETS[reasoningEffort], Math.floor(maxTokens / 2));
  if (budget < LEAST_BUDGET || !mayHaveBudget) return { body: {}, takesSampling };
  return { body: { thinking: { type: 'enabled', budget_tokens: budget } }, takesSampling: false };
}
