/** One question to the model, asked again when the line fails before anything was said. */

import { type Clock, delay } from '../base/clock.js';
import { BuddyError, isAbort } from '../base/errors.js';
import type { ModelDelta, ModelProvider, ModelRequest } from '../models/provider.js';
import type { RuntimeEvent } from '../protocol/events.js';
import { partialAnswer } from './history.js';

/** Tries in all. */
const ATTEMPTS = 4;
/** First wait; it doubles each time up to the longest (milliseconds, seed: 250 ms, 8 s). */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** A server's own Retry-After is obeyed within these bounds (milliseconds, seed: 1 to 300 s). */
const SERVER_WAIT_MS = { least: 1_000, most: 300_000 } as const;

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
  emit(event: RuntimeEvent): void;
}

/** Resolves with the whole answer. Rejects with BrokenAnswer when text had come already, else with the provider's own error. */
export async function callModel(request: ModelRequest, context: ModelCallContext, signal: AbortSignal): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await streamOnce(request, context, signal);
    } catch (thrown) {
      const error = thrown instanceof BrokenAnswer ? thrown.cause : thrown;
      const nothingSaid = !(thrown instanceof BrokenAnswer);
      if (signal.aborted || isAbort(error) || !nothingSaid) throw thrown;
      if (!(error instanceof BuddyError) || !error.retryable || attempt >= ATTEMPTS) throw thrown;
      const waitMs = waitBefore(attempt, error.retryAfterMs);
      context.emit({
        type: 'model.retrying',
        task: context.task,
        attempt,
        attempts: ATTEMPTS,
        atMs: context.clock.now() + waitMs,
        reason: error.message,
      });
      await delay(context.clock, waitMs, signal);
    }
  }
}

/** Milliseconds to wait after the attempt-th failure. */
export function waitBefore(attempt: number, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return Math.min(SERVER_WAIT_MS.most, Math.max(SERVER_WAIT_MS.least, retryAfterMs));
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
