/** The dashboard: the full-screen front end. Takes the terminal, paints, and only then builds what runs behind it. */

import { asBuddyError, type BuddyError, exitCodes } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { lateListener } from '../base/late-listener.js';
import type { Visible } from '../base/visible.js';
import type { Options } from '../cli-options.js';
import type { LoadedConfig } from '../config/load.js';
import type { RuntimeCommand } from '../protocol/commands.js';
import type { InputEvent } from '../protocol/input.js';
import type { PaneId } from '../protocol/panes.js';
import type { RuntimePort } from '../protocol/runtime-port.js';
import type { Runtime } from '../runtime/runtime.js';
import type { Place } from '../targets/index.js';
import { createFrames, type Frames } from '../tui/frames.js';
import { openTerminal, type Terminal } from '../tui/terminal.js';
import { attention, progressOf, windowTitle } from '../view/attention.js';
import { createComposer } from '../view/compose.js';
import type { Effect, Step } from '../view/effects.js';
import { keepsUnasked } from '../view/leaving.js';
import { type Action, reduce } from '../view/reducer.js';
import { loadMarkdown } from '../view/rows/markdown.js';
import type { State } from '../view/state.js';
import { unsentText, withDraft } from '../view/unsent.js';
import { Answers } from './answered-effects.js';
import { configOf, type Recording, recordingOf } from './assembly-config.js';
import { connectedPlace } from './connecting.js';
import { firstState } from './first-state.js';
import { goodbye } from './goodbye.js';
import { type KeptDraft, openKeptDraft } from './kept-draft.js';
import { type KeptLayout, openKeptLayout } from './kept-layout.js';
import { keptWords } from './kept-words.js';
import { bindingsOf } from './key-choice.js';
import { strayLog } from './log.js';
import { needsPlain, needTerminal } from './needed-terminal.js';
import { type PromptHistory, promptHistoryOf } from './prompt-history.js';
import { firstCommands, type Resume } from './resumed.js';
import { ScreenRecording } from './screen-recording.js';
import { ThemeChoice } from './theme-choice.js';

/** How often time is told to the screen, and the unsent text is saved when it has changed (milliseconds). */
const TICK_MS = 250;
const DRAFT_MS = 2000;

/** Resolves with the exit code once the terminal is given back and nothing runs any more. Throws BuddyError before the screen is taken. */
export async function dashboard(host: Host, options: Options, resume: Resume | null = null): Promise<number> {
  if (needsPlain(host, options)) return (await import('./plain.js')).plain(host, options, resume);
  needTerminal(host);
  const config = await configOf(host, options);
  const place = await connectedPlace(host, config, options);
  try {
    return await new Dashboard(host, options, config, place).run(resume);
  } finally {
    await place?.close();
  }
}

/** One run: owns the state, the terminal and what runs behind. */
class Dashboard {
  readonly #host: Host;
  readonly #options: Options;
  readonly #config: LoadedConfig;
  readonly #place: Place | null;
  readonly #history: PromptHistory;
  readonly #draft: KeptDraft;
  readonly #layout: KeptLayout;
  readonly #themes: ThemeChoice;
  readonly #answers: Answers;
  readonly #compose = createComposer();
  readonly #notices: string[] = [];
  readonly #recording: Recording;
  readonly #screen: ScreenRecording;
  #terminal: Terminal | null = null;
  #frames: Frames | null = null;
  #port: RuntimePort | null = null;
  #runtime: Runtime | null = null;
  /** Loaded after the first picture, with what keys mean. */
  #settle = (state: State): Step => ({ state, effects: [] });
  #slash = (_line: string, state: State): Step => this.#settle(state);
  /** What a person asked for before there was a runtime. */
  readonly #early: RuntimeCommand[] = [];
  /** Another program has the terminal: nothing we draw is seen. */
  #lent = false;
  /** Why there can be no dashboard after all. */
  #refusal: BuddyError | null = null;
  #state: State;
  #code: number = exitCodes.ok;
  #lastAnswer = '';
  #ending = false;
  /** The search for files behind `@`. */
  #files = new AbortController();
  /** What is told of a tmux session that was left behind. */
  #keptWords: readonly Visible[] = [];
  #end: () => void = () => undefined;
  readonly #ended: Promise<void>;

