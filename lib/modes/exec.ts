/** exec: one prompt without a screen. The answer goes to standard output, everything else to standard error. */

import { BuddyError, exitCodes } from '../base/errors.js';
import type { Host } from '../base/host.js';
import { jsonLine } from '../base/json-line.js';
import { type Visible, visible, visibleLine } from '../base/visible.js';
import type { Options } from '../cli-options.js';
import type { Redactor } from '../policy/redaction.js';
import type { RuntimeEvent, RuntimeEventEnvelope } from '../protocol/events.js';
import type { OfferedCommand } from '../protocol/offered.js';
import { ruleText } from '../protocol/rules.js';
import { attachmentText } from '../view/attachment-words.js';
import { computedWords } from '../view/computed-risk.js';
import { compactedText } from '../view/conversation-events.js';
import { type Assembly, assemble } from './assembly.js';
import { configOf, recordingOf } from './assembly-config.js';
import { checkSession } from './checked-session.js';
import { connectedPlace } from './connecting.js';
import { ExecUsage } from './exec-usage.js';
import { firstCommands } from './resumed.js';
import { headerBefore } from './stream-header.js';

export interface ExecRequest {
  readonly options: Options;
  readonly prompt: string;
  readonly autoApprove: boolean;
  readonly json: boolean;
  /** `new`, `last` or an id; null: nothing is kept. */
  readonly session: string | null;
  /** Say at the end what it took. */
  readonly usage: boolean;
}

/** One whose prompt is whole. */
interface Prompted extends ExecRequest {
  /** What of it stood on the command line. */
  readonly words: string;
}

/** All was allowed, and still it is asked about. */
const NARROWED =
  '--dangerously-auto-approve does not cover it once words of strangers were read: let a prompt of its own do it, use the dashboard, or set ' +
  'tools.exposure_narrows = false where nothing can be lost.';
/** A terminal of the size that most programs expect. */
const PANE = { cols: 120, rows: 40 } as const;

/** Resolves with the exit code when everything is put away. Throws BuddyError for bad input. */
export async function exec(host: Host, request: ExecRequest): Promise<number> {
  const config = await configOf(host, request.options);
  if (request.session !== null) checkSession(host, config, request.session);
  const prompt = await wholePrompt(host, request.prompt);
  const say = (line: string) => host.stderr.write(`${host.masked?.(line) ?? line}\n`);
  const place = await connectedPlace(host, config, request.options);
  const recording = recordingOf(host, request.options, config, (message) => say(`buddy-tui: ${message}`));
  const assembly = await assemble(host, {
    options: request.options,
    config,
    policy: request.autoApprove ? { kind: 'all' } : { kind: 'ask' },
    interactive: false,
    place,
    pane: PANE,
    adopt: config.settings['tmux.on_exit'] === 'keep',
    keepsSession: request.session !== null,
    ...recording,
  });
  for (const notice of assembly.notices) say(`buddy-tui: ${visible(notice)}`);
  if (config.profile.api === 'demo')
    say(`buddy-tui: this is the demo, not a real model. ${visible(config.demoHint ?? 'Choose one with -m.')}`);
  try {
    return await new Execution(host, { ...request, prompt, words: request.prompt }, assembly, {
      keep: config.settings['tmux.on_exit'] === 'keep',
      redact: recording.secrets.redact,
    }).run();
  } finally {
    recording.trace?.close();
  }
}

/** The words of the command line, and what was piped in after them. Throws `usage.prompt` when both are empty. */
async function wholePrompt(host: Host, words: string): Promise<string> {
  const piped = host.stdin.isTTY ? '' : await readAll(host.stdin);
  const parts = [words, piped.trimEnd()].filter((part) => part.trim() !== '');
  if (parts.length > 0) return parts.join('\n\n');
  throw new BuddyError('usage.prompt', 'exec needs a prompt', { hint: 'Write it after exec, or pipe it in.' });
}

