/** This host through a managed tmux pane that people can watch and join. */

import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { Disposable } from '../../base/disposable.js';
import { Emitter } from '../../base/emitter.js';
import { abortError, BuddyError } from '../../base/errors.js';
import { readTextIfPresent, writeFile } from '../../base/files.js';
import type { Host } from '../../base/host.js';
import type { Log } from '../../base/log.js';
import type { PaneId, PaneState, TargetSummary } from '../../protocol/panes.js';
import { CommandRun } from '../command-run.js';
import { endForeground, hidesInput } from '../foreground.js';
import { absolutePath, readLocalFile, writeLocalFile } from '../local-files.js';
import { lastLineOf, OutputCleaner } from '../output/cleaning.js';
import { settledWithin } from '../settled.js';
import type { ShellChoice } from '../shells/index.js';
import { commandScript, typedLine } from '../shells/script.js';
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
import { PaneMirror } from './mirror.js';
import { pasteLines, screenCopyLines, screenCopyOf } from './pane-commands.js';
import { listPanes, type PaneStatus, paneState, parsePaneStatus, stateWords } from './pane-status.js';
import { tmuxWord } from './quoting.js';
import { lockPath } from './server-lock.js';
import { openSession, type Session } from './session.js';
import { ShellPane } from './shell-pane.js';

export interface TmuxTargetOptions {
  readonly host: Host;
  readonly agent: string;
  readonly tmux: string;
  readonly socket: string;
  readonly choice: ShellChoice;
  readonly cols: number;
  readonly rows: number;
  readonly log: Log;
  readonly environment: Readonly<Record<string, string>>;
  readonly mirror: boolean;
}

/** A start-up file may be slow (version managers, network); then the shell is given up. */
const SHELL_START_MS = 30_000;
/** A typed line that printed no mark by then was swallowed by something. */
const COMMAND_START_MS = 5000;
/** A prompt that runs `git status` on a slow disk may take a while after the command has ended. */
const PROMPT_MS = 3000;
const POLL_MS = 1000;
/** Between the steps that end a command: Ctrl-C, Ctrl-\, SIGTERM, SIGKILL. */
const INTERRUPT_GRACE_MS = 1500;
/** Quiet polls after which a running command is asked whether it hides what is typed. */
const PASSWORD_LOOKS = 2;

export class TmuxTarget implements ExecutionTarget {
  readonly #options: TmuxTargetOptions;
  readonly #host: Host;
  readonly #events = new Emitter<TargetEvent>();
  readonly #closing = new AbortController();
  readonly #emulators: () => Promise<EmulatorFactory>;
  readonly #cleaner: OutputCleaner;
  readonly onEvent = this.#events.event;
  readonly tmux: TmuxClient;
  #session: Session | null = null;
  #paneId = '';
  #pane: ShellPane | null = null;
  #nonce = '';
  #mirror: PaneMirror | null = null;
  #poll: Disposable | null = null;
  #status: PaneStatus | null = null;
  #cwd: string;
  #cols: number;
  #rows: number;
  /** A `run` is between its call and its typing. */
  #claimed = false;
  #running = { program: '', sinceMs: 0, password: false };
  #lastState = '';
  #quietPolls = 0;

