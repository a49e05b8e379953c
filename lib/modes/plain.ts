/** The plain mode: all of the runtime's features as a conversation of lines. Only ever appends, for screen readers, dumb terminals and pipes. */

import { createInterface, type Interface } from 'node:readline';
import { reportBugs } from '../base/bug-report.js';
import { exitCodes } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { visible } from '../base/visible.js';
import type { Options } from '../cli-options.js';
import { runSlash, slashCommands } from '../commands/index.js';
import type { ApprovalRequest } from '../protocol/approvals.js';
import type { RuntimeCommand } from '../protocol/commands.js';
import type { RuntimeEventEnvelope } from '../protocol/events.js';
import type { Effect } from '../view/effects.js';
import { pickers } from '../view/pickers/index.js';
import { type Action, reduce } from '../view/reducer.js';
import type { SettingsAsk } from '../view/settings-view.js';
import { initialState, isBusy, runningTurn, type State } from '../view/state.js';
import { parseTheme } from '../view/theme.js';
import { usageLines } from '../view/widgets/usage.js';
import { type Assembly, assemble } from './assembly.js';
import { configOf, recordingOf } from './assembly-config.js';
import { connectedPlace } from './connecting.js';
import { projectView } from './first-state.js';
import { sessionWords } from './goodbye.js';
import { type PlainRuling, rulingAfter, rulingWords } from './plain-rule.js';
import { choicesFor, wordsOf } from './plain-words.js';
import { firstCommands, type Resume } from './resumed.js';

/** Nobody looks at the pane. */
const UNSEEN = { cols: 0, rows: 0 } as const;
/** Columns of a table. */
const TABLE_COLUMNS = 80;
/** A line entered sooner after a question meant something else. */
const ARMED_AFTER_MS = 400;

/** Resolves with the exit code when everything is put away. Throws BuddyError for bad input. */
export async function plain(host: Host, options: Options, resume: Resume | null = null): Promise<number> {
  reportBugs(host);
  const config = await configOf(host, options);
  const say = (line: string) => host.stdout.write(`${line}\n`);
  const place = await connectedPlace(host, config, options);
  const recording = recordingOf(host, options, config, (message) => say(`Warning: ${message}`));
  const assembly = await assemble(host, {
    options,
    config,
    policy: { kind: 'ask' },
    // Lines from a pipe were written before the question was known.
    interactive: host.stdin.isTTY === true,
    place,
    pane: UNSEEN,
    adopt: config.settings['tmux.on_exit'] === 'keep',
    keepsSession: host.stdin.isTTY === true || resume !== null,
    ...recording,
  });
  for (const notice of assembly.notices) say(`Warning: ${visible(recording.secrets.redact(notice))}`);
  if (config.demoHint !== null) say(`This is the demo, not a real model. ${visible(config.demoHint)}`);
  try {
    const conversation = new PlainConversation(host, options, assembly, say, config.settings['tmux.on_exit'] === 'keep');
    const code = await conversation.run(firstCommands(resume, options));
    for (const line of conversation.goodbye(options)) say(line);
    return code;
  } finally {
    recording.trace?.close();
  }
}

/** One run: lines in, lines out. */
class PlainConversation {
  readonly #host: Host;
  readonly #options: Options;
  readonly #assembly: Assembly;
  readonly #say: (line: string) => void;
  readonly #lines: Interface;
  /** There is no question at the end: the tmux session is left behind when the settings say so, or `/quit keep`. */
  #keep: boolean;
  #state: State;
  /** When the question in front was said. */
  #askedMs = 0;
  /** The next line is the reason for a no. */
  #explaining: ApprovalRequest | null = null;
  /** The next line chooses of a rule. */
  #ruling: PlainRuling | null = null;
  #inputIsOver = false;
  /** What is said of the folder has to be looked for first. */
  #told: Promise<void> = Promise.resolve();
  #ending = false;
  /** Ends what is still being done when the program is left. */
  readonly #leaving = new AbortController();
  #code: number = exitCodes.ok;

