/** One question to the model, asked again when the line fails before anything was said. */

import { type Clock, delay } from '../base/clock.js';
import { BuddyError, isAbort } from '../base/errors.js';
import type { Limits } from '../config/limits.js';
import type { ModelDelta, ModelProvider, ModelRequest } from '../models/provider.js';
import type { RuntimeEvent } from '../protocol/events.js';
import { partialAnswer } from './history.js';

/** First wait; it doubles each time up to the longest (milliseconds, seed: 250 ms, 8 s). */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** A server's own Retry-After is obeyed, but never shorter than this, nor longer than the limit says (milliseconds). */
const LEAST_SERVER_WAIT_MS = 1_000;

/** What an answer amounted to. */
export type Answer = Extract<ModelDelta, { type: 'done' }>;

/** An answer that broke off; what there was of it is in `partial`. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer';
  readonly partial: ReturnType<typeof partialAnswer>;

  constructor(partial: ReturnType<typeof partialAnswer>, cause: unknown) {
    super('the answer broke off', { cause });
    this.partial = partial;
  }
}

export interface ModelCallContext {
  readonly task: string;
  readonly clock: Clock;
  readonly provider: ModelProvider;
  /** Of tries and waits. */
  readonly limits: Limits;
  emit(event: RuntimeEvent): void;
}

/** Resolves with the whole answer. Rejects with BrokenAnswer when text had come already, else with the provider's own error. */
export async function callModel(request: ModelRequest, context: ModelCallContext, signal: AbortSignal): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const attempts = context.limits.value('retries') + 1;
    try {
      return await streamOnce(request, context, signal);
    } catch (thrown) {
      const error = thrown instanceof BrokenAnswer ? thrown.cause : thrown;
      const nothingSaid = !(thrown instanceof BrokenAnswer);
      if (signal.aborted || isAbort(error) || !nothingSaid) throw thrown;
      if (!(error instanceof BuddyError) || !error.retryable || attempt >= attempts) throw thrown;
      const waitMs = waitBefore(attempt, error.retryAfterMs, context.limits.value('wait') * 1000);
      context.emit({
        type: 'model.retrying',
        task: context.task,
        attempt,
        attempts,
        atMs: context.clock.now() + waitMs,
        reason: error.message,
      });
      await delay(context.clock, waitMs, signal);
    }
  }
}

/** Milliseconds to wait after the attempt-th failure; a server may ask for `mostMs` at most. */
export function waitBefore(attempt: number, retryAfterMs: number | undefined, mostMs: number): number {
  if (retryAfterMs !== undefined) return Math.min(mostMs, Math.max(LEAST_SERVER_WAIT_MS, retryAfterMs));
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
}

async function streamOnce(request: ModelRequest, context: ModelCallContext, signal: AbortSignal): Promise<Answer> {
  let text = '';
  let reasoning = '';
  try {
    for await (const delta of context.provider.stream(request, signal)) {
      if (delta.type === 'done') return delta;
      if (delta.type === 'text') text += delta.text;
      else reasoning += delta.text;
      context.emit({ type: delta.type === 'text' ? 'model.text' : 'model.reasoning', task: context.task, text: delta.text });
    }
  } catch (thrown) {
    if (text === '' && reasoning === '') throw thrown;
    throw new BrokenAnswer(partialAnswer(text, reasoning), thrown);
  }
  const error = new BuddyError('model.stream', 'the model ended its answer without saying that it was complete');
  if (text === '' && reasoning === '') throw error;
  throw new BrokenAnswer(partialAnswer(text, reasoning), error);
}
