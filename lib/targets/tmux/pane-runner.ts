/** Commands in one managed pane: the prompt is waited for, the command handed over, followed to its end, stopped. */

import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { type Clock, delay } from '../../base/clock.js';
import { abortError, BuddyError } from '../../base/errors.js';
import { fileTrouble } from '../../base/files.js';
import { settledWithin } from '../../base/settled.js';
import type { PaneState } from '../../protocol/panes.js';
import { assertDeliverable, CommandRun } from '../command-run.js';
import { endForeground } from '../foreground.js';
import { lastLineOf, type OutputCleaner } from '../output/cleaning.js';
import type { KeptOutputs } from '../output/kept-outputs.js';
import { awayWords, type Place, RECONNECT_MS } from '../places/place.js';
import type { Shell } from '../shells/shell.js';
import { type StayEnd, stay } from '../stay.js';
import type { BackgroundCommand, CommandOutput, RunIo, RunOutcome, RunRequest } from '../target.js';
import type { ManagedPane } from './managed-pane.js';
import type { ManagedSession } from './managed-session.js';
import { pasteLines, saveLines } from './pane-commands.js';
import { stateWords } from './pane-status.js';
import type { Session } from './session.js';
import type { ShellPane } from './shell-pane.js';

export interface PaneRunnerOptions {
  readonly clock: Clock;
  readonly place: Place;
  readonly speech: Shell;
  readonly session: ManagedSession;
  readonly pane: ManagedPane;
  readonly cleaner: OutputCleaner;
  readonly kept: KeptOutputs;
  /** The pane's screen as text, '' when it cannot be had. */
  screen(pane: ManagedPane): Promise<string>;
}

/** A typed line that printed no mark by then was swallowed by something. */
const COMMAND_START_MS = 5000;
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
/** Ctrl-U: empties the line in every shell. */
const EMPTY_LINE = '\x15';
/** For the file that tells how the last command of a shell ended. */
const LAST_WORD_MS = 1000;
/** Right after a command of ours nobody else can have started one; later tmux is asked, when the shell would not tell by itself. */
const FRESH_MS = 20;

const noOutput: CommandOutput = { text: '', totalBytes: 0, totalLines: 0, truncated: false };

export class PaneRunner {
  readonly #options: PaneRunnerOptions;
  readonly #clock: Clock;
  readonly #pane: ManagedPane;
  readonly #session: ManagedSession;
  /** A `run` is between its call and its typing. */
  #claimed = false;
  #lastEndMs = Number.NEGATIVE_INFINITY;

  constructor(options: PaneRunnerOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#pane = options.pane;
    this.#session = options.session;
  }