  constructor(host: Host, options: Options, config: LoadedConfig, place: Place | null) {
    this.#host = host;
    this.#place = place;
    this.#options = options;
    this.#config = config;
    this.#recording = recordingOf(host, options, config, (message) => this.#dispatch({ type: 'notice', level: 'error', text: message }));
    this.#screen = new ScreenRecording(this.#recording.trace, host.clock);
    this.#draft = openKeptDraft(host, config.settings['display.persist_history'], this.#recording.secrets.redact);
    this.#history = promptHistoryOf(host, config, this.#recording.secrets);
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#layout = openKeptLayout(host, (notice) => this.#tellOrKeep(notice));
    const screen = { state: () => this.#state, dispatch: (action: Action) => this.#dispatch(action) };
    this.#themes = new ThemeChoice({
      ...{ host, config, ...screen },
      toast: (level, text) => this.#toast(level, text),
      ask: (question) => this.#terminal?.ask(question),
    });
    this.#answers = new Answers({ host, options, config, ...screen, carryOut: (effect) => this.#carryOut(effect) });
    this.#state = firstState(host, config, {
      theme: this.#themes.first((notice) => this.#notices.push(notice)),
      history: this.#history.earlier,
      bindings: bindingsOf(host, config, (notice) => this.#notices.push(notice)),
      arrangements: this.#layout.arrangements,
    });
    if (this.#draft.earlier !== '') this.#state = withDraft(this.#state, this.#draft.earlier);
  }

  async run(resume: Resume | null): Promise<number> {
    const { clock } = this.#host;
    const terminal = openTerminal(this.#host, {
      color: this.#config.settings['display.color'],
      glyphs: this.#config.settings['display.glyphs'],
      notifyBy: this.#config.settings['display.notify'],
      title: this.#config.settings['display.title'],
      mouse: this.#config.settings['mouse.enabled'],
      onStray: strayLog(this.#host, this.#options, this.#recording.secrets.redact),
      onStop: (code) => this.#quit(code, keepsUnasked(this.#state)),
    });
    this.#host.timing?.mark('terminal');
    this.#terminal = terminal;
    this.#state = reduce(this.#state, { type: 'resized', size: terminal.size });
    this.#frames = createFrames({ clock, draw: () => this.#draw(), sink: terminal });
    this.#draw();
    this.#host.timing?.mark('first picture');
    this.#screen.begin(this.#state, terminal.glyphSet);
    this.#themes.begin();
    const listening = [
      terminal.onInput(lateListener(this.#loadKeyboard())),
      terminal.onResize((size) => this.#dispatch({ type: 'resized', size })),
      clock.every(TICK_MS, () => this.#dispatch({ type: 'tick', nowMs: clock.now() })),
      clock.every(DRAFT_MS, () => this.#draft.keep(unsentText(this.#state))),
    ];
    try {
      await this.#begin(resume);
      await this.#ended;
      await this.#runtime?.closed;
    } finally {
      for (const entry of listening) entry.dispose();
      this.#files.abort();
      this.#answers.close();
      this.#frames.dispose();
      this.#draft.keep(unsentText(this.#state));
      terminal.close();
      await this.#layout.settled();
      this.#recording.trace?.close();
    }
    if (this.#refusal !== null) throw this.#refusal;
    this.#sayGoodbye();
    return this.#host.exit(this.#code);
  }

  async #loadKeyboard(): Promise<(input: InputEvent) => void> {
    const { handleInput, settle, slashStep, slashCommands } = await import('./keyboard-side.js');
    this.#settle = settle;
    this.#slash = slashStep;
    this.#dispatch({ type: 'commands.loaded', commands: slashCommands });
    return (input) => {
      if (input.type === 'reply') this.#themes.heard(input.bytes);
      const nowMs = this.#host.clock.now();
      this.#step(this.#screen.heard(input, nowMs, this.#state, handleInput(this.#state, input, nowMs)));
      // A wheel and a pointer tell of each step: more than one in a frame is nothing to see.
      if (input.type === 'mouse' && input.action !== 'press' && input.action !== 'release') this.#frames?.request();
      else this.#frames?.requestNow();
    };
  }

  /** What the first picture does not need: the runtime, the target, the markdown. */
  async #begin(resume: Resume | null): Promise<void> {
    const { assemble } = await import('./assembly.js');
    const { runtime, port, notices, extensions } = await assemble(this.#host, {
      options: this.#options,
      config: this.#config,
      policy: { kind: 'ask' },
      interactive: true,
      place: this.#place,
      pane: { cols: 80, rows: 24 },
      adopt: true,
      keepsSession: true,
      ...this.#recording,
    });
    this.#port = port;
    this.#themes.follow(extensions.themes);
    this.#runtime = runtime;
    port.onEvent((envelope) => {
      if (envelope.event.type === 'lifecycle.stopped' && !envelope.event.kept) this.#keptWords = [];
      if (envelope.event.type === 'model.answered' && envelope.event.message.text !== '') this.#lastAnswer = envelope.event.message.text;
      this.#dispatch({ type: 'runtime', envelope });
    });
    if (this.#ending) return port.send({ type: 'runtime.shutdown', keep: false });
    const started = runtime.start();
    for (const text of [...this.#notices, ...notices].map(this.#recording.secrets.redact))
      this.#dispatch({ type: 'notice', level: 'warning', text });
    started.then(() => this.#host.timing?.mark('target')).catch((thrown: unknown) => this.#onStartFailed(thrown));
    if (resume === 'choose') this.#dispatch({ type: 'picker.open', kind: 'session' });
    for (const command of [...firstCommands(resume, this.#options), ...this.#early.splice(0)]) port.send(command);
    this.#dispatch({ type: 'theme.names', names: await this.#themes.names() });
    this.#dispatch({ type: 'markdown.loaded', lex: await loadMarkdown() });
    if (this.#config.profile.api !== 'demo') void import('openai').catch(() => undefined);
  }

  #onStartFailed(thrown: unknown): void {
    if (this.#ending) return;
    const error = asBuddyError(thrown, 'target.start');
    if (error.code === 'target.own-pane') {
      this.#refusal = error;
      this.#quit(exitCodes.usage, false);
      return;
    }
    const text = [`The shared terminal could not be started: ${error.message}`, error.hint ?? ''].join('\n').trim();
    this.#dispatch({ type: 'notice', level: 'error', text });
  }

  #dispatch(action: Action): void {
    this.#step({ state: this.#screen.reduce(this.#state, action), effects: [] });
  }

  #step({ state, effects }: Step): void {
    const before = this.#state;
    const settled = this.#settle(state);
    this.#state = settled.state;
    for (const effect of [...effects, ...settled.effects]) this.#carryOut(effect);
    if (this.#state === before) return;
    const words = attention(before, this.#state);
    if (words !== null) this.#terminal?.notify(words);
    this.#frames?.request();
  }

  #carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'send':
        if (this.#port === null) this.#early.push(effect.command);
        else this.#port.send(effect.command);
        break;
      case 'slash':
        this.#step(this.#slash(effect.line, this.#state));
        break;
      case 'remember':
        this.#history.add(effect.text);
        break;
      case 'quit':
        this.#quit(exitCodes.ok, effect.keep);
        break;
      case 'suspend':
        this.#terminal?.suspend();
        break;
      case 'repaint':
        this.#terminal?.repaint();
        break;
      case 'copy':
        void this.#copy(effect.text);
        break;
      case 'attach':
        void this.#attach(effect.pane, effect.line);
        break;
      case 'reconnect':
        void this.#reconnect();
        break;
      case 'login':
        void this.#login(effect.provider);
        break;
      case 'logout':
      case 'charts':
      case 'trust':
      case 'settings':
        void this.#answers.answer(effect);
        break;
      case 'theme':
        void this.#themes.wear(effect.name, effect.keep, effect.configured === true);
        break;
      case 'arrangements.keep':
        this.#layout.keep(effect.arrangements);
        break;
      case 'mouse':
        this.#terminal?.setMouse(effect.on);
        break;
      case 'files':
        void this.#listFiles(effect.folder);
        break;
      case 'editor.external':
        void this.#editDraft(effect.text);
        break;
    }
  }

  /** What goes wrong before there is a conversation is told in it as soon as there is one. */
  #tellOrKeep(notice: string): void {
    if (this.#runtime === null) this.#notices.push(notice);
    else this.#dispatch({ type: 'notice', level: 'warning', text: notice });
  }

  #toast(level: 'info' | 'warning', text: string): void {
    this.#dispatch({ type: 'toast', level, text, nowMs: this.#host.clock.now() });
  }

  async #copy(text: string): Promise<void> {
    const { copyText } = await import('./clipboard.js');
    const { isCopied, words } = await copyText(this.#recording.programs(), text, (of) => this.#terminal?.copy(of) ?? false);
    this.#toast(isCopied ? 'info' : 'warning', words);
  }

  /** Another program has the terminal until `use` is through; nothing is drawn meanwhile. */
  async #lend<T>(use: () => Promise<T>): Promise<T | undefined> {
    this.#lent = true;
    const result = await this.#terminal?.lend(use);
    this.#lent = false;
    return result;
  }

  async #editDraft(text: string): Promise<void> {
    const { editExternally } = await import('./external-editor.js');
    const edited = await this.#lend(() => editExternally(this.#recording.programs(), text));
    if (edited === undefined) return;
    if ('trouble' in edited) this.#toast('warning', edited.trouble);
    else if (edited.text !== text) this.#dispatch({ type: 'draft', text: edited.text });
  }

  /** Looks for the files behind `@`, for as long as they are asked for. */
  async #listFiles(folder: string | null): Promise<void> {
    this.#files.abort();
    const files = new AbortController();
    this.#files = files;
    if (folder === null) return;
    const { listFiles } = await import('./file-list.js');
    await listFiles(folder, this.#host.clock, (found) => this.#dispatch({ type: 'files', folder, ...found }), files.signal);
  }

  /** A takeover with the whole terminal: what was run is told as after F6. */
  async #attach(pane: PaneId, line: string): Promise<void> {
    const { attachHere } = await import('./attach.js');
    this.#dispatch({ type: 'attached', on: true });
    this.#port?.send({ type: 'pane.takeover', pane });
    const trouble = await this.#terminal?.lend(() => attachHere(this.#recording.programs(), line));
    this.#port?.send({ type: 'pane.handback', pane });
    this.#dispatch({ type: 'attached', on: false });
    if (trouble != null) this.#dispatch({ type: 'notice', level: 'error', text: trouble });
  }

  /** ssh asks with the terminal to itself. What became of it is told by the target, and here when it could not be tried to the end. */
  async #reconnect(): Promise<void> {
    const place = this.#place;
    if (place === null) return;
    if (place.state.kind === 'connected' && !place.state.silent)
      return this.#dispatch({ type: 'notice', level: 'info', text: `The connection to ${place.name} stands.` });
    const { reconnectHere } = await import('./reconnect-here.js');
    const trouble = await this.#lend(() => reconnectHere(this.#host, place));
    if (trouble != null) this.#dispatch({ type: 'notice', level: 'error', text: trouble });
    else this.#frames?.requestNow();
  }

  /** The login runs as a program of its own: what is typed there, a key, must not come by our keyboard. */
  async #login(provider: string): Promise<void> {
    const { loginHere } = await import('./login-here.js');
    const words = await this.#lend(() => loginHere(this.#host, this.#config, provider));
    if (words !== undefined) this.#dispatch({ type: 'notice', ...words });
  }

  #draw(): void {
    if (this.#lent) return;
    this.#terminal?.present(this.#compose(this.#state));
    this.#terminal?.setTitle(windowTitle(this.#state), progressOf(this.#state));
    if (this.#terminal?.busy === true) return;
    this.#state = this.#screen.reduce(this.#state, { type: 'shown', nowMs: this.#host.clock.now() });
  }

  #quit(code: number, keep: boolean): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#code = code;
    this.#keptWords = keep ? keptWords(this.#state) : [];
    this.#port?.send({ type: 'runtime.shutdown', keep });
    this.#end();
  }

  /** What a person wants to keep when the screen is gone. */
  #sayGoodbye(): void {
    this.#host.stdout.write(goodbye(this.#code, this.#lastAnswer, this.#keptWords, this.#state, this.#options));
  }
}
