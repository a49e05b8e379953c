/** All extensions of a run as the runtime knows them: starts those of the person's own, tells what becomes of them, and begins anew. */

import type { Clock } from '../../base/clock.js';
import { Emitter } from '../../base/emitter.js';
import { abortError, messageOf } from '../../base/errors.js';
import type { ModelProvider } from '../../models/provider.js';
import type { ModelSummary, RuntimeEvent } from '../../protocol/events.js';
import type { ExtensionConflict, ExtensionInfo } from '../../protocol/extensions.js';
import type { ExtensionHost, Hooked, OfferedThemes } from '../../runtime/hooks.js';
import type { Extension } from '../extension.js';
import type { Registry } from '../registry.js';
import type { ManifestProvider } from './manifest.js';
import { type FoundExtension, UserExtension, type UserExtensionOptions } from './user-extension.js';
import { userProvider } from './user-provider.js';

export interface UserExtensionsOptions extends Pick<UserExtensionOptions, 'script' | 'api' | 'cwd' | 'env' | 'log'> {
  readonly clock: Clock;
  readonly registry: Registry;
  /** Where they are now. Rejects with what is told as a warning. */
  find(): Promise<readonly FoundExtension[]>;
  /** Names of models that are taken. */
  readonly profiles: readonly string[];
  /** The model behind a server. */
  openServer(provider: ManifestProvider): Promise<ModelProvider>;
  /** What is to be told when all of them are there. */
  doubts(): readonly string[];
}

/** Those of one run. */
export class UserExtensions implements ExtensionHost {
  readonly #options: UserExtensionsOptions;
  readonly #events = new Emitter<RuntimeEvent>();
  readonly #prompts = new Emitter<string>();
  readonly #themesChanged = new Emitter<void>();
  readonly #told = new Set<string>();
  #running: readonly UserExtension[] = [];
  #isReady = false;
  #started: Promise<void> | null = null;
  #isClosed = false;
  #keys = '[]';
  #offered = '[]';
  readonly themes: OfferedThemes;

