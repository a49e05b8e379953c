/** How full the model's window is: an estimate, corrected by what the server reported. */

/** Warn when this part of the window is used. */
const WARN_AT = 0.8;
/** A request that the server found too long was so large; the next one is to be this part of it, or as large as one that it took. */
const AFTER_REFUSAL = 0.8;

/** After so many summaries in a row that did not help none is tried by itself. */
const VAIN_SUMMARIES = 2;

/** One per conversation and model. */
export class ContextMeter {
  /** Real tokens per estimated token, within the clamp of the seeds (0.5 to 2.5). */
  #ratio = 1;
  #samples = 0;
  #warned = false;
  #vainSummaries = 0;
  /** Tokens that the server takes, as far as its refusals tell. */
  #limit = Number.POSITIVE_INFINITY;
  /** Tokens of the largest request that it took. */
  #taken = 0;

  /** True when a server has counted. */
  get isMeasured(): boolean {
    return this.#samples > 0;
  }

  /** Estimated tokens, corrected. */
  corrected(estimate: number): number {
    return Math.ceil(estimate * this.#ratio);
  }

  /** The estimate that would come out as `tokens` after correction. */
  uncorrected(tokens: number): number {
    return Math.floor(tokens / this.#ratio);
  }

  /** Learns from what a server counted for a request whose estimate was known (seed: alpha 0.35 for the first four, then 0.15). */
  learn(estimate: number, reported: number): void {
    if (estimate <= 0 || reported <= 0) return;
    const measured = Math.min(2.5, Math.max(0.5, reported / estimate));
    const alpha = this.#samples < 4 ? 0.35 : 0.15;
    this.#samples++;
    this.#ratio += alpha * (measured - this.#ratio);
  }

  /** Tokens that a request may have: the window, or less when the server has refused less. */
  limit(windowTokens: number): number {
    return Math.min(windowTokens, this.#limit);
  }

  /** The server found a request too long whose estimate was known. What it took before still holds, unless this was smaller. */
  refused(estimate: number): void {
    const tokens = this.corrected(estimate);
    if (this.#taken >= tokens) this.#taken = 0;
    this.#limit = Math.min(this.#limit, Math.max(this.#taken, Math.floor(tokens * AFTER_REFUSAL)));
  }

  /** The server took a request whose estimate was known. */
  accepted(estimate: number): void {
    this.#taken = Math.max(this.#taken, this.corrected(estimate));
    this.#limit = Math.max(this.#limit, this.#taken);
  }

  /** A summary made enough room: from here on it is worth trying. */
  summaryHelped(): void {
    this.#vainSummaries = 0;
  }

  /** A summary failed, or did not make enough room. */
  summaryFailed(): void {
    this.#vainSummaries++;
  }

  /** So many in a row did not help that none is tried any more. */
  get isSummaryGivenUp(): boolean {
    return this.#vainSummaries >= VAIN_SUMMARIES;
  }

  /** True once for each time the window fills beyond the warning mark. */
  crossesWarning(usedTokens: number, windowTokens: number): boolean {
    const above = usedTokens > windowTokens * WARN_AT;
    const crossed = above && !this.#warned;
    this.#warned = above;
    return crossed;
  }
}
