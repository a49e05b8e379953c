/** A place through a managed tmux pane that people can watch and join. */

import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { Emitter } from '../../base/emitter.js';
import { abortError, BuddyError } from '../../base/errors.js';
import { fileTrouble } from '../../base/files.js';
import type { Host } from '../../base/host.js';
import type { Log } from '../../base/log.js';
import type { PaneState, TargetSummary } from '../../protocol/panes.js';
import { assertDeliverable, CommandRun } from '../command-run.js';
import { endForeground } from '../foreground.js';
import { lastLineOf, OutputCleaner } from '../output/cleaning.js';
import { absolutePath } from '../places/paths.js';
import { awayWords, type Place, RECONNECT_MS } from '../places/place.js';
import { settledWithin } from '../settled.js';
import type { ShellChoice } from '../shells/index.js';
import { type StayEnd, stay } from '../stay.js';
import type {
  BackgroundCommand,
  CommandOutput,
  ExecutionTarget,
  RunIo,
  RunOutcome,
  RunRequest,
  TargetEvent,
  TmuxClient,
} from '../target.js';
import { type EmulatorFactory, loadEmulator } from '../terminal-emulator.js';
import { ManagedPane } from './managed-pane.js';
import { createTmuxClient } from './pane-client.js';
import { pasteLines, saveLines } from './pane-commands.js';
import { stateWords } from './pane-status.js';
import type { Session } from './session.js';
import type { ShellPane } from './shell-pane.js';

export interface TmuxTargetOptions {
  readonly host: Host;
  readonly place: Place;
  readonly agent: string;
  readonly socket: string;
  readonly choice: ShellChoice;
  readonly cols: number;
  readonly rows: number;
  readonly log: Log;
  readonly mirror: boolean;
}

/** A typed line that printed no mark by then was swallowed by something. */
const COMMAND_START_MS = 5000;
/** Longer than a shell may take to start. */
const OPENING_MS = 60_000;
/** A prompt that runs `git status` on a slow disk may take a while after the command has ended. */
const PROMPT_MS = 3000;
/** The same for a shell that has stopped to mark its prompts. */
const UNMARKED_PROMPT_MS = 50;
/** Between the steps that end a command: Ctrl-C, Ctrl-\, SIGTERM, SIGKILL. */
const INTERRUPT_GRACE_MS = 3000;

/** What a person typed before the prompt came is shown again by the shell's line editor, right after the prompt. */
const ECHO_MS = 150;

/** A command younger than this may not have started its program yet. */
const SETTLING_MS = 250;

/** Right after a command of ours nobody else can have started one; later tmux is asked, when the shell would not tell by itself. */
const FRESH_MS = 20;

const noOutput: CommandOutput = { text: '', totalBytes: 0, totalLines: 0, truncated: false };

export class TmuxTarget implements ExecutionTarget {
  readonly #host: Host;
  readonly #place: Place;
  readonly #options: TmuxTargetOptions;
  readonly #events = new Emitter<TargetEvent>();
  readonly #cleaner: OutputCleaner;
  readonly #pane: ManagedPane;
  readonly onEvent = this.#events.event;
  readonly tmux: TmuxClient;
  /** A `run` is between its call and its typing. */
  #claimed = false;
  /** The first opening of the pane: commands wait for it, and so does the end. */
  #opening: Promise<void> | null = null;
  #lastEndMs = Number.NEGATIVE_INFINITY;

