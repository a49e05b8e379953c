/** What a session and a prompt may take: counted from events, told when it gets tight, and said plainly when it is used up. */

import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/disposable.js';
import { BuddyError } from '../base/errors.js';
import type { Limits } from '../config/limits.js';
import type { RuntimeCommand, TaskId } from '../protocol/commands.js';
import type { ModelSummary, RuntimeEvent } from '../protocol/events.js';
import { type LimitName, type LimitStatus, limitNames, limitProblem, limitRows, limitText } from '../protocol/limits.js';
import { charactersOf, nothingSpent, type Spent, spentOn, sumOf } from '../protocol/spent.js';

/** From this part of it on the person is told, once. */
const TIGHT = 0.8;
const MINUTE_MS = 60_000;

type LimitCommand = Extract<RuntimeCommand, { type: `limits.${string}` }>;
type SessionLimit = 'tokens' | 'cost';
const OF_SESSION: readonly SessionLimit[] = ['tokens', 'cost'];

export interface BudgetOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly profiles: readonly ModelSummary[];
  /** Which is in use. */
  model(): ModelSummary;
  /** Commands that run in the background. */
  jobs(): number;
  /** Ends a prompt whose time is over. */
  stop(task: TaskId): void;
  emit(event: RuntimeEvent): void;
}

/** A prompt that runs. */
interface Prompt {
  readonly task: TaskId;
  readonly startedMs: number;
  readonly timer: Disposable | null;
  readonly requests: number;
}

/** Told of every event; asked before each request. */
export class Budget {
  readonly #options: BudgetOptions;
  #spent: Spent = nothingSpent;
  #estimated = 0;
  #session = '';
  #prompt: Prompt | null = null;
  readonly #warned = new Set<LimitName>();

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** What the session in use has used. */
  get spent(): Spent {
    return this.#spent;
  }

  get limits(): Limits {
    return this.#options.limits;
  }

