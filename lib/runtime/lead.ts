/** Who has the conversation to itself: a prompt, or a compaction on the person's word. One at a time. */

import { asBuddyError } from '../base/errors.js';
import type { TaskId } from '../protocol/commands.js';
import type { RuntimeEvent, TaskOutcome } from '../protocol/events.js';

type LeadKind = 'prompt' | 'compaction';

/** What one does. It rejects when it failed or the signal fired. */
export type LeadWork = (task: TaskId, signal: AbortSignal) => Promise<void>;

interface Running {
  readonly task: TaskId;
  readonly kind: LeadKind;
  readonly abort: AbortController;
  ended: Promise<void>;
  timedOut: boolean;
}

export interface LeadOptions {
  newTask(): TaskId;
  emit(event: RuntimeEvent): void;
  /** Told when nothing has the conversation any more; `interrupted`: what waits behind it is not to be started by itself. */
  onEnd(interrupted: boolean): void;
}

/** Owns the one that runs. */
export class Lead {
  readonly #options: LeadOptions;
  #running: Running | null = null;

  constructor(options: LeadOptions) {
    this.#options = options;
  }

  get isFree(): boolean {
    return this.#running === null;
  }

  has(task: TaskId): boolean {
    return this.#running?.task === task;
  }

  /** Resolves when the one that runs now has ended. */
  get ended(): Promise<void> {
    return this.#running?.ended ?? Promise.resolve();
  }

  /** Why nothing else can have the conversation now, or null. */
  refusal(): string | null {
    if (this.#running === null) return null;
    const what = this.#running.kind === 'prompt' ? 'a prompt is running' : 'the conversation is being summarised';
    return `${what}; interrupt it first`;
  }

  /** Only when it is free. */
  start(kind: LeadKind, text: string, work: LeadWork): void {
    const task = this.#options.newTask();
    const running: Running = { task, kind, abort: new AbortController(), ended: Promise.resolve(), timedOut: false };
    this.#running = running;
    this.#options.emit({ type: 'task.started', task, kind, text, pane: null });
    running.ended = this.#run(running, work);
  }

  /** Interrupts the one that runs; `timedOut`: because its time is over. */
  stop(timedOut = false): void {
    if (this.#running === null) return;
    this.#running.timedOut = timedOut;
    this.#running.abort.abort();
  }

  async #run(running: Running, work: LeadWork): Promise<void> {
    const { task, abort, kind } = running;
    let outcome: TaskOutcome = 'completed';
    let failed: unknown = null;
    try {
      await work(task, abort.signal);
    } catch (thrown) {
      outcome = running.timedOut ? 'timed-out' : abort.signal.aborted ? 'cancelled' : 'failed';
      failed = outcome === 'failed' ? thrown : null;
    }
    this.#running = null;
    const error = failed === null ? null : asBuddyError(failed, 'task.failed');
    const told = error === null ? null : { code: error.code, message: error.message, hint: error.hint ?? null };
    this.#options.emit({ type: 'task.ended', task, outcome, exitCode: null, error: told });
    // Without a summary a prompt can be answered as well.
    this.#options.onEnd(outcome !== 'completed' && !(kind === 'compaction' && outcome === 'failed'));
  }
}
