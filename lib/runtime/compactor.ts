/** Compaction: the older part of the conversation becomes a summary, or is trimmed, before the model's window overflows. */

import type { Clock } from '../base/clock.js';
import { abortError, asBuddyError, BuddyError } from '../base/errors.js';
import type { Limits } from '../config/limits.js';
import type { ModelRequest } from '../models/provider.js';
import type { TaskId } from '../protocol/commands.js';
import type { RuntimeEvent, TaskOutcome } from '../protocol/events.js';
import type { Message } from '../protocol/messages.js';
import { budgetAsked, budgetFor, type CompactionBudget } from './compaction-budget.js';
import { type ContextWindow, type Fitted, fixedCharacters, makeSound, tellUse, usedTokens, wholeRequest } from './context-window.js';
import type { Conversation } from './conversation.js';
import { cutFor } from './cut-points.js';
import { estimateTokens } from './history.js';
import type { HookRunner } from './hook-runner.js';
import { callModel } from './model-call.js';
import { recapMessage, recapOf } from './recap.js';
import { summaryOf } from './summary.js';
import { transcriptText } from './transcript-text.js';
import { trimmed } from './trimming.js';

/** A summary that does not make the conversation smaller by this part is thrown away. */
const SMALLER_BY = 0.2;
/** The part of a model's window that the transcript may take when it writes a summary. */
const TRANSCRIPT_PART = 0.6;
/** So much of the older part is told to extensions. */
const TOLD_CHARACTERS = 512 * 1024;
/** On a person's word: a smaller conversation is left alone (estimated tokens). */
const WORTH_IT = 300;

/** As the settings under [context] say. */
export interface CompactionSettings {
  /** Summarise without being asked. */
  readonly auto: boolean;
  /** Profile that writes summaries; '' for the one in use. */
  readonly profile: string;
  /** Tokens of the newest messages that are kept as they are, at most. */
  readonly keepTokens: number;
  /** Percentage of the window from which on it is done. */
  readonly startPercent: number;
  /** What a model is told that writes a summary of at most so many words. */
  instructions(wishes: string, words: number): string;
}

export interface CompactorOptions {
  readonly clock: Clock;
  readonly conversation: Conversation;
  readonly settings: CompactionSettings;
  /** Of tries when the model fails. */
  readonly limits: Limits;
  /** Who has a say in it; left out: nobody. */
  readonly hooks?: Pick<HookRunner, 'compaction'>;
  newTask(): TaskId;
  emit(event: RuntimeEvent): void;
}

/** Owns the summary that is being written. There is one at a time: within a prompt, or on a person's word. */
export class Compactor {
  readonly #options: CompactorOptions;
  #running: { readonly task: TaskId; readonly abort: AbortController } | null = null;

  constructor(options: CompactorOptions) {
    this.#options = options;
  }

  /** True for the task of a summary within a prompt. */
  has(task: TaskId): boolean {
    return this.#running?.task === task;
  }

  /** Stops that summary; the prompt goes on without it. */
  stop(): void {
    this.#running?.abort.abort();
  }

