/** What the model is shown and which one it is: the session, its messages, the profile in use. */

import { BuddyError } from '../base/errors.js';
import type { ModelProvider } from '../models/provider.js';
import { baseOf, effortProblem, withLevel } from '../protocol/efforts.js';
import type { ModelSummary } from '../protocol/events.js';
import type { Message } from '../protocol/messages.js';
import { ContextMeter } from './context-meter.js';

export interface ConversationOptions {
  readonly profiles: readonly ModelSummary[];
  /** Those that come and go; left out: none do. */
  offeredProfiles?(): readonly ModelSummary[];
  /** Key of the profile to begin with; it is one of `profiles`. */
  readonly profile: string;
  /** Opens a profile's model. Throws BuddyError when its key cannot be had. */
  openModel(profile: string): Promise<ModelProvider>;
  newSessionId(): string;
}

/** One session at a time, one model at a time. */
export class Conversation {
  readonly #options: ConversationOptions;
  #session: string;
  #messages: Message[] = [];
  #meter = new ContextMeter();
  #model: ModelSummary;
  #provider: Promise<ModelProvider> | null = null;

  constructor(options: ConversationOptions) {
    this.#options = options;
    const model = this.#profile(options.profile);
    if (model === null) throw new Error(`no profile ${options.profile}`);
    this.#model = model;
    this.#session = options.newSessionId();
  }

  get session(): string {
    return this.#session;
  }

  /** In order; a turn appends to it. */
  get messages(): Message[] {
    return this.#messages;
  }

  get meter(): ContextMeter {
    return this.#meter;
  }

  get model(): ModelSummary {
    return this.#model;
  }

  /**
   * Opens the model once; a failure is not remembered, so that the next prompt tries again. Of another profile than the one in use it is
   * opened each time. Rejects with a BuddyError.
   */
  provider(profile: string = this.#model.profile): Promise<ModelProvider> {
    if (profile !== this.#model.profile) return this.#options.openModel(profile);
    if (this.#provider !== null) return this.#provider;
    const opening = this.#options.openModel(this.#model.profile);
    this.#provider = opening;
    opening.catch(() => {
      if (this.#provider === opening) this.#provider = null;
    });
    return opening;
  }

  /**
   * Another model from the next call on, or the same with another effort. What was measured with another one does not hold. Answers
   * whether it is another one. Throws `model.profile` when there is no such profile, or it has no such level.
   */
  switchTo(profile: string, effort: string | undefined): boolean {
    const before = this.#model;
    this.#model = this.#chosen(profile, effort);
    this.#provider = null;
    const isOther = baseOf(this.#model) !== baseOf(before);
    if (isOther) this.#meter = new ContextMeter();
    return isOther;
  }

  #chosen(profile: string, effort: string | undefined): ModelSummary {
    const model = this.#profile(profile);
    if (model === null) throw new BuddyError('model.profile', `there is no model profile "${profile}"`);
    if (effort === undefined) return model;
    const found = effortProblem(model, effort) === null ? withLevel(model, effort, this.#options.profiles) : null;
    if (found !== null) return found;
    throw new BuddyError('model.profile', effortProblem(model, effort) ?? `there is no profile of ${profile} that thinks "${effort}"`);
  }

  /** An empty one, with another id. */
  begin(): void {
    this.#messages = [];
    this.#meter = new ContextMeter();
    this.#session = this.#options.newSessionId();
  }

  /** One that was kept, with what the model was shown in it. */
  open(session: string, messages: readonly Message[]): void {
    this.#messages = [...messages];
    this.#meter = new ContextMeter();
    this.#session = session;
  }

  #profile(key: string): ModelSummary | null {
    const { profiles, offeredProfiles } = this.#options;
    return [...profiles, ...(offeredProfiles?.() ?? [])].find(({ profile }) => profile === key) ?? null;
  }
}
