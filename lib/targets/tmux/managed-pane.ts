/** The shared pane with all that belongs to it: its tmux session, its shell, its mirror, and what tmux knows of it. */

import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { delay } from '../../base/clock.js';
import type { Disposable } from '../../base/disposable.js';
import { abortError, asBuddyError, BuddyError } from '../../base/errors.js';
import type { Host } from '../../base/host.js';
import type { Log } from '../../base/log.js';
import type { PaneId, PaneScreen, PaneState } from '../../protocol/panes.js';
import { hidesInput } from '../foreground.js';
import { type Place, whenConnected } from '../places/place.js';
import { settledWithin } from '../settled.js';
import type { ShellChoice } from '../shells/index.js';
import { prepareShell } from '../shells/startup.js';
import type { TargetEvent } from '../target.js';
import type { EmulatorFactory } from '../terminal-emulator.js';
import { catchUp } from './catch-up.js';
import { markNonce } from './mark-scanner.js';
import { PaneMirror } from './mirror.js';
import { newWindowLine, pasteLines, windowOptionLines } from './pane-commands.js';
import { endWords, listPanes, type PaneStatus, paneState, parsePaneStatus } from './pane-status.js';
import { tmuxWord } from './quoting.js';
import { copyScreen } from './screen-copy.js';
import { openSession, reattach, type Session } from './session.js';
import { ShellPane } from './shell-pane.js';
import { commandOf, type Echo, EchoReader, isPrivate, type TypedEcho, withoutPrivate } from './typed-commands.js';

export interface ManagedPaneOptions {
  readonly host: Host;
  readonly place: Place;
  readonly agent: string;
  readonly socket: string;
  readonly choice: ShellChoice;
  readonly cols: number;
  readonly rows: number;
  readonly log: Log;
  /** Emulators for the mirror; null when nobody looks. */
  readonly emulators: (() => Promise<EmulatorFactory>) | null;
  /** Told at once, synchronously. */
  tell(event: TargetEvent): void;
  /** The shell is in another folder, or there is another session to attach to. */
  moved(): void;
}

/** A start-up file may be slow (version managers, network); then the shell is given up. */
const SHELL_START_MS = 30_000;
const POLL_MS = 1000;
/** Lines that begin with a blank are remembered so long, to be left out where the pane is read. */
const PRIVATE_KEPT = 100;
/** Quiet polls at which a running command is asked whether it hides what is typed; it costs a process. */
const isPasswordLook = (quietPolls: number) => quietPolls % 10 === 0 || (quietPolls >= 2 && quietPolls <= 6);
/** tmux knows the end of a shell a moment before its exit status, and sometimes never learns that. */
const STATUS_LOOKS = 4;
const STATUS_LOOK_MS = 30;

/** For the place to notice its own loss. */
const REASON_PATIENCE_MS = 1000;
/** Between attempts to attach again while the connection itself stands. */
const RECOVERY_PAUSE_MS = 500;

export class ManagedPane {
  readonly #options: ManagedPaneOptions;
  readonly #host: Host;
  readonly #place: Place;
  readonly #closing = new AbortController();
  #session: Session | null = null;
  #paneId = '';
  #pane: ShellPane | null = null;
  #nonce = '';
  #mirror: PaneMirror | null = null;
  readonly #echoes: EchoReader | null;
  #private: readonly string[] = [];
  #poll: Disposable | null = null;
  #status: PaneStatus | null = null;
  #cwd: string;
  #picture: PaneScreen | null = null;
  #cols: number;
  #rows: number;
  #running = { program: '', sinceMs: 0, password: false };
  #lastState = '';
  #quietPolls = 0;
  #deadLooks = 0;
  #promptX = 0;
  #recovery: Promise<void> | null = null;
  /** What the pane prints is in the picture that was asked for: it must not come twice. */
  #catchingUp = false;

  constructor(options: ManagedPaneOptions) {
    this.#options = options;
    this.#host = options.host;
    this.#place = options.place;
    this.#cwd = options.place.facts.cwd;
    this.#echoes = options.emulators === null ? null : new EchoReader(options.emulators);
    this.#cols = options.cols;
    this.#rows = options.rows;
  }

