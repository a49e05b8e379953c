/** An extension of the person's own: what its thread says it has, as the same contract that the built-in ones have. */

import type { Clock } from '../../base/clock.js';
import { Emitter } from '../../base/emitter.js';
import { asBuddyError, BuddyError, messageOf } from '../../base/errors.js';
import type { RuntimeEvent } from '../../protocol/events.js';
import type { ExtensionInfo } from '../../protocol/extensions.js';
import type { Hooked, HookPoint, HookTold } from '../../runtime/hooks.js';
import type { Invoked, OfferedCommands } from '../../runtime/offered-commands.js';
import type { Tool, ToolSource } from '../../tools/tool.js';
import type { Extension } from '../extension.js';
import { ExtensionThread, type Said } from './extension-thread.js';
import { type Manifest, type ManifestProvider, readManifest } from './manifest.js';
import type { StreamAnswer } from './user-provider.js';
import { userTool } from './user-tool.js';
import { shownWidget } from './user-widget.js';

/** Where its code is. */
export interface FoundExtension {
  /** What it is called until it has said so itself: by its file. */
  readonly label: string;
  /** As people know it. */
  readonly from: string;
  /** The module to load. */
  readonly path: string;
}

export interface UserExtensionOptions {
  readonly clock: Clock;
  /** The compiled thread, and what `buddy-tui/extension` is for it. */
  readonly script: string;
  readonly api: string;
  readonly cwd: string;
  env(): Readonly<Record<string, string | undefined>>;
  /** Whether a name is free for this one; what has it, otherwise. */
  nameTaken(name: string, by: UserExtension): Promise<string | null>;
  log(text: string): void;
  tell(event: RuntimeEvent): void;
  /** Something of it is there or gone. */
  onChange(): void;
}

/** A notice of it is no longer. */
const LONGEST_NOTICE = 2000;
/** At a time; each id is a widget of its own. */
const MOST_WIDGETS = 64;
/** What is shown of why it is disabled (characters). */
const LONGEST_WHY = 400;

/** Owns the thread; starts it once. */
export class UserExtension implements Extension, Hooked {
  readonly #found: FoundExtension;
  readonly #options: UserExtensionOptions;
  readonly #changed = new Emitter<void>();
  readonly #widgets = new Set<string>();
  #thread: ExtensionThread | null = null;
  #manifest: Manifest | null = null;
  #why: string | null = null;
  #tools: readonly Tool[] = [];
  #starting: Promise<void> | null = null;
  readonly tools: ToolSource = { list: () => this.#tools };
  readonly commands: OfferedCommands;

  constructor(found: FoundExtension, options: UserExtensionOptions) {
    this.#found = found;
    this.#options = options;
    this.commands = {
      list: () =>
        this.#in?.commands.map(({ name, says, args }) => ({ name, says, args, kind: 'extension' as const, from: this.from })) ?? [],
      onChange: this.#changed.event,
      invoke: async (name, args, signal) => answered(await this.#ask({ what: 'command', name, input: args }, signal)),
    };
  }

  get name(): string {
    return this.#manifest?.name ?? this.#found.label;
  }

  get from(): string {
    return this.#found.from;
  }

  get points(): readonly HookPoint[] {
    return this.#in?.hooks ?? [];
  }

  get hooks(): Hooked {
    return this;
  }

  get keys(): Manifest['keys'] {
    return this.#in?.keys ?? [];
  }

  get themes(): Manifest['themes'] {
    return this.#in?.themes ?? {};
  }

  /** Its models, each with what makes the answers. */
  get models(): readonly { readonly provider: ManifestProvider; readonly stream: StreamAnswer }[] {
    return (this.#in?.providers ?? []).map((provider) => ({
      provider,
      stream: (input, signal, hear) => this.#ask({ what: 'stream', name: provider.name, input }, signal, hear),
    }));
  }

  get manifest(): Manifest | null {
    return this.#in;
  }

  /** Loads it. Resolves when it is there or given up. */
  start(): Promise<void> {
    this.#starting ??= this.#load();
    return this.#starting;
  }

  call<P extends HookPoint>(point: P, told: HookTold[P], signal: AbortSignal): Promise<unknown> {
    return this.#ask({ what: 'hook', name: point, input: told }, signal);
  }