  constructor(options: TmuxTargetOptions) {
    this.#options = options;
    this.#host = options.host;
    this.#cwd = options.host.cwd;
    this.#cols = options.cols;
    this.#rows = options.rows;
    let loading: Promise<EmulatorFactory> | null = null;
    this.#emulators = () => {
      loading ??= loadEmulator();
      return loading;
    };
    this.#cleaner = new OutputCleaner(this.#emulators);
    this.tmux = {
      panes: () =>
        this.#pane === null ? [] : [{ pane: this.#paneId, title: 'shared', cols: this.#cols, rows: this.#rows, state: this.#state() }],
      capture: (wanted, signal) => this.#capture(wanted, signal),
      type: (pane, bytes, signal) => this.#typeInto(pane, bytes, signal),
      resize: (pane, cols, rows) => this.#resize(pane, cols, rows),
    };
  }

  get summary(): TargetSummary {
    const { hostname, user } = this.#host;
    const attach = this.#session === null ? null : `tmux -L ${this.#options.socket} attach -t =${this.#session.name}`;
    return { kind: 'local', via: 'tmux', label: 'this host', host: hostname, user, cwd: this.#cwd, attach };
  }

  async start(signal: AbortSignal): Promise<void> {
    const inherited = this.#host.env['TMUX']?.split(',')[0];
    if (inherited !== undefined && basename(inherited) === this.#options.socket) {
      throw new BuddyError('target.own-pane', 'this terminal is a pane that buddy-tui manages itself', {
        hint: 'Start buddy-tui in another terminal, outside of its own tmux session.',
      });
    }
    await this.#open(AbortSignal.any([signal, this.#closing.signal]));
    this.#poll = this.#host.clock.every(POLL_MS, () => void this.#look());
  }

  async run(request: RunRequest, io: RunIo): Promise<RunOutcome> {
    if (this.#closing.signal.aborted) throw new BuddyError('target.closed', 'the target is closed');
    const begunMs = this.#host.clock.monotonic();
    if (this.#claimed) return this.#refusal('another command is just being started');
    this.#claimed = true;
    try {
      const refused = await this.#makeReady(AbortSignal.any([io.signal, this.#closing.signal]));
      if (refused !== null) return refused;
      const run = new CommandRun(request.command, commandId(), begunMs, (text) => io.onChunk(text));
      this.#deliver(run);
      this.#claimed = false;
      const how = await stay(run, request.wait, io.signal, this.#host.clock);
      return await this.#outcome(run, how);
    } catch (thrown) {
      if (!io.signal.aborted) throw thrown;
      return { kind: 'cancelled', stopped: true, output: noOutput, elapsedMs: this.#host.clock.monotonic() - begunMs };
    } finally {
      this.#claimed = false;
    }
  }

  readFile(path: string, range: { readonly offset: number; readonly limit: number }, signal: AbortSignal) {
    return readLocalFile(absolutePath(path, this.#cwd, this.#host.homeDir), range, signal);
  }

  writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    return writeLocalFile(absolutePath(path, this.#cwd, this.#host.homeDir), bytes, signal);
  }

  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) this.#closing.abort();
    this.#poll?.dispose();
    const session = this.#session;
    this.#session = null;
    this.#pane?.gone('lost', 'the target was closed');
    this.#mirror?.dispose();
    await session?.close();
  }

  dispose(): void {
    void this.close();
  }

  /** A new session with a new shell, ready at its prompt. */
  async #open(signal: AbortSignal): Promise<void> {
    const { host, tmux, socket, environment, log } = this.#options;
    this.#mirror?.dispose();
    this.#mirror = null;
    if (this.#options.mirror) {
      const terminal = (await this.#emulators()).create(this.#cols, this.#rows, 0);
      this.#mirror = new PaneMirror(
        terminal,
        host.clock,
        (screen) => this.#events.fire({ type: 'pane.screen', pane: this.#paneId, screen }),
        () => void this.#resync(),
      );
    }
    this.#nonce = nonce();
    this.#status = null;
    this.#paneId = '';
    const pane = new ShellPane(this.#nonce, { changed: () => this.#changed(), cwd: (path) => this.#moved(path) });
    this.#pane = pane;
    const lock = lockPath(host.user, socket);
    const place = { tmux, socket, environment, hostname: host.hostname, pid: host.pid, cwd: host.cwd, lock, clock: host.clock, log };
    const wanted = {
      agent: this.#options.agent,
      cols: this.#cols,
      rows: this.#rows,
      commandLine: (folder: string) => this.#shellLine(folder),
    };
    const session = await openSession(
      place,
      wanted,
      {
        output: (from, bytes) => this.#output(pane, from, bytes),
        notification: (name, rest) => this.#notification(name, rest),
        closed: (reason) => this.#lost(pane, reason),
      },
      signal,
    );
    if (signal.aborted) {
      await session.close();
      throw abortError();
    }
    this.#session = session;
    this.#paneId = session.pane;
    this.#cwd = host.cwd;
    this.#events.fire({ type: 'pane.opened', pane: this.#paneId, title: 'shared' });
    this.#events.fire({ type: 'summary', summary: this.summary });
    this.#changed();
    await this.#awaitShell(pane, signal);
  }

  /** Writes the shell's start-up file and answers how tmux starts it. */
  async #shellLine(folder: string): Promise<string> {
    const { shell, program } = this.#options.choice;
    const file = `${folder}/rc`;
    await writeFile(file, shell.bootstrap(this.#nonce), { mode: 0o600 });
    // tmux writes into them later: they must be private from the first byte.
    for (const name of ['s', 'status']) await writeFile(`${folder}/${name}`, '', { mode: 0o600 });
    return shell.commandLine(program, file);
  }

  async #awaitShell(pane: ShellPane, signal: AbortSignal): Promise<void> {
    const look = this.#host.clock.every(POLL_MS / 4, () => void this.#look());
    const reached = await settledWithin(pane.promptReached(), SHELL_START_MS, this.#host.clock, signal);
    look.dispose();
    if (signal.aborted) throw abortError();
    if (reached && pane.phase === 'prompt') return;
    const { program } = this.#options.choice;
    const what = reached ? 'ended while it started' : `showed no prompt of ours within ${SHELL_START_MS / 1000} seconds`;
    throw new BuddyError('target.shell', `the shell ${program} ${what}`, {
      hint: 'Look at its start-up files (a program they `exec`, or a question they ask), or set another shell.',
    });
  }

  /** Brings a lost pane back and waits for the prompt. A refusal when the pane is busy. */
  async #makeReady(signal: AbortSignal): Promise<RunOutcome | null> {
    if (this.#pane === null) throw new BuddyError('target.closed', 'the target has not been started');
    if (this.#pane.phase === 'lost' || this.#session === null) await this.#reopen(signal);
    else if (this.#pane.phase === 'dead') await this.#respawn(this.#session, this.#pane, signal);
    const pane = this.#pane;
    if (pane.phase === 'settling' || pane.phase === 'starting') {
      const reached = await settledWithin(pane.promptReached(), PROMPT_MS, this.#host.clock, signal);
      if (signal.aborted) throw abortError();
      // A shell whose prompt was replaced prints no marks any more; the script's own marks still work.
      if (!reached && pane.phase === 'settling') pane.assumePrompt();
    }
    if (pane.phase !== 'prompt') return this.#refusal(stateWords(this.#state()));
    if (!pane.touched) return null;
    const typed = pane.halfTyped();
    if (typed !== '') {
      return this.#refusal(
        'text stands at the prompt that nobody has entered yet: enter it, or clear it with Ctrl-C, before a command can run',
      );
    }
    await this.#look();
    const program = this.#status?.program ?? '';
    if (program !== '' && program !== basename(this.#options.choice.program)) {
      this.#running = { program, sinceMs: this.#host.clock.now(), password: false };
      return this.#refusal(`${program} is running in the pane`, { kind: 'running', program, sinceMs: this.#running.sinceMs });
    }
    return null;
  }

  async #reopen(signal: AbortSignal): Promise<void> {
    const old = this.#session;
    this.#session = null;
    await old?.close();
    await this.#open(signal);
    this.#notice('A new tmux session was started; the working directory and the environment of the old shell are lost.');
  }

  async #respawn(session: Session, pane: ShellPane, signal: AbortSignal): Promise<void> {
    this.#nonce = nonce();
    const line = await this.#shellLine(session.folder);
    const reply = await session.channel.request(
      `respawn-pane -k -t ${this.#paneId} -c ${tmuxWord(this.#host.cwd)} ${tmuxWord(line)}`,
      ({ ok }) => {
        if (!ok) return;
        pane.restarted(this.#nonce);
        this.#status = null;
        this.#mirror?.restore({ cols: this.#cols, rows: this.#rows, lines: [], cursor: { x: 0, y: 0, shown: true } });
      },
    );
    if (!reply.ok) {
      pane.gone('lost', reply.lines.join(' '));
      return this.#reopen(signal);
    }
    this.#moved(this.#host.cwd);
    await this.#awaitShell(pane, signal);
    this.#notice('A new shell was started in the pane; the working directory and the environment of the old one are lost.');
  }

  /** Hands the command to the shell: script file and typed line go out in one write. */
  #deliver(run: CommandRun): void {
    const { session, pane } = this.#live();
    const line = typedLine(session.folder, run.id);
    const typedRows = Math.floor(((this.#mirror?.cursorX ?? 0) + line.length) / this.#cols) + 1;
    const script = commandScript({ command: run.command, id: run.id, nonce: this.#nonce, folder: session.folder, typedRows });
    const buffer = `buddy-script-${run.id}`;
    this.#running = { program: firstWord(run.command), sinceMs: this.#host.clock.now(), password: false };
    this.#quietPolls = 0;
    pane.typing(run);
    const lines = [
      `set-buffer -b ${buffer} ${tmuxWord(script)}`,
      `save-buffer -b ${buffer} ${tmuxWord(`${session.folder}/s`)}`,
      ...pasteLines(this.#paneId, `${line}\r`, run.id),
      `delete-buffer -b ${buffer}`,
    ];
    session.channel.requestAll(lines).then(
      (replies) => {
        const failed = replies.find((reply) => !reply.ok);
        if (failed !== undefined && pane.run === run) pane.unstarted(`tmux could not hand the command over: ${failed.lines.join(' ')}`);
      },
      () => undefined,
    );
    const watch = this.#host.clock.after(COMMAND_START_MS, () => void this.#unheard(session, pane, run));
    run.begun.then(() => watch.dispose());
    run.ended.then(() => watch.dispose());
  }

  /** No mark came: something swallowed the line. Ctrl-C, once more, then give up. A late first line finds no script of its id. */
  async #unheard(session: Session, pane: ShellPane, run: CommandRun): Promise<void> {
    if (run.hasBegun || run.end !== null || pane.run !== run) return;
    const told = readTextIfPresent(`${session.folder}/status`) ?? '';
    if (told.startsWith(`#${run.id}`) || told.startsWith(`${run.id} `)) return;
    const first = !run.retyped;
    run.retyped = true;
    run.id = commandId();
    const prompt = pane.promptReached();
    this.#paste('\x03');
    const back = await settledWithin(prompt, COMMAND_START_MS, this.#host.clock, this.#closing.signal);
    if (run.end !== null || pane.run !== run) return;
    if (first && back) this.#deliver(run);
    else pane.unstarted('the shell did not take the command, nothing was run');
  }

  async #outcome(run: CommandRun, how: StayEnd): Promise<RunOutcome> {
    const clock = this.#host.clock;
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
      pane: this.#paneId,
      command: run.command,
      ended: run.ended.then(async (end) => ({ exitCode: end.kind === 'exited' ? end.exitCode : null, output: await this.#cleaned(run) })),
      lastLine: () => lastLineOf(run.log.end(2000)),
      stop: () => this.#interrupt(run),
    };
  }

  /** Ctrl-C, then stronger means; true when the command has ended. */
  async #interrupt(run: CommandRun): Promise<boolean> {
    const pane = this.#pane;
    const never = this.#closing.signal;
    const steps = [
      () => this.#paste('\x03'),
      () => this.#paste('\x1c'),
      () => endForeground(this.#host, this.#status?.pid ?? 0, 'SIGTERM', never),
      () => endForeground(this.#host, this.#status?.pid ?? 0, 'SIGKILL', never),
    ];
    void this.#look();
    for (const step of steps) {
      if (run.end !== null || pane?.run !== run) break;
      const prompt = pane.promptReached();
      await step();
      await settledWithin(Promise.race([run.ended, prompt]), INTERRUPT_GRACE_MS, this.#host.clock);
      if (!run.hasBegun && run.end === null && pane.run === run) pane.unstarted('cancelled');
    }
    return run.end !== null;
  }

  #cleaned(run: CommandRun): Promise<CommandOutput> {
    return this.#cleaner.clean(run.log, this.#cols);
  }

  async #refusal(reason: string, state: PaneState = this.#state()): Promise<RunOutcome> {
    const screen = await this.#capture({}, this.#closing.signal).catch(() => '');
    return { kind: 'refused', state, reason, screen };
  }

  #live(): { readonly session: Session; readonly pane: ShellPane } {
    if (this.#session === null || this.#pane === null)
      throw new BuddyError('target.lost', 'there is no pane at the moment', { retryable: true });
    return { session: this.#session, pane: this.#pane };
  }

  #output(pane: ShellPane, from: string, bytes: Buffer): void {
    if (pane !== this.#pane) return;
    if (this.#paneId === '') this.#paneId = from;
    if (from !== this.#paneId) return;
    this.#quietPolls = 0;
    this.#running.password = false;
    pane.feed(bytes);
    this.#mirror?.feed(bytes);
  }

  #notification(name: string, rest: string): void {
    if (name === '%pause' && rest === this.#paneId) void this.#resume();
  }

  /** tmux gave up on us for a while and dropped output: go on from now, and learn from the status file what was missed. */
  async #resume(): Promise<void> {
    const { session, pane } = this.#live();
    const run = pane.run;
    run?.output(Buffer.from('\r\n[… some output is missing here: it came faster than it could be read …]\r\n'));
    await session.channel.request(`refresh-client -A ${tmuxWord(`${this.#paneId}:continue`)}`);
    await this.#resync();
    const told = /^(\w+) (\d+)$/.exec((readTextIfPresent(`${session.folder}/status`) ?? '').trim());
    if (run !== null && pane.run === run && told?.[1] === run.id) pane.missedEnd(Number(told[2]));
  }

  /** The mirror starts again from what tmux shows. */
  async #resync(): Promise<void> {
    if (this.#session === null) return;
    const [cursor, capture] = screenCopyLines(this.#paneId);
    let told = '';
    void this.#session.channel.request(cursor, ({ ok, lines }) => {
      if (ok) told = lines[0] ?? '';
    });
    await this.#session.channel.request(capture, ({ ok, lines }) => {
      const copy = ok ? screenCopyOf(told, lines) : null;
      if (copy !== null) this.#mirror?.restore(copy);
    });
  }

  #lost(pane: ShellPane, reason: string): void {
    if (this.#closing.signal.aborted || pane !== this.#pane || pane.phase === 'lost') return;
    pane.gone('lost', `the connection to tmux was lost (${reason}); whether the command has ended is not known`);
    this.#events.fire({ type: 'pane.closed', pane: this.#paneId });
    this.#notice(`The connection to tmux was lost (${reason}). The next command starts a new session.`);
  }

  /** Asks tmux what it knows of the pane. */
  async #look(): Promise<void> {
    const session = this.#session;
    const pane = this.#pane;
    if (session === null || pane === null || !session.channel.open) return;
    await session.channel
      .request(listPanes(session.name), ({ ok, lines }) => {
        if (!ok || this.#session !== session) return;
        const status = lines.map(parsePaneStatus).find((line) => line?.pane === this.#paneId) ?? null;
        if (status === null) this.#paneVanished(session, pane);
        else this.#learn(status, pane);
      })
      .catch(() => undefined);
    await this.#lookForPassword(pane);
  }

  #learn(status: PaneStatus, pane: ShellPane): void {
    this.#status = status;
    if (status.cols !== this.#cols || status.rows !== this.#rows) {
      this.#cols = status.cols;
      this.#rows = status.rows;
      this.#mirror?.resize(status.cols, status.rows);
    }
    if (status.dead && pane.phase !== 'dead') {
      const how = status.deadStatus === null ? 'it was killed' : `exit status ${status.deadStatus}`;
      pane.gone('dead', `the shell of the pane has ended (${how}); the last of its output may be missing`);
      this.#notice(`The shell of the pane has ended (${how}). The next command starts a new one.`);
    }
    if (pane.phase === 'running' && status.program !== '' && status.program !== basename(this.#options.choice.program)) {
      this.#running.program = status.program;
    }
    this.#changed();
  }

  #paneVanished(session: Session, pane: ShellPane): void {
    this.#lost(pane, 'the pane was closed');
    session.channel.kill();
  }

  async #lookForPassword(pane: ShellPane): Promise<void> {
    if (pane.phase !== 'running' || this.#status === null || this.#quietPolls++ > PASSWORD_LOOKS) return;
    const looked = pane.run;
    const hides = this.#quietPolls > 1 && (await hidesInput(this.#host, this.#status.tty, this.#closing.signal));
    if (!hides || pane.phase !== 'running' || pane.run !== looked || this.#quietPolls === 0) return;
    this.#running.password = true;
    this.#changed();
  }

  #state(): PaneState {
    return paneState(this.#pane?.phase ?? 'starting', this.#status, this.#running);
  }

  /** Tells the state when it is another one. */
  #changed(): void {
    const pane = this.#pane;
    if (pane === null || this.#paneId === '' || this.#closing.signal.aborted) return;
    if (pane.phase === 'running' && pane.run === null && this.#lastState.includes('"idle"')) {
      this.#running = { program: '', sinceMs: this.#host.clock.now(), password: false };
    }
    const state = this.#state();
    const key = JSON.stringify([state, pane.lastExit]);
    if (key === this.#lastState) return;
    this.#lastState = key;
    this.#events.fire({ type: 'pane.state', pane: this.#paneId, state, lastExit: pane.lastExit });
  }

  #moved(path: string): void {
    if (path === this.#cwd) return;
    this.#cwd = path;
    if (this.#session !== null) this.#events.fire({ type: 'summary', summary: this.summary });
  }

  #notice(message: string): void {
    this.#options.log.write('warn', message);
    this.#events.fire({ type: 'notice', message });
  }

  /** Types without waiting for the reply; a lost channel is told elsewhere. */
  #paste(bytes: string): void {
    this.#session?.channel.requestAll(pasteLines(this.#paneId, bytes, commandId())).catch(() => undefined);
  }

  #own(pane: PaneId | undefined): Session {
    const { session } = this.#live();
    if (pane !== undefined && pane !== this.#paneId) {
      throw new BuddyError('target.pane', `there is no pane ${pane} here`, { hint: `The shared pane is ${this.#paneId}.` });
    }
    return session;
  }

  async #capture(
    wanted: { readonly pane?: PaneId; readonly lines?: number; readonly escapes?: boolean },
    signal: AbortSignal,
  ): Promise<string> {
    if (signal.aborted) throw abortError();
    const session = this.#own(wanted.pane);
    const from = wanted.lines === undefined ? '' : ` -S -${Math.max(0, Math.floor(wanted.lines))}`;
    const reply = await session.channel.request(`capture-pane -p -J${wanted.escapes === true ? ' -e' : ''}${from} -t ${this.#paneId}`);
    if (!reply.ok) throw new BuddyError('target.lost', `tmux did not show the pane: ${reply.lines.join(' ')}`);
    return reply.lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  }

  async #typeInto(pane: PaneId | undefined, bytes: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw abortError();
    const session = this.#own(pane);
    const replies = await session.channel.requestAll(pasteLines(this.#paneId, bytes, commandId()));
    const failed = replies.find((reply) => !reply.ok);
    if (failed !== undefined) throw new BuddyError('target.lost', `tmux did not take the keys: ${failed.lines.join(' ')}`);
  }

  #resize(pane: PaneId | undefined, cols: number, rows: number): void {
    const session = this.#own(pane);
    const width = Math.max(2, Math.min(1000, Math.floor(cols)));
    const height = Math.max(2, Math.min(1000, Math.floor(rows)));
    session.channel
      .request(`resize-window -t ${this.#paneId} -x ${width} -y ${height}`, ({ ok }) => {
        if (!ok) return;
        this.#cols = width;
        this.#rows = height;
        this.#mirror?.resize(width, height);
      })
      .catch(() => undefined);
  }
}

const noOutput: CommandOutput = { text: '', totalBytes: 0, totalLines: 0, truncated: false };

/** Unguessable: a program that prints a mark must not be believed. */
function nonce(): string {
  return randomBytes(12).toString('hex');
}

function commandId(): string {
  return randomBytes(5).toString('hex');
}

/** The program that a command line starts with, for the badge until tmux tells. */
function firstWord(command: string): string {
  const found = /^\s*(?:\w+=\S*\s+)*([\w./+-]+)/.exec(command)?.[1] ?? '';
  return basename(found);
}