  hear(event: RuntimeEvent): void {
    switch (event.type) {
      case 'task.started':
        if (event.kind === 'prompt') this.#begin(event.task);
        return;
      case 'task.ended':
        if (event.task === this.#prompt?.task) this.#end();
        return;
      case 'model.requested':
        this.#estimated = event.estimatedTokens;
        if (this.#prompt !== null) this.#prompt = { ...this.#prompt, requests: event.iteration };
        return;
      case 'model.answered':
        this.#spend(charactersOf(event.message), event.usage, this.#estimated, this.#options.model());
        return;
      case 'context.summarised':
        this.#spend(event.characters, event.usage, event.estimatedTokens, this.#profile(event.profile));
        return;
      case 'lifecycle.started':
        this.#session = event.session;
        return;
      case 'session.started':
        this.#session = event.session;
        this.#forget();
        return;
      case 'session.resumed':
        // A copy of the same conversation, and an earlier place in it, go on with what was used.
        if (event.past.length > 0 && event.session !== this.#session) this.#forget();
        this.#session = event.session;
        if (event.past.length > 0) this.#spent = event.spent ?? this.#spent;
        return;
      default:
        return;
    }
  }

  /** Throws `limit.tokens` or `limit.cost` when the session may take no more. */
  check(): void {
    for (const limit of OF_SESSION) {
      const value = this.limits.value(limit);
      if (value > 0 && reaches(this.#used(limit), value)) throw usedUp(limit, value);
    }
  }

  /** Why one command more may not be started, or null. */
  jobRefusal(): string | null {
    const most = this.limits.value('jobs');
    if (this.#options.jobs() < most) return null;
    return `${most} commands run in the background already, which is the limit (limits.jobs). Wait for one to end, or ask the user to end one with /kill or to allow more with /limits jobs.`;
  }

  /** Does it, or answers why not. */
  perform(command: LimitCommand): string | null {
    if (command.type === 'limits.tell') {
      this.#tell(limitNames);
      return null;
    }
    const { limit, value } = command;
    const problem = value === null ? null : limitProblem(limit, value);
    if (problem !== null) return problem;
    if (command.type === 'limits.configure') this.limits.configure(limit, command.value);
    else this.limits.set(limit, value ?? this.limits.configured(limit));
    this.#warned.delete(limit);
    if (limit === 'minutes' && this.#prompt !== null) this.#prompt = { ...this.#prompt, timer: this.#armed(this.#prompt) };
    if (command.type === 'limits.set') this.#tell([limit]);
    return null;
  }

  #tell(names: readonly LimitName[]): void {
    const status = (limit: LimitName): LimitStatus => ({
      limit,
      value: this.limits.value(limit),
      configured: this.limits.configured(limit),
      used: this.#used(limit),
    });
    this.#options.emit({ type: 'limits.told', limits: names.map(status) });
  }

  #used(limit: SessionLimit): number;
  #used(limit: LimitName): number | null;
  #used(limit: LimitName): number | null {
    switch (limit) {
      case 'tokens':
        return this.#spent.inputTokens + this.#spent.outputTokens;
      case 'cost':
        return this.#spent.cost;
      case 'requests':
        return this.#prompt?.requests ?? 0;
      case 'minutes':
        return this.#prompt === null ? 0 : Math.floor((this.#options.clock.monotonic() - this.#prompt.startedMs) / MINUTE_MS);
      case 'jobs':
        return this.#options.jobs();
      default:
        return null;
    }
  }

  #spend(characters: number, usage: Parameters<typeof spentOn>[0]['usage'], estimatedInput: number, model: ModelSummary | null): void {
    this.#spent = sumOf(this.#spent, spentOn({ characters, usage, estimatedInput, prices: model?.prices ?? null }));
    for (const limit of OF_SESSION) this.#warn(limit);
  }

  #warn(limit: SessionLimit): void {
    const value = this.limits.value(limit);
    const used = this.#used(limit);
    if (value === 0 || !reaches(used, TIGHT * value) || reaches(used, value) || this.#warned.has(limit)) return;
    this.#warned.add(limit);
    const { setting } = limitRows[limit];
    const message = `${Math.round((100 * used) / value)} % of what this session may take is used: ${limitText(limit, value)} (${setting}). /limits ${limit} allows more.`;
    this.#options.emit({ type: 'warning', message });
  }

  #profile(name: string): ModelSummary | null {
    return this.#options.profiles.find(({ profile }) => profile === name) ?? null;
  }

  #begin(task: TaskId): void {
    const prompt: Prompt = { task, startedMs: this.#options.clock.monotonic(), timer: null, requests: 0 };
    this.#prompt = { ...prompt, timer: this.#armed(prompt) };
  }

  /** Takes the place of the timer that the prompt had. */
  #armed({ task, startedMs, timer }: Prompt): Disposable | null {
    timer?.dispose();
    const minutes = this.limits.value('minutes');
    if (minutes === 0) return null;
    const { clock, emit, stop } = this.#options;
    return clock.after(Math.max(0, startedMs + minutes * MINUTE_MS - clock.monotonic()), () => {
      const after = `the prompt was stopped after ${limitText('minutes', minutes)}`;
      emit({
        type: 'warning',
        message: `${after} (limits.prompt_minutes). Say "go on" to let it continue, or allow more with /limits minutes.`,
      });
      stop(task);
    });
  }

  #end(): void {
    this.#prompt?.timer?.dispose();
    this.#prompt = null;
  }

  #forget(): void {
    this.#spent = nothingSpent;
    this.#estimated = 0;
    this.#warned.clear();
    this.limits.reset();
  }
}

/** Sums of parts of a dollar fall short of the whole by what a computer cannot write. */
function reaches(used: number, value: number): boolean {
  return used >= value * (1 - 1e-9);
}

function usedUp(limit: SessionLimit, value: number): BuddyError {
  const { setting } = limitRows[limit];
  return new BuddyError(`limit.${limit}`, `this session has used up what it may take: ${limitText(limit, value)}`, {
    hint: `Allow more with /limits ${limit} ${2 * value} and say "go on", begin another session with /session new, or raise ${setting}.`,
  });
}
