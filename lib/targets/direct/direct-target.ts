/** A place without tmux: each command is a process group of its own. */

import { basename } from 'node:path';
import { delay } from '../../base/clock.js';
import { Emitter } from '../../base/emitter.js';
import { abortError, BuddyError } from '../../base/errors.js';
import { readTextIfPresent, rm } from '../../base/files.js';
import type { Host } from '../../base/host.js';
import { type Child, groupExists } from '../../base/process.js';
import { settledWithin } from '../../base/settled.js';
import type { TargetSummary } from '../../protocol/panes.js';
import { assertDeliverable, CommandRun } from '../command-run.js';
import { lastLineOf, OutputCleaner } from '../output/cleaning.js';
import { KeptOutputs } from '../output/kept-outputs.js';
import { absolutePath } from '../places/paths.js';
import { awayWords, loginNotice, type Place, RECONNECT_MS } from '../places/place.js';
import { stay } from '../stay.js';
import type {
  BackgroundCommand,
  CommandOutput,
  ExecutionTarget,
  FileRange,
  LookRequest,
  RunIo,
  RunOutcome,
  RunRequest,
  TargetEvent,
} from '../target.js';
import { loadEmulator } from '../terminal-emulator.js';
import { shellWord } from '../tmux/quoting.js';
import { type LaunchedCommand, startRemoteCommand } from './remote-command.js';

export interface DirectTargetOptions {
  readonly host: Host;
  readonly place: Place;
  /** Program that runs `-c SCRIPT`. */
  readonly shell: string;
}

/** Cells that progress bars are cleaned for; there is no terminal. */
const COLS = 120;
/** A daemon may keep the pipes open: after the shell's end, so long is waited for its last bytes. */
const DRAIN_MS = 150;
const TERMINATE_GRACE_MS = 2000;
const GROUP_LOOK_MS = 20;
/** Exit code of a shell whose command died of a signal (POSIX: 128 + number). */
const signalNumbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};

export class DirectTarget implements ExecutionTarget {
  readonly tmux = null;
  readonly #options: DirectTargetOptions;
  readonly #host: Host;
  readonly #place: Place;
  readonly #events = new Emitter<TargetEvent>();
  readonly #cleaner = new OutputCleaner(loadEmulator);
  readonly #kept: KeptOutputs;
  readonly #launched = new Map<CommandRun, LaunchedCommand>();
  readonly onEvent = this.#events.event;
  #folder: string | null = null;
  #cwd: string;
  #closed = false;
  #count = 0;

  constructor(options: DirectTargetOptions) {
    this.#options = options;
    this.#host = options.host;
    this.#place = options.place;
    this.#cwd = options.place.facts.cwd;
    this.#kept = new KeptOutputs(options.host.pid);
    let connected = true;
    options.place.onState((state) => {
      if (connected !== (state.kind === 'connected')) {
        connected = state.kind === 'connected';
        const { name } = options.place;
        const message = state.kind === 'lost' ? `The connection to ${name} was lost (${state.reason}).` : `Connected to ${name} again.`;
        this.#events.fire({ type: 'notice', message });
      }
      const login = loginNotice(options.place);
      if (login !== null) this.#events.fire({ type: 'notice', message: login });
      this.#events.fire({ type: 'summary', summary: this.summary });
    });
  }

  get summary(): TargetSummary {
    const { kind, label, facts } = this.#place;
    return {
      kind,
      via: 'direct',
      label,
      host: facts.host,
      user: facts.user,
      cwd: this.#cwd,
      shell: basename(this.#options.shell),
      attach: null,
    };
  }

  get homeDir(): string {
    return this.#place.facts.home;
  }

  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw abortError();
    this.#folder = await this.#place.makeFolder(signal);
  }

