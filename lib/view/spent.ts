/** Tokens and money in words: what is an estimate is marked as such. */

import type { Spent } from '../protocol/spent.js';

/** `950`, `12.3k`, `4.1M`. */
export function tokenCount(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 999_950) return `${(tokens / 1000).toFixed(tokens < 99_950 ? 1 : 0)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** The mark of what holds an estimate. */
function mark({ estimated }: Spent): string {
  return estimated > 0 ? '~' : '';
}

/** What went in: `70.0k`, with a `~` when some of it is an estimate. */
export function inputText(spent: Spent): string {
  return mark(spent) + tokenCount(spent.inputTokens);
}

/** What came out, the same way. */
export function outputText(spent: Spent): string {
  return mark(spent) + tokenCount(spent.outputTokens);
}

/** `70.0k in (35.0k cached, 1.2k written) · 4.2k out (3.0k thinking)`; only what a server has said stands in brackets. */
export function tokensText(spent: Spent): string {
  const part = (tokens: number | null, name: string) => ((tokens ?? 0) > 0 ? [`${tokenCount(tokens ?? 0)} ${name}`] : []);
  const brackets = (parts: readonly string[]) => (parts.length === 0 ? '' : ` (${parts.join(', ')})`);
  const input = [...part(spent.cachedTokens, 'cached'), ...part(spent.cacheWriteTokens, 'written')];
  return `${inputText(spent)} in${brackets(input)} · ${outputText(spent)} out${brackets(part(spent.reasoningTokens, 'thinking'))}`;
}

/**
 * `$0.12`, `$0.0042`; with a `~` when some of it is an estimate, with a `+` when some of it has no known price; null when no price is
 * known.
 */
export function costText(spent: Spent): string | null {
  const { cost, unpriced, requests } = spent;
  if (requests === unpriced) return null;
  return `${mark(spent)}$${cost > 0 && cost < 0.01 ? cost.toFixed(4) : cost.toFixed(2)}${unpriced > 0 ? '+' : ''}`;
}