  constructor(host: Host, options: Options, assembly: Assembly, say: (line: string) => void, keep: boolean) {
    this.#options = options;
    this.#keep = keep;
    this.#host = host;
    this.#assembly = assembly;
    this.#say = say;
    const { clock, version } = host;
    const theme = parseTheme('{"name":"plain"}');
    this.#state = initialState({
      size: { cols: 80, rows: 24 },
      theme,
      version,
      nowMs: clock.now(),
      commands: slashCommands,
      onExit: keep ? 'keep' : 'kill',
      project: projectView(assembly.config),
    });
    // A pipe is not echoed; on a terminal the line is edited as anywhere else.
    this.#lines = createInterface({
      input: host.stdin,
      output: host.stdout,
      terminal: host.stdin.isTTY === true && host.env['TERM'] !== 'dumb',
    });
    this.#lines.setPrompt('> ');
  }

  /** How to go on in the session. */
  goodbye(options: Options): readonly string[] {
    return sessionWords(this.#state, options);
  }

  async run(first: readonly RuntimeCommand[]): Promise<number> {
    const { runtime, port } = this.#assembly;
    port.onEvent((envelope) => this.#onEvent(envelope));
    const stopListening = [
      this.#host.on('SIGTERM', () => this.#stop(exitCodes.terminated)),
      this.#host.on('SIGHUP', () => this.#stop(exitCodes.hangup)),
      this.#host.on('SIGINT', () => this.#interrupt()),
    ];
    this.#host.stdout.on('error', () => this.#end(exitCodes.failed));
    this.#lines.on('SIGINT', () => this.#interrupt());
    this.#lines.on('line', (line) => this.#entered(line));
    this.#lines.on('close', () => this.#inputEnded());
    try {
      const started = runtime.start();
      // Before any line of a pipe.
      for (const command of first) port.send(command);
      await started;
      this.#host.timing?.mark('target');
      this.#prompt();
      await runtime.closed;
      await this.#told;
    } catch (thrown) {
      port.send({ type: 'runtime.shutdown', keep: this.#keep });
      await runtime.closed;
      if (!this.#ending) throw thrown;
    } finally {
      this.#lines.close();
      for (const stop of stopListening) stop();
    }
    return this.#code;
  }

  #onEvent(envelope: RuntimeEventEnvelope): void {
    const { event } = envelope;
    const wasUnsaved = this.#state.kept.storage?.trouble != null;
    this.#reduce({ type: 'runtime', envelope });
    const words = wordsOf(event, this.#host.clock.now(), wasUnsaved);
    for (const line of words) this.#say(line);
    if (event.type === 'approval.requested') this.#askedMs = this.#host.clock.monotonic();
    if (event.type === 'approval.resolved' && this.#explaining?.id === event.approval) this.#explaining = null;
    if (event.type === 'approval.resolved' && this.#ruling?.request.id === event.approval) this.#ruling = null;
    if (event.type === 'task.ended' && isTurn(this.#state, event.task)) this.#turnEnded(event.outcome === 'completed');
    if (words.length > 0 && !this.#ending && !isBusy(this.#state)) this.#prompt(true);
  }

  /** After one that did not end well those that waited do not run. What was summarised within a prompt is the prompt's affair. */
  #turnEnded(isWell: boolean): void {
    if (!this.#inputIsOver || isBusy(this.#state)) return;
    if (!isWell) this.#code = exitCodes.failed;
    this.#endWhenIdle();
  }

  /** What was handed over just now, and the next of those that wait, has begun in a moment. */
  #endWhenIdle(): void {
    queueMicrotask(() => {
      if (!isBusy(this.#state) && this.#state.queue.length === 0) this.#end(this.#code);
    });
  }

  #entered(line: string): void {
    const [request] = this.#state.approvals;
    if (request !== undefined && this.#host.stdin.isTTY === true) this.#answer(request, line);
    else if (line.trim().startsWith('/')) this.#slash(line);
    else if (line.trim() !== '') this.#submit(line);
    if (!this.#ending && !isBusy(this.#state)) this.#prompt();
  }

  /** On a terminal a line steers what runs; lines of a pipe wait for each other. */
  #submit(text: string): void {
    const steers = isBusy(this.#state) && this.#host.stdin.isTTY === true;
    this.#assembly.port.send({ type: steers ? 'prompt.steer' : 'prompt.submit', text });
  }

  #answer(request: ApprovalRequest, line: string): void {
    if (this.#explaining !== null) {
      this.#explaining = null;
      this.#assembly.port.send({ type: 'approval.answer', approval: request.id, decision: 'deny', feedback: line });
      return;
    }
    if (this.#ruling !== null) {
      this.#choose(this.#ruling, line);
      return;
    }
    const chosen = choicesFor(request)[Number(line.trim()) - 1];
    if (chosen === undefined || this.#host.clock.monotonic() - this.#askedMs < ARMED_AFTER_MS) {
      this.#say(`The question still waits: enter a number from 1 to ${choicesFor(request).length}.`);
    } else if (chosen.decision === 'feedback') {
      this.#explaining = request;
      this.#say('Why not? The model is told.');
    } else if (chosen.decision === 'rule') this.#offer({ request, subject: null });
    else this.#assembly.port.send({ type: 'approval.answer', approval: request.id, decision: chosen.decision });
  }

  #offer(ruling: PlainRuling): void {
    this.#ruling = ruling;
    this.#askedMs = this.#host.clock.monotonic();
    for (const words of rulingWords(ruling)) this.#say(words);
  }

  /** A line that was entered too soon, or is no number of the list, goes back to the question. */
  #choose(ruling: PlainRuling, line: string): void {
    const isEarly = this.#host.clock.monotonic() - this.#askedMs < ARMED_AFTER_MS;
    const next = isEarly ? null : rulingAfter(ruling, line);
    this.#ruling = null;
    if (next === null) this.#say('No rule was made. The question still waits.');
    else if ('request' in next) this.#offer(next);
    else this.#assembly.port.send({ type: 'approval.answer', approval: ruling.request.id, decision: 'rule', rule: next });
  }

  #slash(line: string): void {
    const { notices, actions, sends, effects } = runSlash(line, this.#state);
    for (const notice of notices) this.#say(visible(notice.text));
    for (const action of actions) this.#reduce(action);
    for (const command of sends) this.#assembly.port.send(command);
    for (const effect of effects) this.#carryOut(effect, line);
    // A list that is searched by typing is of no use here: its entries are said.
    for (const action of actions) {
      // Sessions, settings and servers have to be looked for first: they are said when they have been found.
      if (action.type !== 'picker.open' || ['session', 'settings', 'mcp'].includes(action.kind)) continue;
      for (const { label, says, note } of pickers[action.kind].items(this.#state))
        this.#say(visible([label, says, note].join('  ').trimEnd()));
      this.#say(pickers[action.kind].written ?? 'Write the name behind the command; Tab is not needed.');
    }
    if (actions.some((action) => action.type === 'help'))
      for (const { name, args, says } of slashCommands) this.#say(`/${name} ${args} ${says}`);
  }

  #carryOut(effect: Effect, line: string): void {
    if (effect.type === 'quit') {
      this.#keep = effect.keep;
      this.#end(exitCodes.ok);
    } else if (effect.type === 'send') this.#assembly.port.send(effect.command);
    else if (effect.type === 'charts') for (const words of usageLines(this.#state, TABLE_COLUMNS)) this.#say(words);
    else if (effect.type === 'copy') this.#say(visible(effect.text));
    else if (effect.type === 'login' || effect.type === 'logout')
      this.#say(`Leave with /quit and enter: buddy-tui ${effect.type} ${visible(effect.provider)}`.trimEnd());
    else if (effect.type === 'trust') this.#told = this.#tellFolder();
    else if (effect.type === 'settings') this.#told = this.#tellSettings(effect.ask, line);
    else this.#say(`${line.split(/\s/, 1)[0] ?? ''} needs the full screen.`);
  }

  /** In lines, one question after the other. What the screen alone would show is of no use here. */
  async #tellSettings(ask: SettingsAsk, line: string): Promise<void> {
    await this.#told;
    const { settingsHere } = await import('./settings-here.js');
    const started = { host: this.#host, options: this.#options, config: this.#assembly.config };
    const asked: SettingsAsk = ask.kind === 'look' ? { kind: 'tell', key: null } : ask;
    const { actions, effects } = await settingsHere(started, this.#state, asked, this.#leaving.signal);
    if (this.#leaving.signal.aborted) return;
    for (const action of actions) {
      this.#reduce(action);
      if (action.type === 'notice') for (const words of action.text.split('\n')) this.#say(visible(words));
    }
    for (const effect of effects) if (effect.type === 'send') this.#carryOut(effect, line);
    if (!this.#ending) this.#prompt(true);
  }

  /** The question itself needs a program of its own here: a line that is entered could have been meant for something else. */
  async #tellFolder(): Promise<void> {
    const { trustHere } = await import('./trust-here.js');
    const found = await trustHere({ host: this.#host, config: this.#assembly.config }, null, 'look', this.#leaving.signal);
    if (this.#leaving.signal.aborted) return;
    for (const action of found) if (action.type === 'notice') this.#say(visible(action.text));
    this.#say('To answer, leave with /quit and enter: buddy-tui trust');
    if (!this.#ending) this.#prompt(true);
  }

  /** The sign that a line can be entered; a pipe needs none. `keep`: what is being typed stays. */
  #prompt(keep = false): void {
    if (this.#host.stdin.isTTY === true) this.#lines.prompt(keep);
  }

  /** Ctrl+C: interrupts what runs, or takes leave. */
  #interrupt(): void {
    const running = runningTurn(this.#state);
    if (running === null || running.cancelling) this.#stop(running === null ? exitCodes.ok : exitCodes.interrupted);
    else this.#assembly.port.send({ type: 'task.cancel', task: running.id });
  }

  /** No more lines: what runs is waited for. */
  #inputEnded(): void {
    this.#inputIsOver = true;
    this.#endWhenIdle();
  }

  /** Not after a last line: nothing that was asked for is waited for. */
  #stop(code: number): void {
    this.#leaving.abort();
    this.#end(code);
  }

  #end(code: number): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#code = code;
    this.#assembly.port.send({ type: 'runtime.shutdown', keep: this.#keep });
  }

  #reduce(action: Action): void {
    this.#state = reduce(this.#state, action);
  }
}

/** Is it one of those that have the conversation to themselves, and that the end of a pipe waits for? */
function isTurn(state: State, id: string): boolean {
  const kind = state.tasks.find((task) => task.id === id)?.kind;
  return kind === 'prompt' || kind === 'compaction';
}
