/** The actor: takes one command at a time, starts tasks, and tells everything that happens as numbered events. */

import { DisposableStore } from '../base/disposable.js';
import type { Event } from '../base/emitter.js';
import { asBuddyError } from '../base/errors.js';
import { settledWithin } from '../base/settled.js';
import { Limits } from '../config/limits.js';
import type { RuntimeCommand, TaskId } from '../protocol/commands.js';
import type { RuntimeEvent, RuntimeEventEnvelope } from '../protocol/events.js';
import type { RuntimePort } from '../protocol/runtime-port.js';
import type { TargetEnd, TargetEvent } from '../targets/target.js';
import type { Tool } from '../tools/tool.js';
import { Budget } from './budget.js';
import { byHandText, Compactor } from './compactor.js';
import { contextTold } from './context-parts.js';
import { type ContextWindow, tellUse } from './context-window.js';
import { Conversation } from './conversation.js';
import { Deadlines } from './deadlines.js';
import { Gate } from './gate.js';
import { HOOK_MS, HookRunner } from './hook-runner.js';
import { Inbox } from './inbox.js';
import { Jobs } from './jobs.js';
import { Keyboard } from './keyboard.js';
import { PromptLane, type Said, saidBy } from './lane.js';
import { Lead } from './lead.js';
import { mentionSources } from './mentions/built-in.js';
import { Mentions } from './mentions/mentions.js';
import { callModel } from './model-call.js';
import { Invocations } from './offered-commands.js';
import { OwnCommands } from './own-command.js';
import { isOnPane, performOnPane } from './pane-commands.js';
import { picturesOf } from './pictures.js';
import type { RuntimeOptions } from './runtime-options.js';
import { isOnSessions } from './sessions/session-commands.js';
import { SessionKeeper } from './sessions/session-keeper.js';
import { TerminalContext } from './terminal-context.js';
import { ToldEvents } from './told-events.js';
import { runToolCalls } from './tool-calls.js';
import { runTurn } from './turn.js';

/** A program that was interrupted has so long to end itself before the target is closed under it (milliseconds). */
const STOP_GRACE_MS = 3000;

/** Owns the conversation and everything that runs. `start` it once; `closed` resolves after `runtime.shutdown`. */
export class Runtime implements RuntimePort {
  readonly #options: RuntimeOptions;
  readonly #told: ToldEvents;
  readonly #emit = (event: RuntimeEvent): void => this.#told.tell(event);
  readonly #owned = new DisposableStore();
  readonly #gate: Gate;
  readonly #budget: Budget;
  readonly #lane: PromptLane;
  readonly #jobs: Jobs;
  readonly #keyboard: Keyboard;
  readonly #own: OwnCommands;
  readonly #deadlines: Deadlines;
  readonly #conversation: Conversation;
  readonly #sessions: SessionKeeper;
  readonly #compactor: Compactor;
  readonly #terminal: TerminalContext;
  readonly #inbox: Inbox;
  readonly #invocations: Invocations;
  readonly #mentions: Mentions;
  readonly #starting = new AbortController();
  readonly #lead: Lead;
  readonly #hooks: HookRunner;
  #taskCount = 0;
  #stopping = false;
  readonly closed: Promise<void>;
  #close: () => void = () => undefined;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.#conversation = new Conversation(options);
    const { sources, last } = mentionSources(options, { isTaken: () => this.#keyboard.isTaken, tools: () => this.#tools() });
    this.#told = new ToldEvents(options.clock, options.secrets, {
      before: (event) => [this.#terminal, this.#gate, this.#budget, this.#hooks, last].forEach((part) => void part.hear(event)),
      after: (event, tsMs) => this.#sessions.heard(event, tsMs),
    });
    this.#deadlines = new Deadlines(options.clock, (task) => void this.#cancel(task, true));
    const emit = this.#emit;
    const { clock, sessions = null, target } = options;
    this.#sessions = new SessionKeeper({
      ...{ place: sessions, clock, conversation: this.#conversation, newSessionId: options.newSessionId },
      ...{ target: () => target.summary.label, spent: () => this.#budget.spent, emit, tellUse: () => tellUse(this.#window(), emit) },
      onOther: () => [this.#gate, this.#keyboard, this.#own].forEach((of) => void of.forget()),
    });
    this.#gate = new Gate({ ...options, emit });
    this.#budget = new Budget({
      ...{ clock, profiles: options.profiles, limits: options.limits ?? new Limits(), emit, model: () => this.#conversation.model },
      ...{ jobs: () => this.#jobs.count, stop: (task) => void this.#cancel(task, true) },
    });
    this.#lane = new PromptLane(emit, options.queue);
    const emitOfTask = (event: RuntimeEvent) => {
      if (event.type === 'task.ended') this.#deadlines.drop(event.task);
      emit(event);
    };
    this.#jobs = new Jobs(options.clock, emitOfTask);
    const steer = (text: string, mentions = '', from?: string) => void this.#prompt({ text, mentions, from }, 'steer');
    const { extensions: host = null, hookTimeoutMs: timeoutMs = HOOK_MS } = options;
    this.#hooks = new HookRunner({ clock, timeoutMs, host, emit, prompt: steer });
    this.#lead = new Lead({ newTask: () => this.#newTask(), emit: emitOfTask, onEnd: (interrupted) => this.#onLeadEnd(interrupted) });
    this.#compactor = new Compactor({
      ...{ clock, conversation: this.#conversation, settings: options.compaction, limits: this.#budget.limits },
      ...{ newTask: () => this.#newTask(), emit: emitOfTask, hooks: this.#hooks },
    });
    this.#terminal = new TerminalContext(clock, options.target);
    this.#keyboard = new Keyboard({ clock: options.clock, tmux: options.target.tmux, emit });
    this.#own = new OwnCommands({
      ...{ clock, target, keyboard: this.#keyboard, emit: emitOfTask },
      newTask: () => this.#newTask(),
      background: (command) => this.#follow(command),
    });
    this.#invocations = new Invocations(options.offered, { emit, prompt: steer });
    const model = () => this.#conversation.model;
    this.#mentions = new Mentions({ clock, sources, pictures: picturesOf(options), model, emit });
    this.#inbox = new Inbox({ perform: (command) => this.#perform(command), tasks: () => this.#taskCount, emit });
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
  }

