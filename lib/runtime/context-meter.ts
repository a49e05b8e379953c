/** How full the model's window is: an estimate, corrected by what the server reported. */

/** Warn when this part of the window is used. */
const WARN_AT = 0.8;
/** Trim old results when the next request would be larger than this part. */
export const TRIM_AT = 0.95;
/** And then down to this part. */
export const TRIM_TO = 0.82;

/** One per conversation. */
export class ContextMeter {
  /** Real tokens per estimated token, within the clamp of the seeds (0.5 to 2.5). */
  #ratio = 1;
  #samples = 0;
  #warned = false;

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

  /** True once for each time the window fills beyond the warning mark. */
  crossesWarning(usedTokens: number, windowTokens: number): boolean {
    const above = usedTokens > windowTokens * WARN_AT;
    const crossed = above && !this.#warned;
    this.#warned = above;
    return crossed;
  }
}
