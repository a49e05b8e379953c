/** What a run of exec took, counted from its events. */

import type { ModelSummary, RuntimeEventEnvelope } from '../protocol/events.js';
import type { ExecUsageEvent } from '../protocol/wire.js';
import { costText, tokensText } from '../view/spent.js';
import { emptyUsage, type UsageState, usageAfter } from '../view/usage.js';

/** Listens to one run. */
export class ExecUsage {
  #usage: UsageState = emptyUsage;
  #model: ModelSummary | null = null;
  #profiles: readonly ModelSummary[] = [];
  #seq = 0;

  /** To be told every event, in order. */
  hear({ event, seq, tsMs }: RuntimeEventEnvelope): void {
    if (event.type === 'lifecycle.started') this.#profiles = event.profiles;
    if (event.type === 'lifecycle.started' || event.type === 'model.switched') this.#model = event.model;
    this.#usage = usageAfter(this.#usage, this.#model, this.#profiles, event, tsMs);
    this.#seq = seq;
  }

  /** The line that ends `exec --json`: figures that no server gave are null, `estimated` says of how many answers they were guessed. */
  asEnvelope(tsMs: number): { readonly seq: number; readonly tsMs: number; readonly event: ExecUsageEvent } {
    const { cost, ...all } = this.#usage.all;
    const isPriced = all.requests > all.unpriced;
    return {
      seq: this.#seq + 1,
      tsMs,
      event: { type: 'exec.usage', model: this.#model?.model ?? null, ...all, cost: isPriced ? cost : null },
    };
  }

  /** One line for people. */
  inWords(): string {
    const { all } = this.#usage;
    if (all.requests === 0) return 'no model answered';
    const answers = `${all.requests} ${all.requests === 1 ? 'answer' : 'answers'}`;
    const guessed = all.estimated > 0 ? '; ~ is an estimate, the server gave no figures' : '';
    return `${answers}: ${tokensText(all)} · ${costText(all) ?? 'cost not known'}${guessed}`;
  }
}