  /**
   * The conversation and `extra` as a request that fits, compacted when it fills too much of the window. Rejects with `context.full` when
   * nothing makes it small enough, with an AbortError when the signal fires: then the conversation is as it was.
   */
  async fit(window: ContextWindow, extra: readonly Message[], signal: AbortSignal): Promise<Fitted> {
    makeSound(window, this.#options.clock.now());
    if (!this.#isTight(window, extra)) return wholeRequest(window, extra);
    await this.#makeRoom(window, extra, signal);
    if (usedTokens(window, extra) > window.meter.limit(window.windowTokens)) throw full(window);
    return wholeRequest(window, extra);
  }

  /** The same, once, after the server found `refused` too long. Rejects with `error` when it is no smaller afterwards. */
  async refit(window: ContextWindow, extra: readonly Message[], refused: Fitted, error: unknown, signal: AbortSignal): Promise<Fitted> {
    makeSound(window, this.#options.clock.now());
    window.meter.refused(refused.estimate);
    await this.#makeRoom(window, extra, signal);
    const fitted = wholeRequest(window, extra);
    if (fitted.estimate >= refused.estimate) throw error;
    return fitted;
  }

  /** Why a person's word for it would change nothing now, or null. */
  refusal(window: ContextWindow): string | null {
    const { messages } = window;
    const head = messages.slice(0, cutFor(messages, budgetAsked(window, this.#options.settings.keepTokens).tailTokens));
    if (!isOld(head)) return 'there is nothing to compact yet';
    const tokens = estimateTokens(messages, 0);
    return tokens < WORTH_IT ? `there is nothing to compact: the conversation has ${window.meter.corrected(tokens)} tokens` : null;
  }

  /**
   * On a person's word, as the task that the runtime began for it. Rejects with `context.ineffective` when a summary would save too
   * little, with an AbortError when the signal fires: then the conversation is as it was. Without a model old results go instead.
   */
  async byHand(window: ContextWindow, wishes: string, task: TaskId, signal: AbortSignal): Promise<void> {
    makeSound(window, this.#options.clock.now());
    const budget = budgetAsked(window, this.#options.settings.keepTokens);
    try {
      await this.#summarise(window, budget, wishes, task, signal);
      window.meter.summaryHelped();
    } catch (thrown) {
      if (signal.aborted) throw abortError();
      const error = asBuddyError(thrown, 'context.summary');
      if (error.code === 'context.ineffective' || !this.#trim(window, budget)) throw error;
      this.#warn(`the conversation could not be summarised (${error.message}); old results were left out instead`);
    }
  }

  #isTight(window: ContextWindow, extra: readonly Message[]): boolean {
    const { meter, windowTokens } = window;
    return usedTokens(window, extra) > (meter.limit(windowTokens) * this.#options.settings.startPercent) / 100;
  }

  /** One summary where it may help, and what is still too much is trimmed. */
  async #makeRoom(window: ContextWindow, extra: readonly Message[], signal: AbortSignal): Promise<void> {
    const { auto, keepTokens } = this.#options.settings;
    const { meter } = window;
    const budget = budgetFor(window, extra, keepTokens);
    const isTried = auto && !meter.isSummaryGivenUp && isOld(window.messages.slice(0, cutFor(window.messages, budget.tailTokens)));
    const trouble = isTried ? await this.#within(window, extra, budget, signal) : null;
    if (isTried && trouble === null) {
      meter.summaryHelped();
      return;
    }
    const isTrimmed = this.#trim(window, budgetFor(window, extra, keepTokens));
    if (trouble === null) return;
    meter.summaryFailed();
    const instead = isTrimmed ? '; old results were left out instead' : '';
    if (!meter.isSummaryGivenUp) this.#warn(`the conversation could not be summarised (${trouble})${instead}`);
    else {
      const advice = 'Begin a new session, or choose a model with a larger window with /model.';
      this.#warn(`summaries are given up here: two did not help (the last: ${trouble})${instead}. ${advice}`);
    }
  }

  /** A summary within a prompt, as a task that can be stopped by itself. Why it did not help, or null; rejects only when the prompt is cancelled. */
  async #within(window: ContextWindow, extra: readonly Message[], budget: CompactionBudget, signal: AbortSignal): Promise<string | null> {
    const { newTask, emit } = this.#options;
    const task = newTask();
    const abort = new AbortController();
    this.#running = { task, abort };
    emit({ type: 'task.started', task, kind: 'compaction', text: 'summarise the older part of the conversation', pane: null });
    let outcome: TaskOutcome = 'completed';
    let trouble: string | null = null;
    try {
      await this.#summarise(window, budget, '', task, AbortSignal.any([signal, abort.signal]));
      if (this.#isTight(window, extra)) trouble = 'it is still too long with one';
    } catch (thrown) {
      const isStopped = signal.aborted || abort.signal.aborted;
      outcome = isStopped ? 'cancelled' : 'failed';
      trouble = isStopped ? 'it was stopped' : asBuddyError(thrown, 'context.summary').message;
    }
    this.#running = null;
    emit({ type: 'task.ended', task, outcome, exitCode: null, error: null });
    if (signal.aborted) throw abortError();
    return trouble;
  }

  /** Puts a summary in the place of what is older than the tail. Whatever it rejects with, the conversation is as it was. */
  async #summarise(window: ContextWindow, budget: CompactionBudget, wishes: string, task: TaskId, signal: AbortSignal): Promise<void> {
    const { messages } = window;
    const end = cutFor(messages, budget.tailTokens);
    const head = messages.slice(0, end);
    const text = (await this.#given(head, signal)) ?? (await this.#written(window, head, budget, wishes, task, signal));
    const recap = recapMessage(recapOf(head, text, budget.saidCharacters));
    const before = estimateTokens(messages, 0);
    const after = estimateTokens([recap, ...messages.slice(end)], 0);
    if (after > before * (1 - SMALLER_BY)) {
      throw new BuddyError('context.ineffective', `a summary would hardly make it smaller: ${before} tokens would become ${after}`);
    }
    this.#replace(window, [recap, ...messages.slice(end)], false);
  }

  /** The summary of an extension; null: none has a say. Rejects with `context.ineffective` when one wants none. */
  async #given(head: readonly Message[], signal: AbortSignal): Promise<string | null> {
    const said = await this.#options.hooks?.compaction(
      () => ({ messages: head.length, text: transcriptText(head, TOLD_CHARACTERS) }),
      signal,
    );
    if (said === undefined || said === null) return null;
    if ('cancel' in said) throw new BuddyError('context.ineffective', `extension ${said.by} wants no summary: ${said.cancel}`);
    this.#options.emit({ type: 'notice', message: `the summary is by extension ${said.by}` });
    return said.summary;
  }

  /** The summary by the named profile, and by the one in use when that fails. */
  async #written(
    window: ContextWindow,
    head: readonly Message[],
    { summaryCharacters }: CompactionBudget,
    wishes: string,
    task: TaskId,
    signal: AbortSignal,
  ): Promise<string> {
    const { clock, conversation, settings, limits, emit } = this.#options;
    const { profile: active } = conversation.model;
    const { meter, windowTokens } = window;
    const ask = async (profile: string) => {
      const provider = await conversation.provider(profile);
      signal.throwIfAborted();
      const room = Math.min(provider.summary.contextTokens, profile === active ? meter.limit(windowTokens) : Number.POSITIVE_INFINITY);
      const transcriptCharacters = meter.uncorrected(room * TRANSCRIPT_PART) * 4;
      const onlyRetries = (event: RuntimeEvent) => (event.type === 'model.retrying' ? emit(event) : undefined);
      let estimatedTokens = 0;
      const call = (request: ModelRequest, of: AbortSignal) => {
        estimatedTokens = meter.corrected(estimateTokens(request.messages, request.instructions.length));
        return callModel(request, { task, clock, provider, limits, emit: onlyRetries }, of);
      };
      const { text, usage } = await summaryOf(
        { messages: head, transcriptCharacters, summaryCharacters, wishes, session: conversation.session },
        settings.instructions,
        call,
        signal,
      );
      emit({ type: 'context.summarised', task, profile, usage, estimatedTokens, characters: text.length });
      return text;
    };
    if (settings.profile === '' || settings.profile === active) return ask(active);
    try {
      return await ask(settings.profile);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      this.#warn(`${settings.profile} wrote no summary (${asBuddyError(thrown, 'context.summary').message}); ${active} is asked instead`);
      return ask(active);
    }
  }

  /** Makes the conversation smaller without a model; false when it is no smaller then. */
  #trim(window: ContextWindow, budget: CompactionBudget): boolean {
    const { messages } = window;
    const { trimToTokens: targetTokens, tailTokens, saidCharacters } = budget;
    const short = trimmed(messages, { targetTokens, tailTokens, saidCharacters }, this.#options.clock.now());
    if (estimateTokens(short, 0) >= estimateTokens(messages, 0)) return false;
    this.#replace(window, short, true);
    return true;
  }

  #replace(window: ContextWindow, by: readonly Message[], isTrimmed: boolean): void {
    const { emit } = this.#options;
    const tokensBefore = usedTokens(window);
    window.messages.splice(0, window.messages.length, ...by);
    emit({ type: 'context.compacted', tokensBefore, tokensAfter: usedTokens(window), ...(isTrimmed ? { trimmed: true } : {}) });
    tellUse(window, emit);
  }

  #warn(message: string): void {
    this.#options.emit({ type: 'warning', message });
  }
}

/** What a compaction on a person's word is called in the list of tasks. */
export function byHandText(wishes: string): string {
  return wishes === '' ? 'summarise the conversation' : `summarise the conversation: ${wishes}`;
}

/** True when there is more than an earlier summary. */
function isOld(head: readonly Message[]): boolean {
  return head.some((message) => message.role !== 'user' || message.recap === undefined);
}

function full(window: ContextWindow): BuddyError {
  const { meter, windowTokens } = window;
  const fixed = meter.corrected(Math.ceil(fixedCharacters(window) / 4));
  const limit = meter.limit(windowTokens);
  const words = `the conversation no longer fits the model's window of ${limit} tokens`;
  return new BuddyError('context.full', fixed > limit / 2 ? `${words}: instructions and tools alone take ${fixed}` : words, {
    hint: 'Begin a new session, or choose a model with a larger window with /model.',
  });
}