  constructor(options: TmuxTargetOptions) {
    this.#host = options.host;
    this.#place = options.place;
    this.#options = options;
    let loading: Promise<EmulatorFactory> | null = null;
    const emulators = () => {
      loading ??= loadEmulator();
      return loading;
    };
    this.#cleaner = new OutputCleaner(emulators);
    const pane = new ManagedPane({
      ...options,
      emulators: options.mirror ? emulators : null,
      tell: (event) => this.#events.fire(event),
      moved: () => this.#events.fire({ type: 'summary', summary: this.summary }),
    });
    this.#pane = pane;
    options.place.onState(() => this.#events.fire({ type: 'summary', summary: this.summary }));
    this.tmux = createTmuxClient(pane);
  }

  get summary(): TargetSummary {
    const { kind, label, facts } = this.#place;
    const session = this.#pane.session;
    const program = facts.tmux?.program ?? 'tmux';
    const attach = session === null ? null : this.#place.attachLine([program, '-L', this.#options.socket, 'attach', '-t', session.name]);
    return {
      kind,
      via: 'tmux',
      label,
      host: facts.host,
      user: facts.user,
      cwd: this.#pane.cwd,
      shell: this.#options.choice.shell.name,
      attach,
    };
  }

  get homeDir(): string {
    return this.#place.facts.home;
  }

  start(signal: AbortSignal): Promise<void> {
    this.#opening = this.#open(signal);
    return this.#opening;
  }

  async #open(signal: AbortSignal): Promise<void> {
    if (this.#place.kind === 'local' && (await isManaged(this.#host, this.#place, signal))) {
      throw new BuddyError('target.own-pane', 'this terminal is a pane that buddy-tui manages itself', {
        hint: 'Start buddy-tui in another terminal, outside of its own tmux session.',
      });
    }
    try {
      await this.#pane.open(signal);
    } catch (thrown) {
      await this.#pane.close();
      throw thrown;
    }
  }