  disable(why: string): void {
    if (this.#why !== null) return;
    this.#why = why.length > LONGEST_WHY ? `${why.slice(0, LONGEST_WHY)}…` : why;
    void this.#thread?.end();
    const guarded =
      this.#manifest?.hooks.includes('before_tool_call') === true ? '. It guards tool calls no longer; /reload starts it anew' : '';
    this.#options.tell({ type: 'warning', message: `Extension ${this.name} (${this.from}) is disabled: ${this.#why}${guarded}` });
    this.#gone();
  }

  describe(): ExtensionInfo {
    const { name, from } = this;
    const of = this.#in;
    const state = this.#why !== null ? 'disabled' : of === null ? 'starting' : 'running';
    return {
      ...{ name, from, state, why: this.#why },
      tools: of?.tools.map((tool) => tool.name) ?? [],
      commands: of?.commands.map((command) => command.name) ?? [],
      hooks: of?.hooks ?? [],
      themes: Object.keys(of?.themes ?? {}),
    };
  }

  /** Ends it without a word. */
  async end(): Promise<void> {
    this.#why ??= 'it was ended';
    this.#gone();
    await this.#thread?.end();
  }

  /** What it has, while it is used. */
  get #in(): Manifest | null {
    return this.#why === null ? this.#manifest : null;
  }

  async #load(): Promise<void> {
    const { clock, script, api, cwd, env, nameTaken } = this.#options;
    try {
      this.#thread = new ExtensionThread({
        ...{ clock, script, env: env() },
        input: { path: this.#found.path, api, cwd },
        onSaid: (said) => this.#said(said),
        onGone: (why) => this.disable(why),
      });
      const manifest = readManifest(await this.#thread.manifest);
      const first = await nameTaken(manifest.name, this);
      if (first !== null) throw new BuddyError('extension.name', `there is an extension ${manifest.name} already: ${first}`);
      this.#manifest = manifest;
    } catch (thrown) {
      return this.disable(messageOf(thrown));
    }
    if (this.#why !== null) return;
    const ask = (name: string, input: unknown, signal: AbortSignal, report: (text: string) => void) =>
      this.#ask({ what: 'tool', name, input }, signal, report);
    this.#tools = this.#manifest.tools.map((tool) => userTool(tool, this.name, ask));
    this.#changed.fire();
    this.#options.onChange();
    for (const { id, widget } of this.#manifest.widgets) this.#said({ type: 'widget', id, widget });
  }

  #ask(...asked: Parameters<ExtensionThread['ask']>): Promise<unknown> {
    if (this.#thread === null || this.#why !== null)
      return Promise.reject(new BuddyError('extension.gone', `extension ${this.name} is disabled: ${this.#why ?? 'it was not started'}`));
    return this.#thread.ask(...asked);
  }

  #said(said: Said): void {
    const { log, tell } = this.#options;
    if (this.#why !== null && said.type !== 'log') return;
    if (said.type === 'log') return void log(`extension ${this.name}: ${said.text.slice(0, LONGEST_NOTICE)}`);
    if (said.type !== 'widget') return void tell({ type: 'notice', message: `${this.name}: ${said.text.slice(0, LONGEST_NOTICE)}` });
    const id = `${this.name}/${said.id.slice(0, 64)}`;
    try {
      const widget = shownWidget(id, this.name, said.widget);
      if (widget === null) this.#widgets.delete(id);
      else this.#widgets.add(id);
      if (this.#widgets.size > MOST_WIDGETS) throw new Error(`it shows more than ${MOST_WIDGETS} widgets at a time`);
      tell({ type: 'widget.shown', id, widget });
    } catch (thrown) {
      this.disable(asBuddyError(thrown, 'extension.widget').message);
    }
  }

  #gone(): void {
    this.#tools = [];
    for (const id of this.#widgets) this.#options.tell({ type: 'widget.shown', id, widget: null });
    this.#widgets.clear();
    this.#changed.fire();
    this.#options.onChange();
  }
}

function answered(value: unknown): Invoked {
  if (value === null || value === undefined) return { kind: 'done', says: '' };
  if (typeof value === 'string') return { kind: 'done', says: value };
  const prompt = typeof value === 'object' ? (value as { readonly prompt?: unknown }).prompt : undefined;
  if (typeof prompt === 'string' && prompt.trim() !== '') return { kind: 'prompt', text: prompt };
  throw new BuddyError('extension.answer', 'the command answered with neither a text nor { prompt }');
}