  get id(): PaneId {
    return this.#paneId;
  }

  get cwd(): string {
    return this.#cwd;
  }

  get cols(): number {
    return this.#cols;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Null before `open` and while there is none. */
  get session(): Session | null {
    return this.#session;
  }

  get shell(): ShellPane | null {
    return this.#pane;
  }

  /** Of the shell that runs now. */
  get nonce(): string {
    return this.#nonce;
  }

  /** The column where typed text begins, as tmux last told it. */
  get promptX(): number {
    return this.#promptX;
  }

  /** Process id of the pane's shell, 0 when not known. */
  get shellPid(): number {
    return this.#status?.pid ?? 0;
  }

  /** The program that tmux sees in the foreground when it is not the shell itself, else ''. */
  get foreground(): string {
    const program = this.#status?.program ?? '';
    return program === basename(this.#options.choice.program) ? '' : program;
  }

  /** Settles when a lost connection is back, or there is nothing to come back to; null while it stands. Never rejects. */
  get recovery(): Promise<void> | null {
    return this.#recovery;
  }

  /** Fires when the pane is being closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** A new session with a new shell, ready at its prompt. */
  async open(aborted: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([aborted, this.#closing.signal]);
    if (signal.aborted) throw abortError();
    this.#poll ??= this.#host.clock.every(POLL_MS, () => void this.look());
    const { host, place } = this.#options;
    this.#mirror?.dispose();
    this.#mirror = null;
    if (this.#options.emulators !== null) {
      const emulators = await this.#options.emulators();
      this.#mirror = new PaneMirror(
        () => emulators.create(this.#cols, this.#rows, 0),
        host.clock,
        (screen) => this.#show(screen),
        () => this.#resync(),
      );
    }
    this.#nonce = markNonce();
    this.#status = null;
    this.#paneId = '';
    this.#picture = null;
    const pane = this.#newPane();
    this.#pane = pane;
    const wanted = {
      agent: this.#options.agent,
      cols: this.#cols,
      rows: this.#rows,
      commandLine: (folder: string) => this.#prepare(folder),
    };
    const session = await openSession(this.#sessionPlace(), wanted, this.#listener(), signal);
    if (signal.aborted) {
      await session.close();
      throw abortError();
    }
    this.#session = session;
    this.#paneId = session.pane;
    this.#cwd = place.facts.cwd;
    this.#options.tell({ type: 'pane.opened', pane: this.#paneId, title: 'shared' });
    if (this.#picture !== null) this.#show(this.#picture);
    this.#options.moved();
    this.#changed();
    await this.#awaitShell(pane, signal);
  }

  /** Brings a lost or dead shell back. Its working directory and environment are gone; a notice says so. */
  async revive(signal: AbortSignal): Promise<void> {
    if (this.#pane?.phase === 'lost' || this.#session === null) await this.#reopen(signal);
    else if (this.#pane?.phase === 'dead') await this.#renew(this.#session, signal);
  }

  /** Ends the session; resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#poll?.dispose();
    const session = this.#session;
    this.#session = null;
    this.#pane?.gone('lost', 'the target was closed');
    this.#mirror?.dispose();
    this.#echoes?.dispose();
    await session?.close();
  }

  /** A command of ours begins; `program` is its name until tmux tells. */
  begin(program: string): void {
    this.#running = { program, sinceMs: this.#host.clock.now(), password: false };
    this.#quietPolls = 0;
  }

  /** Asks tmux what it knows of the pane. */
  async look(): Promise<void> {
    const session = this.#session;
    const pane = this.#pane;
    if (session === null || pane === null || !session.channel.open) return;
    await session.channel
      .request(listPanes(session.name), ({ ok, lines }) => {
        if (!ok || this.#session !== session || this.#pane !== pane) return;
        const status = lines.map(parsePaneStatus).find((line) => line?.pane === this.#paneId) ?? null;
        if (status === null) {
          this.#lost('the pane was closed');
          session.channel.kill();
        } else this.#learn(status, pane);
      })
      .catch(() => undefined);
    await this.#lookForPassword(pane);
  }

  state(): PaneState {
    return paneState(this.#pane?.phase ?? 'starting', this.#status, this.#running);
  }

  /** Types without waiting for the reply; a lost channel is told elsewhere. */
  paste(bytes: string): void {
    this.#session?.channel.requestAll(pasteLines(this.#paneId, bytes, randomBytes(5).toString('hex'))).catch(() => undefined);
  }

  /** The pane has another size now. */
  resized(cols: number, rows: number): void {
    this.#cols = cols;
    this.#rows = rows;
    this.#mirror?.resize(cols, rows);
    // The emulator wraps lines anew in its own way (xterm.js mixes up combining marks): what counts is what tmux made of them.
    this.#resync();
  }

  /** Tells a picture; one that comes before the pane is open (and can be resized) waits for that. */
  #show(screen: PaneScreen): void {
    this.#picture = screen;
    if (this.#session !== null) this.#options.tell({ type: 'pane.screen', pane: this.#paneId, screen });
  }

  async #awaitShell(pane: ShellPane, signal: AbortSignal): Promise<void> {
    const look = this.#host.clock.every(POLL_MS / 4, () => void this.look());
    const reached = await settledWithin(pane.promptReached(), SHELL_START_MS, this.#host.clock, signal);
    look.dispose();
    if (signal.aborted) throw abortError();
    if (reached && pane.phase === 'prompt') return;
    const what = reached ? 'ended while it started' : `showed no prompt of ours within ${SHELL_START_MS / 1000} seconds`;
    throw new BuddyError('target.shell', `the shell ${this.#options.choice.program} ${what}`, {
      hint: 'Look at its start-up files (a program they `exec`, or a question they ask), or set another shell.',
    });
  }

  async #reopen(signal: AbortSignal): Promise<void> {
    const old = this.#session;
    this.#session = null;
    await old?.close();
    await this.open(signal);
    this.#notice('A new tmux session was started; the working directory and the environment of the old shell are lost.');
  }

  /**
   * A new shell in a new window, in place of the dead one. (respawn-pane would keep the window, but tmux 3.3a then loses the first
   * bytes for a control client that had not yet read the last ones.)
   */
  async #renew(session: Session, signal: AbortSignal): Promise<void> {
    const old = this.#paneId;
    this.#nonce = markNonce();
    const line = await this.#prepare(session.folder);
    const pane = this.#newPane();
    const made = session.channel.request(newWindowLine(session.name, this.#place.facts.cwd, line), ({ ok, lines }) => {
      if (!ok) return;
      this.#pane = pane;
      this.#paneId = lines[0] ?? '';
      this.#status = null;
      this.#options.tell({ type: 'pane.closed', pane: old });
      this.#options.tell({ type: 'pane.opened', pane: this.#paneId, title: 'shared' });
      this.#mirror?.restore({ cols: this.#cols, rows: this.#rows, lines: [], cursor: { x: 0, y: 0, shown: true } });
    });
    session.channel.requestAll(windowOptionLines(session.name, this.#cols, this.#rows)).catch(() => undefined);
    const reply = await made;
    if (!reply.ok) return this.#reopen(signal);
    session.channel.request(`kill-pane -t ${old}`).catch(() => undefined);
    this.#moved(this.#place.facts.cwd);
    this.#changed();
    await this.#awaitShell(pane, signal);
    this.#notice('A new shell was started in the pane; the working directory and the environment of the old one are lost.');
  }

  /** Fills the folder of a shell that is to be started with the nonce of now. */
  #prepare(folder: string): Promise<string> {
    return prepareShell(folder, this.#options.choice, this.#nonce, (path, text) => this.#place.writePrivate(path, text));
  }

  #sessionPlace() {
    const { host, place, socket, log } = this.#options;
    return { place, socket, hostname: host.hostname, pid: host.pid, clock: host.clock, log };
  }

  #listener() {
    return {
      output: (from: string, bytes: Buffer) => this.#output(from, bytes),
      notification: (name: string, rest: string) => this.#notification(name, rest),
      closed: (reason: string) => this.#disconnected(reason),
    };
  }

  #newPane(): ShellPane {
    const { marksStart } = this.#options.choice.shell;
    return new ShellPane(this.#nonce, marksStart, {
      changed: () => this.#changed(),
      cwd: (path) => this.#moved(path),
      entered: (echo) => void this.#entered(echo),
      typed: (echo) => void this.#tellTyped(echo),
    });
  }

  async #tellTyped(echo: TypedEcho): Promise<void> {
    const pane = this.#paneId;
    const line = (await this.#echoes?.read(echo, this.#cols)) ?? '';
    if (line === '' || this.#closing.signal.aborted) return;
    this.#options.tell({ type: 'pane.command', pane, ...commandOf(line, echo) });
  }

  async #entered(echo: Echo): Promise<void> {
    const line = (await this.#echoes?.read(echo, this.#cols)) ?? '';
    if (isPrivate(line)) this.#private = [...this.#private, line].slice(-PRIVATE_KEPT);
  }

  /** The text of the pane without the lines that are nobody's business. */
  publicText(screen: string): string {
    return withoutPrivate(screen, this.#private);
  }

  #output(from: string, bytes: Buffer): void {
    if (this.#paneId === '') this.#paneId = from;
    if (from !== this.#paneId || this.#catchingUp) return;
    this.#quietPolls = 0;
    this.#running.password = false;
    this.#pane?.feed(bytes);
    this.#mirror?.feed(bytes);
  }

  #notification(name: string, rest: string): void {
    const { session, shell } = this;
    if (name === '%pause' && rest === this.#paneId && session !== null && shell !== null) this.#resume(session, shell);
  }

  /** tmux gave up on us for a while and dropped output: go on from now, and learn from the status file what was missed. */
  #resume(session: Session, pane: ShellPane): void {
    const run = pane.run;
    run?.log.gap();
    this.#mirror?.gap();
    const resumed = session.channel.request(`refresh-client -A ${tmuxWord(`${this.#paneId}:continue`)}`);
    this.#resync();
    resumed.then(
      async () => {
        const told = /^(\w+) (\d+)$/.exec(((await this.#place.readText(`${session.folder}/status`)) ?? '').trim());
        if (run !== null && pane.run === run && told?.[1] === run.id) pane.missedEnd(Number(told[2]));
      },
      () => undefined,
    );
  }

  /** The mirror starts again from what tmux shows. */
  #resync(): void {
    if (this.#session !== null) copyScreen(this.#session.channel, this.#paneId, (copy) => this.#mirror?.restore(copy));
  }

  /** The channel has ended. On this host nothing can be saved; elsewhere the session may well live on. */
  #disconnected(reason: string): void {
    if (this.#closing.signal.aborted || this.#pane?.phase === 'lost') return;
    if (this.#place.kind === 'local' || this.#session === null) this.#lost(reason);
    else {
      this.#recovery ??= this.#recover(this.#session, reason).finally(() => {
        this.#recovery = null;
      });
    }
  }

  async #recover(lost: Session, reason: string): Promise<void> {
    const { signal } = this.#closing;
    const { name } = this.#place;
    const told = this.#tellLoss(reason);
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        if (failures > 0) await delay(this.#host.clock, RECOVERY_PAUSE_MS, signal);
        await whenConnected(this.#place, signal);
        this.#catchingUp = true;
        const session = await reattach(this.#sessionPlace(), lost, this.#listener(), signal);
        if (session === null) {
          await told;
          return this.#lost('the tmux session is gone');
        }
        this.#session = session;
        await this.#catchUp(session);
        await told;
        if (!session.channel.open) continue;
        this.#notice(`Connected to ${name} again.`);
        this.#options.moved();
        return;
      } catch (thrown) {
        if (signal.aborted) return;
        if (this.#session !== lost) this.#session?.channel.kill();
        this.#options.log.write('info', `reattaching: ${asBuddyError(thrown, 'target.lost').message}`);
      } finally {
        this.#catchingUp = false;
      }
    }
  }

  /** Tells of a lost connection; with the place's own reason when the place is lost as well. */
  async #tellLoss(reason: string): Promise<void> {
    const place = this.#place;
    const known = new Promise<void>((resolve) => {
      const listening = place.onState((state) => {
        listening.dispose();
        if (state.kind === 'lost') resolve();
      });
    });
    await settledWithin(known, REASON_PATIENCE_MS, this.#host.clock, this.#closing.signal);
    if (this.#closing.signal.aborted) return;
    const why = place.state.kind === 'lost' ? place.state.reason : reason;
    this.#notice(`The connection to ${place.name} was lost (${why}). What runs there goes on; connecting again.`);
  }

  /** Learns what happened while nobody listened. Throws when the connection is lost again. */
  async #catchUp(session: Session): Promise<void> {
    const pane = this.#pane;
    if (pane === null) return;
    const status = await catchUp({
      place: this.#place,
      clock: this.#host.clock,
      session,
      paneId: this.#paneId,
      pane,
      program: this.#options.choice.program,
      live: () => {
        this.#catchingUp = false;
        this.#mirror?.gap();
        this.#resync();
      },
    });
    if (status === null) this.#lost('the pane is gone');
    else this.#learn(status, pane);
  }

  #lost(reason: string): void {
    const pane = this.#pane;
    if (this.#closing.signal.aborted || pane === null || pane.phase === 'lost') return;
    pane.gone('lost', `the connection to tmux was lost (${reason}); whether the command has ended is not known`);
    this.#options.tell({ type: 'pane.closed', pane: this.#paneId });
    this.#moved(this.#place.facts.cwd);
    this.#notice(`The connection to tmux was lost (${reason}). The next command starts a new session.`);
  }

  #learn(status: PaneStatus, pane: ShellPane): void {
    this.#status = status;
    if (pane.phase === 'prompt' && !pane.touched) this.#promptX = status.cursorX;
    if (status.cols !== this.#cols || status.rows !== this.#rows) this.resized(status.cols, status.rows);
    const told = status.deadStatus !== null || status.deadSignal !== null || this.#deadLooks++ >= STATUS_LOOKS;
    if (!status.dead) this.#deadLooks = 0;
    else if (pane.phase !== 'dead' && !told) this.#host.clock.after(STATUS_LOOK_MS, () => void this.look());
    else if (pane.phase !== 'dead') {
      const how = endWords(status);
      pane.gone('dead', `the shell of the pane has ended (${how}); the last of its output may be missing`);
      this.#moved(this.#place.facts.cwd);
      this.#notice(`The shell of the pane has ended (${how}). The next command starts a new one.`);
    }
    if (pane.phase === 'running' && status.program !== '' && status.program !== basename(this.#options.choice.program)) {
      this.#running.program = status.program;
    }
    this.#changed();
  }

  async #lookForPassword(pane: ShellPane): Promise<void> {
    if (pane.phase !== 'running' || this.#status === null || !isPasswordLook(++this.#quietPolls)) return;
    const looked = pane.run;
    const hides = await hidesInput(this.#place, this.#status.tty, this.#closing.signal);
    if (!hides || pane.phase !== 'running' || pane.run !== looked || this.#quietPolls === 0) return;
    this.#running.password = true;
    this.#changed();
  }

  /** Tells the state when it is another one. */
  #changed(): void {
    const pane = this.#pane;
    if (pane === null || this.#session === null || this.#closing.signal.aborted) return;
    if (pane.phase === 'running' && pane.run === null && this.#lastState.includes('"idle"')) {
      this.#running = { program: '', sinceMs: this.#host.clock.now(), password: false };
    }
    // What tmux told of the screen of the last command says nothing about the next one.
    if (pane.phase === 'prompt' && this.#status?.alternateScreen) this.#status = { ...this.#status, alternateScreen: false };
    const state = this.state();
    const key = JSON.stringify([state, pane.lastExit]);
    if (key === this.#lastState) return;
    this.#lastState = key;
    this.#options.tell({ type: 'pane.state', pane: this.#paneId, state, lastExit: pane.lastExit });
  }

  #moved(path: string): void {
    if (path === this.#cwd) return;
    this.#cwd = path;
    if (this.#session !== null) this.#options.moved();
  }

  #notice(message: string): void {
    this.#options.log.write('warn', message);
    this.#options.tell({ type: 'notice', message });
  }
}