  get onEvent(): Event<RuntimeEventEnvelope> {
    return this.#told.event;
  }

  /** Tells that it is there, then makes the target ready. Rejects with the target's error; the runtime can still be shut down. */
  async start(): Promise<void> {
    const { agent, target, policy, profiles, version, servers } = this.#options;
    this.#owned.add(target.onEvent((event) => this.#onTarget(event)));
    const { session, model } = this.#conversation;
    this.#emit({ type: 'lifecycle.started', agent, session, model, profiles, target: target.summary, policy, version });
    this.#gate.rules.announce();
    this.#owned.add(this.#invocations.announce());
    if (servers !== undefined) this.#owned.add(servers.onEvent(this.#emit));
    servers?.announce();
    this.#hooks.begin();
    await target.start(this.#starting.signal);
  }

  send(...sent: Parameters<RuntimePort['send']>): void {
    this.#inbox.send(...sent);
  }

  /** Does what can be done now and starts what takes long. Answers why a command is refused, or null. */
  #perform(command: RuntimeCommand): string | null {
    if (this.#stopping) return 'the program is ending';
    if (isOnPane(command))
      return performOnPane(command, {
        keyboard: this.#keyboard,
        tmux: this.#options.target.tmux,
        signal: this.#starting.signal,
        warn: (message) => this.#emit({ type: 'warning', message }),
      });
    if (isOnSessions(command)) return this.#sessions.perform(command, this.#lead.refusal(), this.#starting.signal);
    switch (command.type) {
      case 'prompt.submit':
      case 'prompt.steer':
        return this.#prompt(saidBy(command), command.type === 'prompt.steer' ? 'steer' : 'follow-up');
      case 'mentions.tell':
        this.#mentions.tell(command.text);
        return null;
      case 'command.run':
        return this.#own.run(command.text, command.tell);
      case 'command.invoke':
        return this.#invocations.start(command, this.#starting.signal);
      case 'queue.recall':
        this.#lane.giveBack();
        return null;
      case 'queue.edit':
        return this.#lane.edit(command.queued, command.change);
      case 'task.cancel':
        return this.#cancel(command.task, false);
      case 'task.deadline':
        return this.#setDeadline(command.task, command.afterMs);
      case 'task.watch':
        this.#jobs.watch(command.task);
        return null;
      case 'approval.answer':
      case 'approval.forget':
      case 'approval.policy':
        return this.#gate.perform(command);
      case 'model.switch':
        return this.#switchModel(command.profile, command.effort);
      case 'limits.tell':
      case 'limits.set':
      case 'limits.configure':
        return this.#budget.perform(command);
      case 'mcp.tell':
      case 'mcp.act':
        return this.#options.servers?.perform(command, this.#starting.signal) ?? null;
      case 'context.tell':
        void this.#tellContext();
        return null;
      case 'extensions.tell':
      case 'extensions.reload':
        return this.#hooks.perform(command.type, this.#lead.refusal(), this.#starting.signal);
      case 'session.compact':
        return this.#compact(command.wishes);
      case 'runtime.shutdown':
        void this.#shutDown(command.keep === true);
        return null;
    }
  }

  #prompt(said: Said, mode: 'steer' | 'follow-up'): string | null {
    if (said.text.trim() === '') return 'the prompt is empty';
    if (this.#lead.isFree) this.#startPrompt(said);
    else this.#lane.add(said, mode);
    return null;
  }

  #startPrompt(given: Said): void {
    this.#lead.start('prompt', given.text, async (task, signal) => {
      const hooks = this.#hooks;
      const { messages } = this.#conversation;
      // It is on the screen: it must be in the file as well, however long it takes to make a message of it.
      if (hooks.isAsked || !this.#mentions.isPlain(given)) this.#sessions.said(given.text);
      const to = { task, messages, said: () => this.#sessions.write('prompt') };
      const text = await this.#heard(given, signal);
      await this.#mentions.say({ ...given, text }, to, signal);
      signal.throwIfAborted();
      await this.#turn(task, signal).finally(() => hooks.afterPrompt(text, messages, signal));
    });
  }

