/** How the context window filled, request by request, as a table with bars. Pure. */

import { visibleLine } from '../base/visible.js';
import type { RuntimeEvent } from '../protocol/events.js';
import type { ReadLine } from '../runtime/trace-lines.js';
import { tokenCount } from '../view/spent.js';
import { tableLines } from './text-table.js';
import { TurnCounter } from './trace-turns.js';

const BAR_CELLS = 20;

/** One request, or a compaction between two. */
export type ContextStep =
  | {
      readonly kind: 'request';
      /** Of the prompt it was made for; null: for none. */
      readonly turn: number | null;
      readonly profile: string;
      readonly messages: number | null;
      readonly estimatedTokens: number;
      /** What the server counted; null: it did not say. */
      readonly countedTokens: number | null;
      /** Of the model, as far as it is known. */
      readonly windowTokens: number | null;
    }
  | { readonly kind: 'compaction'; readonly tokensBefore: number; readonly tokensAfter: number; readonly trimmed: boolean };

/** Gathers the steps of a trace. */
export class ContextCounter {
  readonly steps: ContextStep[] = [];
  readonly #turns = new TurnCounter();
  /** The request that has no answer yet. */
  #open: number | null = null;

  /** Takes one more line; to be called for each, in order. */
  take(line: ReadLine): void {
    this.#turns.take(line);
    if (line.kind !== 'event') return;
    const event = line.event as RuntimeEvent;
    if (event.type === 'model.requested') {
      const { model } = this.#turns;
      this.#open = this.steps.length;
      this.steps.push({
        kind: 'request',
        turn: this.#turns.turnOf(event.task)?.number ?? null,
        profile: model?.profile ?? '',
        messages: event.messages ?? null,
        estimatedTokens: event.estimatedTokens,
        countedTokens: null,
        windowTokens: model?.contextTokens ?? null,
      });
    }
    if (event.type === 'model.answered' && this.#open !== null) {
      const step = this.steps[this.#open];
      if (step?.kind === 'request') this.steps[this.#open] = { ...step, countedTokens: event.usage?.inputTokens ?? null };
      this.#open = null;
    }
    if (event.type === 'context.compacted') {
      const { tokensBefore, tokensAfter, trimmed } = event;
      this.steps.push({ kind: 'compaction', tokensBefore, tokensAfter, trimmed: trimmed === true });
    }
  }
}

/** A line for each step. The bar is of the model's window; where that is not known, of the largest request. */
export function contextLines(steps: readonly ContextStep[]): readonly string[] {
  const requests = steps.filter((step) => step.kind === 'request');
  if (requests.length === 0) return ['No model was asked.'];
  const most = Math.max(1, ...requests.map(tokensOf));
  let count = 0;
  const rows = steps.map((step) => {
    if (step.kind === 'compaction') {
      const what = step.trimmed ? 'old results left out' : 'summarised';
      return ['', '', '', '', '', `${what}: ${tokenCount(step.tokensBefore)} → ${tokenCount(step.tokensAfter)}`];
    }
    count += 1;
    const { turn, messages, estimatedTokens, countedTokens, windowTokens } = step;
    const share = tokensOf(step) / (windowTokens !== null && windowTokens > 0 ? windowTokens : most);
    const cells = Math.min(BAR_CELLS, Math.max(1, Math.round(share * BAR_CELLS)));
    const bar = '█'.repeat(cells) + '░'.repeat(BAR_CELLS - cells);
    const percent = windowTokens !== null && windowTokens > 0 ? ` ${Math.round(share * 100)} % of ${tokenCount(windowTokens)}` : '';
    return [
      String(count),
      turn === null ? '' : String(turn),
      messages === null ? '' : String(messages),
      `~${tokenCount(estimatedTokens)}`,
      countedTokens === null ? '' : tokenCount(countedTokens),
      `${bar}${percent}`,
    ];
  });
  const number = { right: true } as const;
  const profiles = [...new Set(requests.map(({ profile }) => visibleLine(profile)))].filter((name) => name !== '');
  return [
    ...(profiles.length === 0 ? [] : [`models: ${profiles.join(', ')}`, '']),
    ...tableLines(
      [
        { head: 'request', ...number },
        { head: 'turn', ...number },
        { head: 'messages', ...number },
        { head: 'estimated', ...number },
        { head: 'counted', ...number },
        { head: 'of the window' },
      ],
      rows,
    ),
  ];
}

function tokensOf({ estimatedTokens, countedTokens }: Extract<ContextStep, { kind: 'request' }>): number {
  return countedTokens ?? estimatedTokens;
}