  async run(request: RunRequest, io: RunIo): Promise<RunOutcome> {
    assertDeliverable(request.command);
    if (this.#closed || this.#folder === null) throw new BuddyError('target.closed', 'the target is not open');
    const clock = this.#host.clock;
    const run = new CommandRun(request.command, String(++this.#count), clock.monotonic(), (text) => io.onChunk(text), this.#kept.open());
    if (io.signal.aborted) return { kind: 'cancelled', stopped: true, output: await this.#cleaned(run), elapsedMs: 0 };
    const away = await this.#away(io.signal);
    if (away !== null) return this.#refused(away);
    const launched = this.#launch(run, `${this.#folder}/cwd-${run.id}`);
    const how = await stay(run, request.wait, io.signal, clock);
    const stopped = how === 'aborted' && run.end === null ? await launched.stop() : true;
    const output = await this.#cleaned(run);
    const elapsedMs = clock.monotonic() - run.startedMs;
    if (how === 'aborted') {
      run.mute();
      return { kind: 'cancelled', stopped, ...(stopped ? {} : { survivor: this.#background(launched, run) }), output, elapsedMs };
    }
    if (run.end === null) {
      run.mute();
      return {
        kind: 'running',
        reason: how === 'detached' ? 'detached' : 'time-out',
        background: this.#background(launched, run),
        output,
        elapsedMs,
      };
    }
    if (run.end.kind === 'exited') return { kind: 'exited', exitCode: run.end.exitCode, output, elapsedMs };
    return { kind: 'lost', reason: run.end.reason, output, elapsedMs };
  }

  readOutput(id: string, range: { readonly offset: number; readonly limit: number }, signal: AbortSignal) {
    return this.#kept.read(id, range, signal);
  }

  readFile(path: string, range: FileRange, signal: AbortSignal) {
    return this.#place.readFile(absolutePath(path, this.#cwd, this.homeDir), range, signal);
  }

  look(request: LookRequest, signal: AbortSignal) {
    return this.#place.look(request, signal);
  }

  realPath(path: string, signal: AbortSignal): Promise<string> {
    return this.#place.realPath(absolutePath(path, this.#cwd, this.homeDir), signal);
  }

  writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#place.writeFile(absolutePath(path, this.#cwd, this.homeDir), bytes, signal);
  }

  /** Commands that still run are ended with it. */
  async close(): Promise<boolean> {
    this.#closed = true;
    await Promise.all([...this.#launched.values()].map((launched) => launched.close()));
    const folder = this.#folder;
    this.#folder = null;
    await this.#kept.close();
    if (folder !== null) await this.#place.removeFolder(folder);
    await this.#place.close();
    return false;
  }

  dispose(): void {
    void this.close();
  }

  async #cleaned(run: CommandRun): Promise<CommandOutput> {
    const output = await this.#cleaner.clean(run.log, COLS);
    return this.#kept.named(run.kept, run.end !== null, output);
  }

  #launch(run: CommandRun, cwdFile: string): LaunchedCommand {
    const { kind } = this.#place;
    const launched = kind === 'local' ? this.#spawn(run, cwdFile) : this.#startThere(run, cwdFile);
    this.#launched.set(run, launched);
    void run.ended.then(() => this.#launched.delete(run));
    return launched;
  }

  #startThere(run: CommandRun, cwdFile: string): LaunchedCommand {
    return startRemoteCommand(run, {
      place: this.#place,
      clock: this.#host.clock,
      shell: this.#options.shell,
      cwd: this.#cwd,
      cwdFile,
      graceMs: TERMINATE_GRACE_MS,
      moved: (path) => this.#moved(path),
    });
  }

  /** Waits a while for a connection that was lost; the reason when it does not come back. */
  async #away(signal: AbortSignal): Promise<string | null> {
    if (await this.#place.reach(RECONNECT_MS, signal)) return null;
    return awayWords(this.#place);
  }

  #refused(reason: string): RunOutcome {
    return { kind: 'refused', state: { kind: 'idle' }, reason, screen: '' };
  }

  /** The shell's last folder comes back through a file, written when it exits. */
  #spawn(run: CommandRun, cwdFile: string): LaunchedCommand {
    const script = `trap ${shellWord(`pwd >|${shellWord(cwdFile)}`)} EXIT\neval ${shellWord(run.command)}`;
    const child = this.#place.start([this.#options.shell, '-c', script], this.#cwd);
    child.stdin.end();
    child.stdout.on('data', (bytes: Buffer) => run.output(bytes));
    child.stderr.on('data', (bytes: Buffer) => run.output(bytes));
    run.begin();
    void child.exited.then(async ({ code, signal }) => {
      await settledWithin(child.ended, DRAIN_MS, this.#host.clock);
      child.stdout.destroy();
      child.stderr.destroy();
      const { error } = await Promise.race([child.ended, Promise.resolve({ error: null })]);
      const told = readTextIfPresent(cwdFile);
      if (told !== null) {
        await rm(cwdFile, { force: true });
        this.#moved(told.replace(/\n$/, ''));
      }
      if (code !== null) run.finish({ kind: 'exited', exitCode: code });
      else if (signal !== null) run.finish({ kind: 'exited', exitCode: 128 + (signalNumbers[signal] ?? 0) });
      else {
        const reason = `${this.#options.shell} could not be started in ${this.#cwd}: ${error?.message ?? 'unknown reason'}`;
        run.finish({ kind: 'lost', reason });
        this.#moved(this.homeDir);
      }
    });
    return {
      stop: () => this.#stop(child, run),
      close: async () => {
        child.kill('SIGTERM');
        await settledWithin(child.exited, TERMINATE_GRACE_MS, this.#host.clock);
        child.kill('SIGKILL');
      },
    };
  }

  #moved(path: string): void {
    if (path === '' || path === this.#cwd) return;
    this.#cwd = path;
    this.#events.fire({ type: 'summary', summary: this.summary });
  }

  /** SIGTERM to the group, SIGKILL to what is left of it after the grace, also when the shell itself has gone at once. */
  async #stop(child: Child, run: CommandRun): Promise<boolean> {
    const { clock } = this.#host;
    const end = clock.monotonic() + TERMINATE_GRACE_MS;
    child.kill('SIGTERM');
    await settledWithin(run.ended, TERMINATE_GRACE_MS, clock);
    while (groupExists(child.pid ?? 0) && clock.monotonic() < end) await delay(clock, GROUP_LOOK_MS, new AbortController().signal);
    child.kill('SIGKILL');
    await settledWithin(run.ended, TERMINATE_GRACE_MS, clock);
    return run.end !== null;
  }

  #background(launched: LaunchedCommand, run: CommandRun): BackgroundCommand {
    return {
      pane: 'direct',
      command: run.command,
      ended: run.ended.then(async (end) => ({
        exitCode: end.kind === 'exited' ? end.exitCode : null,
        output: await this.#cleaned(run),
      })),
      lastLine: () => lastLineOf(run.log.end(2000)),
      tail: (bytes) => run.tail(bytes),
      stop: () => launched.stop(),
    };
  }
}