  /** As hooks have it. Interrupted meanwhile, it is in the conversation as it was written. */
  async #heard({ text }: Said, signal: AbortSignal): Promise<string> {
    return this.#hooks.isAsked ? this.#hooks.prompt(text, signal).catch(() => text) : text;
  }

  #compact(wishes: string): string | null {
    const window = this.#window();
    const refusal = this.#lead.refusal() ?? this.#compactor.refusal(window);
    if (refusal === null)
      this.#lead.start('compaction', byHandText(wishes), (task, signal) => this.#compactor.byHand(window, wishes, task, signal));
    return refusal;
  }

  #onLeadEnd(interrupted: boolean): void {
    if (this.#stopping) return;
    if (interrupted) this.#lane.giveBack();
    const next = this.#lane.takeNext();
    if (next !== null) this.#startPrompt(next);
  }

  #window(): ContextWindow {
    const { messages, meter, model } = this.#conversation;
    const toolSpecs = this.#tools().map(({ name, description, parameters }) => ({ name, description, parameters }));
    const instructions = this.#options.instructions(toolSpecs.map((spec) => spec.name));
    return { messages, meter, windowTokens: model.contextTokens, instructions, toolSpecs };
  }

  /** Those that can be used here, now. */
  #tools(): readonly Tool[] {
    const { tools, target } = this.#options;
    return ('list' in tools ? tools.list() : tools).filter((tool) => !tool.needsTmux || target.tmux !== null);
  }

  /** Looks at the terminal as a request would, and tells what that request would hold. */
  async #tellContext(): Promise<void> {
    const { signal } = this.#starting;
    const terminal = await this.#terminal.text(this.#keyboard.isTaken, signal).catch(() => null);
    if (!signal.aborted) this.#emit(contextTold(this.#window(), terminal, this.#options.told?.()));
  }

  async #turn(task: TaskId, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    if ('list' in this.#options.tools) await this.#options.tools.ready?.(signal);
    const tools = this.#tools();
    const [gate, keyboard, budget, emit] = [this.#gate, this.#keyboard, this.#budget, this.#emit];
    const background = (command: Parameters<Jobs['follow']>[1]) => this.#follow(command);
    const calling = { ...this.#options, tools, task, gate, keyboard, budget, hooks: this.#hooks, emit, background };
    const window = this.#window();
    const provider = await this.#conversation.provider();
    signal.throwIfAborted();
    await runTurn(
      {
        task,
        session: this.#conversation.session,
        messages: window.messages,
        window,
        budget,
        emit,
        takeSteering: () => this.#lane.takeSteering(),
        say: async (said, told, of) =>
          this.#mentions.say({ ...said, text: await this.#heard(said, of) }, { task, messages: window.messages, said: told }, of),
        takeNotes: () => [...keyboard.takeNotes(), ...this.#own.takeNotes(), ...this.#jobs.takeNotes()],
        terminal: (of) => this.#terminal.text(keyboard.isTaken, of),
        fit: (extra, of) => this.#compactor.fit(window, extra, of),
        refit: (extra, refused, error, of) => this.#compactor.refit(window, extra, refused, error, of),
        refused: () => gate.denials.tooOften(task),
        call: async (request, of) =>
          callModel(await this.#hooks.request(request, of), { task, clock, provider, limits: budget.limits, emit }, of),
        runCalls: (calls, of) => this.#sessions.beforeCalls(calls, tools).then(() => runToolCalls(calls, calling, of)),
      },
      signal,
    );
  }

  #follow(command: Parameters<Jobs['follow']>[1]): TaskId {
    const task = this.#newTask();
    this.#jobs.follow(task, command);
    return task;
  }

  #cancel(task: TaskId, timedOut: boolean): string | null {
    if (this.#lead.has(task)) {
      this.#lead.stop(timedOut);
      return null;
    }
    const owner = [this.#own, this.#compactor].find((of) => of.has(task));
    owner?.stop();
    if (owner !== undefined) return null;
    if (!this.#jobs.has(task)) return `there is no running task ${task}`;
    void this.#jobs.stop(task, timedOut);
    return null;
  }

  #setDeadline(task: TaskId, afterMs: number | null): string | null {
    const isRunning = [this.#lead, this.#jobs, this.#own, this.#compactor].some((owner) => owner.has(task));
    if (!isRunning) return `there is no running task ${task}`;
    this.#emit({ type: 'task.deadline', task, atMs: this.#deadlines.set(task, afterMs) });
    return null;
  }

  #switchModel(profile: string, effort: string | undefined): string | null {
    const busy = this.#lead.refusal();
    if (busy !== null) return busy;
    if (this.#conversation.switchTo(profile, effort)) this.#gate.forget();
    this.#emit({ type: 'model.switched', model: this.#conversation.model });
    tellUse(this.#window(), this.#emit);
    return null;
  }

  #onTarget(event: TargetEvent): void {
    if (event.type === 'summary') this.#emit({ type: 'target.changed', target: event.summary });
    else if (event.type === 'notice') this.#emit({ type: 'warning', message: event.message });
    else if (event.type === 'background') this.#follow(event.command);
    else {
      if (event.type === 'pane.closed') this.#keyboard.closed(event.pane);
      if (event.type !== 'pane.command' || !this.#keyboard.heard(event)) this.#emit(event);
    }
  }

  /** Denies what is asked, cancels what runs, closes the target, then tells that it is over. With `keep` commands go on. Runs once. */
  async #shutDown(keep: boolean): Promise<void> {
    this.#stopping = true;
    this.#emit({ type: 'lifecycle.stopping' });
    this.#gate.denyAll();
    this.#lane.giveBack();
    const { ended } = this.#lead;
    // A prompt that is cancelled interrupts its command: what is to go on must have been let go before.
    const kept = keep && (await this.#closeTarget('keep'));
    this.#starting.abort();
    this.#mentions.stop();
    this.#lead.stop();
    this.#own.stop();
    await settledWithin(ended, STOP_GRACE_MS, this.#options.clock);
    this.#deadlines.dispose();
    this.#jobs.dispose();
    this.#keyboard.dispose();
    await Promise.all([this.#options.servers?.close(), keep ? null : this.#closeTarget('end')]);
    await ended;
    await this.#own.end();
    this.#owned.dispose();
    await this.#hooks.end();
    await this.#options.extensions?.close();
    await this.#sessions.close();
    this.#emit({ type: 'lifecycle.stopped', kept });
    this.#close();
  }

  /** True when the terminal was kept. */
  #closeTarget(how: TargetEnd): Promise<boolean> {
    return this.#options.target.close(how).catch((thrown: unknown) => {
      this.#emit({ type: 'warning', message: asBuddyError(thrown, 'target.close').message });
      return false;
    });
  }

  #newTask(): TaskId {
    return String(++this.#taskCount);
  }
}