  async run(request: RunRequest, io: RunIo): Promise<RunOutcome> {
    assertDeliverable(request.command);
    if (this.#pane.closing.aborted) throw new BuddyError('target.closed', 'the target is closed');
    const begunMs = this.#host.clock.monotonic();
    const { cwd } = this.#pane;
    if (this.#claimed) return this.#refusal('another command is just being started');
    this.#claimed = true;
    let run: CommandRun;
    try {
      const refused = await this.#makeReady(AbortSignal.any([io.signal, this.#pane.closing]));
      if (refused !== null) return refused;
      if (this.#pane.cwd !== cwd) return this.#refusal(`the shell is in ${this.#pane.cwd} now, and the command was meant for ${cwd}`);
      run = new CommandRun(request.command, commandId(), begunMs, (text) => io.onChunk(text));
      this.#deliver(run);
    } catch (thrown) {
      if (!io.signal.aborted) throw thrown;
      return { kind: 'cancelled', stopped: true, output: noOutput, elapsedMs: this.#host.clock.monotonic() - begunMs };
    } finally {
      this.#claimed = false;
    }
    return this.#outcome(run, await stay(run, request.wait, io.signal, this.#host.clock));
  }

  readFile(path: string, range: { readonly offset: number; readonly limit: number }, signal: AbortSignal) {
    return this.#place.readFile(this.#absolute(path), range, signal);
  }

  writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#place.writeFile(this.#absolute(path), bytes, signal);
  }

  async close(): Promise<void> {
    await this.#pane.close();
    await this.#opening?.catch(() => undefined);
    await this.#place.close();
  }

  dispose(): void {
    void this.close();
  }

  #absolute(path: string): string {
    return absolutePath(path, this.#pane.cwd, this.#place.facts.home);
  }

  /** Brings a lost pane back and waits for the prompt. A refusal when the pane is busy. */
  async #makeReady(signal: AbortSignal): Promise<RunOutcome | null> {
    if (this.#opening === null) throw new BuddyError('target.closed', 'the target has not been started');
    await settledWithin(this.#opening, OPENING_MS, this.#host.clock, signal);
    if (signal.aborted) throw abortError();
    const away = await this.#reconnected(signal);
    if (away !== null) return this.#refusal(away);
    await this.#pane.revive(signal);
    let shell = this.#shellNow();
    if (shell.phase === 'settling' || shell.phase === 'starting') {
      const reached = await settledWithin(
        shell.promptReached(),
        shell.marksPrompts ? PROMPT_MS : UNMARKED_PROMPT_MS,
        this.#host.clock,
        signal,
      );
      if (signal.aborted) throw abortError();
      // A shell whose prompt was replaced prints no marks any more; the script's own marks still work.
      if (!reached && shell.phase === 'settling') shell.assumePrompt();
      // It told how the command ended, and then it ended itself.
      await this.#pane.revive(signal);
      shell = this.#shellNow();
    }
    const asks = !this.#options.choice.shell.marksStart && this.#host.clock.monotonic() - this.#lastEndMs > FRESH_MS;
    if (asks) await this.#pane.look();
    if (shell.phase !== 'prompt') return this.#refusal(stateWords(this.#pane.state()));
    if (shell.awaitsEcho) await settledWithin(shell.echoShown(), ECHO_MS, this.#host.clock, signal);
    if (signal.aborted) throw abortError();
    if (!shell.touched) return null;
    if (shell.halfTyped() !== '') {
      const advice = 'enter it, or clear it with Ctrl-C, before a command can run';
      return this.#refusal(`text stands at the prompt that nobody has entered yet: ${advice}`);
    }
    if (!asks) await this.#pane.look();
    const program = this.#pane.foreground;
    if (program === '') return null;
    return this.#refusal(`${program} is running in the pane`, { kind: 'running', program, sinceMs: this.#host.clock.now() });
  }

  #shellNow(): NonNullable<ManagedPane['shell']> {
    const { shell } = this.#pane;
    if (shell === null) throw new BuddyError('target.lost', 'there is no pane at the moment', { retryable: true });
    return shell;
  }

  /** Waits a while for a lost connection; the reason when it does not come back. */
  async #reconnected(signal: AbortSignal): Promise<string | null> {
    const { recovery } = this.#pane;
    const clock = this.#host.clock;
    const place = this.#place;
    const reached = await place.reach(RECONNECT_MS, signal);
    if (reached && (recovery === null || (await settledWithin(recovery, RECONNECT_MS, clock, signal)))) return null;
    if (signal.aborted) throw abortError();
    return awayWords(place);
  }

  /** Hands the command to the shell: the script file is written, then the line that reads it is typed, in one write. */
  #deliver(run: CommandRun): void {
    const { session, shell, id: pane, nonce, cols, promptX } = this.#pane;
    if (session === null || shell === null) throw new BuddyError('target.lost', 'there is no pane at the moment', { retryable: true });
    const speech = this.#options.choice.shell;
    const line = speech.typedLine(session.folder);
    const typedRows = Math.floor((promptX + line.length) / cols) + 1;
    this.#pane.begin(firstWord(run.command));
    shell.typing(run);
    const script = speech.script({ command: run.command, id: run.id, nonce, folder: session.folder, typedRows });
    const writing = this.#writeScript(session, script, run.id);
    if (typeof writing === 'string') {
      shell.unstarted(`the command could not be handed over: ${writing} (${session.folder})`);
      return;
    }
    session.channel.requestAll([...writing, ...pasteLines(pane, `${line}${speech.enter}`, run.id)]).then(
      (replies) => {
        const failed = replies.find((reply) => !reply.ok);
        if (failed !== undefined && shell.run === run) shell.unstarted(`tmux could not hand the command over: ${failed.lines.join(' ')}`);
      },
      () => undefined,
    );
    const watch = this.#host.clock.after(COMMAND_START_MS, () => void this.#unheard(session, shell, run));
    run.begun.then(() => watch.dispose());
    run.ended.then(() => watch.dispose());
  }

  /**
   * Writes the script file: on this host directly (0.4 of 2.1 ms faster than by tmux, and a full disk is known before anything is
   * typed), elsewhere by the tmux server there. Answers tmux's command lines for that, or what went wrong.
   */
  #writeScript(session: Session, script: string, tag: string): readonly string[] | string {
    const { writeNow } = this.#place;
    if (writeNow === null) return saveLines(`${session.folder}/s`, script, tag);
    try {
      writeNow(`${session.folder}/s`, script);
      return [];
    } catch (thrown) {
      return fileTrouble(thrown);
    }
  }

  /** No mark came: something swallowed the line. Ctrl-C, once more, then give up. */
  async #unheard(session: Session, shell: ShellPane, run: CommandRun): Promise<void> {
    let told = '';
    do {
      await this.#pane.recovery;
      told = (await this.#place.readText(`${session.folder}/status`)) ?? '';
    } while (this.#pane.recovery !== null);
    if (run.hasBegun || run.end !== null || shell.run !== run) return;
    if (told.startsWith(`#${run.id}`) || told.startsWith(`${run.id} `)) return;
    const first = !run.retyped;
    run.retyped = true;
    this.#withdraw(session, run);
    const prompt = shell.promptReached();
    this.#pane.paste('\x03');
    const back = await settledWithin(prompt, COMMAND_START_MS, this.#host.clock, this.#pane.closing);
    if (run.end !== null || shell.run !== run) return;
    if (first && back) this.#deliver(run);
    else shell.unstarted('the shell did not take the command, nothing was run');
  }

  /** A line that was typed and is still on its way finds nothing to run. */
  #withdraw(session: Session, run: CommandRun): void {
    run.id = commandId();
    const writing = this.#writeScript(session, '', run.id);
    if (typeof writing !== 'string') session.channel.requestAll(writing).catch(() => undefined);
  }

  async #outcome(run: CommandRun, how: StayEnd): Promise<RunOutcome> {
    const clock = this.#host.clock;
    this.#lastEndMs = clock.monotonic();
    if (run.end === null && how === 'aborted') {
      const stopped = await this.#interrupt(run);
      run.mute();
      return { kind: 'cancelled', stopped, output: await this.#cleaned(run), elapsedMs: clock.monotonic() - run.startedMs };
    }
    const elapsedMs = clock.monotonic() - run.startedMs;
    if (run.end === null) {
      run.mute();
      const reason = how === 'detached' ? 'detached' : 'time-out';
      return { kind: 'running', reason, background: this.#background(run), output: await this.#cleaned(run), elapsedMs };
    }
    if (run.end.kind === 'unstarted') return this.#refusal(run.end.reason);
    const output = await this.#cleaned(run);
    if (run.end.kind === 'lost') return { kind: 'lost', reason: run.end.reason, output, elapsedMs };
    return { kind: 'exited', exitCode: run.end.exitCode, output, elapsedMs };
  }

  #background(run: CommandRun): BackgroundCommand {
    return {
      pane: this.#pane.id,
      command: run.command,
      ended: run.ended.then(async (end) => ({ exitCode: end.kind === 'exited' ? end.exitCode : null, output: await this.#cleaned(run) })),
      lastLine: () => lastLineOf(run.log.end(2000)),
      stop: () => this.#interrupt(run),
    };
  }

  /** Ctrl-C, then stronger means; true when the command has ended. */
  async #interrupt(run: CommandRun): Promise<boolean> {
    const pane = this.#pane;
    const { shell, session } = pane;
    if (shell === null || session === null) return run.end !== null;
    const clock = this.#host.clock;
    const steps = [
      async () => {
        const early = !run.hasBegun || clock.monotonic() - run.startedMs < SETTLING_MS;
        await pane.paste('\x03');
        if (!early || (await settledWithin(run.ended, SETTLING_MS, clock)) || !run.hasBegun) return;
        // The shell was still about to start the program: it took the key, not the program.
        await pane.paste('\x03');
      },
      () => pane.paste('\x1c'),
      () => endForeground(this.#place, pane.shellPid, 'SIGTERM', pane.closing),
      () => endForeground(this.#place, pane.shellPid, 'SIGKILL', pane.closing),
    ];
    void pane.look();
    for (const step of steps) {
      if (run.end !== null || shell.run !== run) break;
      const prompt = shell.promptReached();
      await step();
      const settled = await settledWithin(Promise.race([run.ended, prompt]), INTERRUPT_GRACE_MS, clock);
      if (settled && !run.hasBegun && run.end === null && shell.run === run) {
        this.#withdraw(session, run);
        shell.unstarted('cancelled');
      }
    }
    return run.end !== null;
  }

  #cleaned(run: CommandRun): Promise<CommandOutput> {
    return this.#cleaner.clean(run.log, this.#pane.cols);
  }

  async #refusal(reason: string, state: PaneState = this.#pane.state()): Promise<RunOutcome> {
    const screen = await this.tmux.capture({}, this.#pane.closing).catch(() => '');
    return { kind: 'refused', state, reason, screen };
  }
}

/** True when this program itself runs in a pane that an instance of it manages. */
async function isManaged(host: Host, place: Place, signal: AbortSignal): Promise<boolean> {
  const [socketPath] = host.env['TMUX']?.split(',') ?? [];
  const pane = host.env['TMUX_PANE'];
  if (socketPath === undefined || pane === undefined) return false;
  const program = place.facts.tmux?.program ?? 'tmux';
  try {
    const answer = await place.run([program, '-S', socketPath, 'display-message', '-p', '-t', pane, '#{@buddy_managed}'], signal);
    return answer.stdout.toString('utf8').trim() === '1';
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return false;
  }
}

function commandId(): string {
  return randomBytes(5).toString('hex');
}

/** The program that a command line starts with, for the badge until tmux tells. */
function firstWord(command: string): string {
  const found = /^\s*(?:\w+=\S*\s+)*([\w./+-]+)/.exec(command)?.[1] ?? '';
  return basename(found);
}