  /** Never rejects for what the command does; throws `target.*` only when nothing could be run at all. */
  async run(request: RunRequest, io: RunIo): Promise<RunOutcome> {
    assertDeliverable(request.command);
    if (this.#session.closing.aborted) throw new BuddyError('target.closed', 'the target is closed');
    const begunMs = this.#clock.monotonic();
    const { cwd } = this.#pane;
    if (this.#claimed) return this.#refusal('another command is just being started');
    this.#claimed = true;
    let run: CommandRun;
    try {
      const refused = await this.#makeReady(AbortSignal.any([io.signal, this.#session.closing]));
      if (refused !== null) return refused;
      if (this.#pane.cwd !== cwd) return this.#refusal(`the shell is in ${this.#pane.cwd} now, and the command was meant for ${cwd}`);
      run = new CommandRun(request.command, commandId(), begunMs, (text) => io.onChunk(text), this.#options.kept.open());
      this.#deliver(run);
    } catch (thrown) {
      if (!io.signal.aborted) throw thrown;
      return { kind: 'cancelled', stopped: true, output: noOutput, elapsedMs: this.#clock.monotonic() - begunMs };
    } finally {
      this.#claimed = false;
    }
    return this.#outcome(run, await stay(run, request.wait, io.signal, this.#clock));
  }

  /** Brings a lost pane back and waits for the prompt. A refusal when the pane is busy. */
  async #makeReady(signal: AbortSignal): Promise<RunOutcome | null> {
    if (signal.aborted) throw abortError();
    const away = await this.#reconnected(signal);
    if (away !== null) return this.#refusal(away);
    await this.#session.revive(this.#pane, signal);
    let shell = this.#shellNow();
    if (shell.phase === 'settling' || shell.phase === 'starting') {
      const patienceMs = shell.marksPrompts ? PROMPT_MS : UNMARKED_PROMPT_MS;
      const reached = await settledWithin(shell.promptReached(), patienceMs, this.#clock, signal);
      if (signal.aborted) throw abortError();
      // A shell whose prompt was replaced prints no marks any more; the script's own marks still work.
      if (!reached && shell.phase === 'settling') shell.assumePrompt();
      // It told how the command ended, and then it ended itself.
      await this.#session.revive(this.#pane, signal);
      shell = this.#shellNow();
    }
    const asks = !this.#options.speech.marksStart && this.#clock.monotonic() - this.#lastEndMs > FRESH_MS;
    if (asks) await this.#session.look();
    if (shell.phase !== 'prompt') return this.#refusal(stateWords(this.#pane.state()));
    if (shell.awaitsEcho) await settledWithin(shell.echoShown(), ECHO_MS, this.#clock, signal);
    if (signal.aborted) throw abortError();
    if (!shell.touched) return null;
    // Rows or answers of the terminal may still be on their way.
    if (shell.severalRows || shell.asked) await delay(this.#clock, ECHO_MS, signal);
    if (shell.halfTyped() !== '') {
      const advice = 'enter it, or clear it with Ctrl-C, before a command can run';
      return this.#refusal(`text stands at the prompt that nobody has entered yet: ${advice}`);
    }
    if (!asks) await this.#session.look();
    const program = this.#pane.foreground;
    if (program === '') return null;
    return this.#refusal(`${program} is running in the pane`, { kind: 'running', program, sinceMs: this.#clock.now() });
  }

  #shellNow(): ShellPane {
    const { shell } = this.#pane;
    if (shell === null) throw new BuddyError('target.lost', 'there is no pane at the moment', { retryable: true });
    return shell;
  }

  /** Waits a while for a lost connection; the reason when it does not come back. */
  async #reconnected(signal: AbortSignal): Promise<string | null> {
    const { recovery } = this.#session;
    const { place } = this.#options;
    const reached = await place.reach(RECONNECT_MS, signal);
    if (reached && (recovery === null || (await settledWithin(recovery, RECONNECT_MS, this.#clock, signal)))) return null;
    if (signal.aborted) throw abortError();
    return awayWords(place);
  }

  /** Hands the command to the shell: the script file is written, then the line that reads it is typed, in one write. */
  #deliver(run: CommandRun): void {
    const { session } = this.#session;
    const { shell, id: pane, nonce, cols, promptX, folder, shellPid } = this.#pane;
    if (session === null || shell === null) throw new BuddyError('target.lost', 'there is no pane at the moment', { retryable: true });
    const { speech } = this.#options;
    const line = speech.typedLine(folder);
    const typedRows = Math.floor((promptX + line.length) / cols) + 1;
    const before = shell.asked ? EMPTY_LINE : '';
    this.#pane.begin(firstWord(run.command));
    shell.typing(run);
    const writing = this.#writeScript(speech.script({ command: run.command, id: run.id, nonce, folder, typedRows }), run.id);
    if (typeof writing === 'string') {
      shell.unstarted(`the command could not be handed over: ${writing} (${folder})`);
      return;
    }
    session.channel.requestAll([...writing, ...pasteLines(pane, `${before}${line}${speech.enter}`, run.id, shellPid)]).then(
      (replies) => {
        const failed = replies.find((reply) => !reply.ok);
        if (failed !== undefined && shell.run === run) shell.unstarted(`tmux could not hand the command over: ${failed.lines.join(' ')}`);
      },
      () => undefined,
    );
    const watch = this.#clock.after(COMMAND_START_MS, () => void this.#unheard(session, shell, run));
    void run.begun.then(() => watch.dispose());
    void run.ended.then(() => watch.dispose());
  }

  /**
   * Writes the script file: on this host directly (0.4 of 2.1 ms faster than by tmux, and a full disk is known before anything is
   * typed), elsewhere by the tmux server there. Answers tmux's command lines for that, or what went wrong.
   */
  #writeScript(script: string, tag: string): readonly string[] | string {
    const { writeNow } = this.#options.place;
    const path = `${this.#pane.folder}/s`;
    if (writeNow === null) return saveLines(path, script, tag);
    try {
      writeNow(path, script);
      return [];
    } catch (thrown) {
      return fileTrouble(thrown);
    }
  }

  /** No mark came: something swallowed the line. Ctrl-C, once more, then give up. */
  async #unheard(session: Session, shell: ShellPane, run: CommandRun): Promise<void> {
    let told = '';
    do {
      await this.#session.recovery;
      told = (await this.#options.place.readText(`${this.#pane.folder}/status`)) ?? '';
    } while (this.#session.recovery !== null);
    // Another program in the pane gets no Ctrl-C of ours.
    await this.#session.look();
    if (run.hasBegun || run.end !== null || shell.run !== run) return;
    if (told.startsWith(`#${run.id}`) || told.startsWith(`${run.id} `)) return;
    const first = !run.retyped;
    run.retyped = true;
    this.#withdraw(session, run);
    const prompt = shell.promptReached();
    this.#pane.paste('\x03');
    const back = await settledWithin(prompt, COMMAND_START_MS, this.#clock, this.#session.closing);
    if (run.end !== null || shell.run !== run) return;
    if (first && back) this.#deliver(run);
    else shell.unstarted('the shell did not take the command, nothing was run');
  }

  /** A line that was typed and is still on its way finds nothing to run. */
  #withdraw(session: Session, run: CommandRun): void {
    run.id = commandId();
    const writing = this.#writeScript('', run.id);
    if (typeof writing !== 'string') session.channel.requestAll(writing).catch(() => undefined);
  }

  async #outcome(run: CommandRun, how: StayEnd): Promise<RunOutcome> {
    const clock = this.#clock;
    this.#lastEndMs = clock.monotonic();
    if (run.end === null && how === 'aborted') {
      const stopped = await this.#interrupt(run);
      run.mute();
      const survivor = stopped ? {} : { survivor: this.follow(run) };
      return { kind: 'cancelled', stopped, ...survivor, output: await this.#cleaned(run), elapsedMs: clock.monotonic() - run.startedMs };
    }
    const elapsedMs = clock.monotonic() - run.startedMs;
    if (run.end === null) {
      run.mute();
      const reason = how === 'detached' ? 'detached' : 'time-out';
      return { kind: 'running', reason, background: this.follow(run), output: await this.#cleaned(run), elapsedMs };
    }
    if (run.end.kind === 'unstarted') return this.#refusal(run.end.reason);
    const output = await this.#cleaned(run);
    if (run.end.kind === 'exited') return { kind: 'exited', exitCode: run.end.exitCode, output, elapsedMs };
    const exitCode = await this.#lastWord(run);
    return exitCode === null
      ? { kind: 'lost', reason: run.end.reason, output, elapsedMs }
      : { kind: 'exited', exitCode, output, elapsedMs };
  }

  /** The exit code that the shell wrote down before it ended: tmux may lose the last bytes of a pane, and with them the mark. */
  async #lastWord(run: CommandRun): Promise<number | null> {
    const told = this.#options.place.readText(`${this.#pane.folder}/status`);
    if (!(await settledWithin(told, LAST_WORD_MS, this.#clock, this.#session.closing))) return null;
    const code = /^(\w+) (\d+)\n?$/.exec((await told) ?? '');
    return code?.[1] === run.id ? Number(code[2]) : null;
  }

  /** A command that goes on by itself. */
  follow(run: CommandRun): BackgroundCommand {
    return {
      pane: this.#pane.id,
      command: run.command,
      ended: run.ended.then(async (end) => ({ exitCode: end.kind === 'exited' ? end.exitCode : null, output: await this.#cleaned(run) })),
      lastLine: () => lastLineOf(run.log.end(2000)),
      tail: (bytes) => run.tail(bytes),
      stop: () => this.#interrupt(run),
    };
  }

  /** Ctrl-C, then stronger means; true when the command has ended. */
  async #interrupt(run: CommandRun): Promise<boolean> {
    const pane = this.#pane;
    const { shell } = pane;
    const { session, closing } = this.#session;
    if (shell === null || session === null) return run.end !== null;
    const clock = this.#clock;
    const { place } = this.#options;
    const steps = [
      async () => {
        const early = !run.hasBegun || clock.monotonic() - run.startedMs < SETTLING_MS;
        pane.paste('\x03');
        if (!early || (await settledWithin(run.ended, SETTLING_MS, clock)) || !run.hasBegun) return;
        // The shell was still about to start the program: it took the key, not the program.
        pane.paste('\x03');
      },
      async () => pane.paste('\x1c'),
      () => endForeground(place, pane.shellPid, 'SIGTERM', closing),
      () => endForeground(place, pane.shellPid, 'SIGKILL', closing),
    ];
    void this.#session.look();
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

  async #cleaned(run: CommandRun): Promise<CommandOutput> {
    const output = await this.#options.cleaner.clean(run.log, this.#pane.cols);
    return this.#options.kept.named(run.kept, run.end !== null, output);
  }

  async #refusal(reason: string, state: PaneState = this.#pane.state()): Promise<RunOutcome> {
    return { kind: 'refused', state, reason, screen: await this.#options.screen(this.#pane) };
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