async function readAll(stream: AsyncIterable<unknown>): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of stream) pieces.push(Buffer.from(piece as Uint8Array));
  } catch {
    // A standard input that cannot be read (closed, a folder) holds nothing.
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** One run: listens, prints, and knows how it ended. */
class Execution {
  readonly #host: Host;
  readonly #request: Prompted;
  readonly #assembly: Assembly;
  readonly #keep: boolean;
  readonly #redact: Redactor;
  readonly #usage = new ExecUsage();
  #answer: Visible | null = null;
  #code: number = exitCodes.failed;
  #ending = false;
  #stopped = false;
  /** Whether the session is kept; null: it is not asked for, or nothing was written yet. */
  #kept: Extract<RuntimeEvent, { type: 'session.storage' }> | null = null;
  #isLossTold = false;
  #offered: readonly OfferedCommand[] = [];
  /** The skill or template that the prompt is made of; null: it is the person's own. */
  #invoked: string | null = null;

  /** `keep`: the tmux session is left behind. What is printed may be kept by whoever started this: nobody decides on it, so all of it is redacted. */
  constructor(host: Host, request: Prompted, assembly: Assembly, { keep, redact }: { readonly keep: boolean; readonly redact: Redactor }) {
    this.#host = host;
    this.#request = request;
    this.#assembly = assembly;
    this.#keep = keep;
    this.#redact = redact;
  }

  async run(): Promise<number> {
    const { runtime, port } = this.#assembly;
    port.onEvent((envelope) => this.#onEvent(envelope));
    const stopListening = [
      this.#host.on('SIGINT', () => this.#stop(exitCodes.interrupted)),
      this.#host.on('SIGTERM', () => this.#stop(exitCodes.terminated)),
      this.#host.on('SIGHUP', () => this.#stop(exitCodes.hangup)),
    ];
    this.#host.stdout.on('error', () => this.#end(exitCodes.failed));
    try {
      await runtime.start();
      this.#host.timing?.mark('target');
      const { session, options } = this.#request;
      const earlier = session === null || session === 'new' ? null : { session };
      for (const command of firstCommands(earlier, options)) port.send(command);
      if (earlier === null) this.#submit();
      await runtime.closed;
      await this.#printAnswer();
      this.#printUsage();
      this.#tellSession();
    } catch (thrown) {
      port.send({ type: 'runtime.shutdown', keep: this.#keep });
      await runtime.closed;
      if (!this.#ending) throw thrown;
    } finally {
      for (const stop of stopListening) stop();
    }
    return this.#code;
  }

  #submit(): void {
    // What is piped in is not the person's own words: no `@` in it brings anything along.
    const { prompt, words: mentions } = this.#request;
    const [, name, args = ''] = /^\/([\w:-]+)(?:\s+(.*))?$/s.exec(prompt.trim()) ?? [];
    const offered = this.#offered.find((of) => of.name === name && (of.kind === 'skill' || of.kind === 'template'));
    if (offered === undefined) {
      this.#assembly.port.send({ type: 'prompt.submit', text: prompt, mentions });
      return;
    }
    this.#invoked = offered.name;
    this.#assembly.port.send({ type: 'command.invoke', name: offered.name, args: args.trim(), mentions });
  }

  /** A signal: the first one ends in order, the second one at once (tmux then ends the session by itself). */
  #stop(code: number): void {
    if (this.#stopped) this.#host.exit(code);
    this.#stopped = true;
    this.#code = code;
    this.#end(code);
  }

  #end(code: number): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#code = code;
    this.#assembly.port.send({ type: 'runtime.shutdown', keep: this.#keep });
  }

  #onEvent(envelope: RuntimeEventEnvelope): void {
    const { event } = envelope;
    this.#usage.hear(envelope);
    if (this.#request.json) this.#printEnvelope(envelope);
    else this.#print(event);
    if (event.type === 'session.storage') this.#kept = event;
    if (event.type === 'commands.offered') this.#offered = event.commands;
    if (event.type === 'task.started') this.#invoked = null;
    // It gave no prompt.
    if (event.type === 'warning' && this.#invoked !== null && event.message.startsWith(`/${this.#invoked}: `)) this.#end(exitCodes.failed);
    if (event.type === 'warning' && event.message.startsWith(`Session ${this.#kept?.session} is not saved`)) this.#isLossTold = true;
    // Without the session that was asked for the prompt would be answered by a model that knows nothing of it.
    if (event.type === 'session.resumed') this.#submit();
    if (event.type === 'command.refused' && event.command === 'session.resume') this.#end(exitCodes.failed);
    if (event.type === 'approval.resolved' && event.by === 'policy') this.#refuse();
    if (event.type === 'task.ended' && event.task === '1') this.#end(event.outcome === 'completed' ? exitCodes.ok : exitCodes.failed);
  }

  #printEnvelope(envelope: RuntimeEventEnvelope): void {
    const header = headerBefore(envelope, { mode: 'exec', cwd: this.#host.cwd, notices: [] });
    for (const line of header === null ? [envelope] : [header, envelope]) this.#host.stdout.write(`${jsonLine(line, this.#redact)}\n`);
  }

  /** Nobody is there to ask: the run ends here, before the model talks on. */
  #refuse(): void {
    if (this.#ending) return;
    this.#say('buddy-tui: exec cannot ask for approval, so it did not run.');
    this.#say(this.#request.autoApprove ? NARROWED : 'Use the dashboard, or give --dangerously-auto-approve.');
    this.#end(exitCodes.failed);
  }

  #print(event: RuntimeEvent): void {
    switch (event.type) {
      case 'model.answered':
        this.#hear(event.message.text, event.message.calls.length === 0);
        return;
      case 'task.attached':
        for (const part of event.attached) this.#say(`+ ${visibleLine(attachmentText(part), 'exact')}`);
        return;
      case 'tool.requested':
        this.#say(`▶ ${visibleLine(event.name, 'exact')}  ${visibleLine(event.preview, 'exact')}`);
        return;
      case 'approval.requested': {
        const { computed, notes = [] } = event.request;
        for (const note of notes) this.#say(`  ${visibleLine(note)}`);
        if (computed === undefined) return;
        const reasons = computed.reasons.length === 0 ? '' : `: ${computed.reasons.join('; ')}`;
        this.#say(`  computed: ${visibleLine(computedWords(computed).join(', ') + reasons)}`);
        return;
      }
      case 'command.refused':
        this.#say(`buddy-tui: ${visibleLine(event.reason)}`);
        return;
      case 'approval.ruled':
        this.#say(`  not asked: your rule ${event.rule.id}, ${visibleLine(ruleText(event.rule), 'exact')}`);
        return;
      case 'tool.ended':
        this.#say(`  ${visibleLine(event.summary)}`);
        return;
      case 'model.retrying':
        this.#say(`buddy-tui: ${visibleLine(event.reason)}; next try in ${Math.ceil((event.atMs - this.#host.clock.now()) / 1000)} s`);
        return;
      case 'context.compacted':
        this.#say(`buddy-tui: ${compactedText(event)}`);
        return;
      case 'notice':
      case 'warning':
        this.#say(`buddy-tui: ${visibleLine(event.message)}`);
        return;
      case 'task.ended':
        if (event.error !== null) this.#say(`buddy-tui: ${visible([event.error.message, event.error.hint ?? ''].join('\n').trim())}`);
        return;
      default:
        return;
    }
  }

  /** What comes before the last answer is said while working; only the last is the answer. */
  #hear(text: string, isLast: boolean): void {
    if (text.trim() === '') return;
    if (isLast) this.#answer = visible(text.trimEnd());
    else this.#say(visible(text.trimEnd()));
  }

  /** The answer: as it is for a pipe, set for reading on a terminal. */
  async #printAnswer(): Promise<void> {
    const { stdout, env } = this.#host;
    if (this.#answer === null) return;
    const styled = stdout.isTTY === true && this.#request.options.color && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
    const text = styled
      ? (await import('./terminal-markdown.js')).renderMarkdown(this.#answer, stdout.columns > 0 ? stdout.columns : 80)
      : this.#answer;
    stdout.write(`${text}\n`);
  }

  #printUsage(): void {
    if (this.#request.json) this.#host.stdout.write(`${jsonLine(this.#usage.asEnvelope(this.#host.clock.now()))}\n`);
    if (this.#request.usage) this.#say(`buddy-tui: ${this.#usage.inWords()}`);
  }

  /** The session to go on in; it is among the events already when they are what is printed. */
  #tellSession(): void {
    if (this.#kept === null || this.#request.json || this.#isLossTold) return;
    const { session, trouble } = this.#kept;
    this.#say(trouble === null ? `buddy-tui: session ${session}` : `buddy-tui: the session was not saved: ${visibleLine(trouble)}`);
  }

  #say(line: string): void {
    this.#host.stderr.write(`${this.#redact(line)}\n`);
  }
}