  constructor(options: UserExtensionsOptions) {
    this.#options = options;
    this.themes = {
      list: () =>
        options.registry.extensions.flatMap(({ themes = {} }) => Object.entries(themes).map(([name, source]) => ({ name, source }))),
      onChange: this.#themesChanged.event,
    };
    options.registry.offered.onChange(() => this.#tellConflicts());
  }

  get onEvent() {
    return this.#events.event;
  }

  get onPrompt() {
    return this.#prompts.event;
  }

  hooked(): readonly Hooked[] {
    return this.#options.registry.extensions.flatMap(({ hooks }) => (hooks === undefined || hooks.points.length === 0 ? [] : [hooks]));
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  ready(signal: AbortSignal): Promise<void> {
    this.#started ??= this.#untilReady(() => this.#start());
    const started = this.#started;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(abortError());
      const onAbort = () => reject(abortError());
      signal.addEventListener('abort', onAbort, { once: true });
      void started.then(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
    });
  }

  describe(): { readonly extensions: readonly ExtensionInfo[]; readonly conflicts: readonly ExtensionConflict[] } {
    const { registry } = this.#options;
    return { extensions: registry.extensions.map(infoOf), conflicts: registry.conflicts() };
  }

  async reload(signal: AbortSignal): Promise<string> {
    const others = this.#options.registry.extensions.filter(({ reload }) => reload !== undefined);
    const before = this.#started ?? Promise.resolve();
    // Prompts wait for all of it from now on, and so does whoever reloads meanwhile: no call goes past a guard that is not there yet.
    this.#started = this.#untilReady(() => before.then(() => this.#restart()));
    await Promise.all([this.#started, ...others.map(({ reload }) => reload?.(signal, (warning) => this.#warn(warning)))]);
    const count = this.#running.filter((of) => of.manifest !== null).length;
    return `Loaded anew: ${[count === 1 ? '1 extension' : `${count} extensions`, ...others.map(({ name }) => name)].join(', ')}.`;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  /** The last one that was begun makes all of it ready. */
  #untilReady(start: () => Promise<void>): Promise<void> {
    this.#isReady = false;
    const started = start().then(() => {
      this.#isReady = this.#started === started;
    });
    return started;
  }

  async #restart(): Promise<void> {
    await this.#end();
    this.#told.clear();
    await this.#start();
  }

  async #start(): Promise<void> {
    const { registry, find, clock, script, api, cwd, env, log } = this.#options;
    const found = await find().catch((thrown: unknown) => {
      this.#warn(messageOf(thrown));
      return [];
    });
    if (this.#isClosed) return;
    this.#running = found.map(
      (of) =>
        new UserExtension(of, {
          ...{ clock, script, api, cwd, env, log },
          nameTaken: (name, by) => this.#nameTaken(name, by),
          tell: (event) => this.#events.fire(event),
          onChange: () => this.#changed(),
        }),
    );
    for (const extension of this.#running) registry.add(extension);
    await Promise.all(this.#running.map((extension) => extension.start()));
    for (const doubt of this.#options.doubts()) this.#warn(doubt);
  }

  /** Those before it say their names first, however long they take to load: which one counts must not hang on that. */
  async #nameTaken(name: string, by: UserExtension): Promise<string | null> {
    await Promise.all(this.#running.slice(0, Math.max(0, this.#running.indexOf(by))).map((earlier) => earlier.start()));
    const { extensions } = this.#options.registry;
    return extensions.slice(0, Math.max(0, extensions.indexOf(by))).find((other) => other.name === name && isUsed(other))?.from ?? null;
  }

  async #end(): Promise<void> {
    const ended = this.#running;
    this.#running = [];
    for (const extension of ended) this.#options.registry.remove(extension);
    await Promise.all(ended.map((extension) => extension.end()));
  }

  /** Their models. */
  models(): readonly ModelSummary[] {
    return this.#models().map(({ summary }) => summary);
  }

  /** The one of that name; null: none of them has it. */
  openModel(name: string): Promise<ModelProvider> | null {
    const found = this.#models().find(({ summary }) => summary.profile === name);
    if (found === undefined) return null;
    const { summary, provider, stream } = found;
    if (provider.server === null) return Promise.resolve(userProvider(summary, stream));
    return this.#options.openServer(provider).then((opened) => ({ summary, stream: (...of) => opened.stream(...of) }));
  }

  /** The first of each name. */
  #models() {
    const taken = new Set(this.#options.profiles);
    return this.#running.flatMap((extension) =>
      extension.models.flatMap(({ provider, stream }) => {
        const { name, model, contextTokens } = provider;
        if (taken.has(name)) return [];
        taken.add(name);
        const summary: ModelSummary = { profile: name, model, api: 'chat', contextTokens, extension: extension.name };
        return [{ summary, provider, stream }];
      }),
    );
  }

  #changed(): void {
    const models = this.models();
    if (JSON.stringify(models) !== this.#offered) {
      this.#offered = JSON.stringify(models);
      this.#events.fire({ type: 'profiles.offered', profiles: models });
    }
    const keys = this.#options.registry.extensions.flatMap((of) => (of.keys ?? []).map((key) => ({ ...key, from: of.name })));
    if (JSON.stringify(keys) !== this.#keys) {
      this.#keys = JSON.stringify(keys);
      this.#events.fire({ type: 'keys.offered', keys });
    }
    this.#themesChanged.fire();
    this.#tellConflicts();
  }

  /** Each one once. */
  #tellConflicts(): void {
    for (const { kind, name, from, first } of this.#options.registry.conflicts()) {
      const words = `${kind} "${name}" of ${from} is left out: ${first} has the name`;
      if (this.#told.has(words)) continue;
      this.#told.add(words);
      this.#warn(words);
    }
  }

  #warn(message: string): void {
    this.#events.fire({ type: 'warning', message });
  }
}

function isUsed(extension: Extension): boolean {
  return extension.describe?.().state !== 'disabled';
}

function infoOf(extension: Extension): ExtensionInfo {
  const { name, from, tools, commands, slashCommands = [], hooks, themes = {} } = extension;
  return (
    extension.describe?.() ?? {
      ...{ name, from, state: 'running', why: null },
      tools: tools?.list().map((tool) => tool.name) ?? [],
      commands: [...slashCommands, ...(commands?.list() ?? [])].map((command) => command.name),
      hooks: hooks?.points ?? [],
      themes: Object.keys(themes),
    }
  );
}
