/** One pane of ours: the shell in it, its picture, what it is doing, and what tmux knows of it. */

import { randomBytes } from 'node:crypto';
import { BuddyError } from '../../base/errors.js';
import { settledWithin } from '../../base/settled.js';
import type { PaneId, PaneState } from '../../protocol/panes.js';
import { CommandRun } from '../command-run.js';
import { prepareShell } from '../shells/startup.js';
import { catchUp, learnEnd } from './catch-up.js';
import type { KeptPane } from './kept-record.js';
import { markNonce } from './mark-scanner.js';
import { PaneActivity } from './pane-activity.js';
import { pasteLines } from './pane-commands.js';
import { type NextShell, type PaneHome, paneName, SHARED_TITLE } from './pane-home.js';
import { PanePicture } from './pane-picture.js';
import { endWords, type PaneStatus } from './pane-status.js';
import { tmuxWord } from './quoting.js';
import type { Session } from './session.js';
import { ShellPane } from './shell-pane.js';
import { TypedText } from './typed-text.js';

/** A start-up file may be slow (version managers, network); then the shell is given up. */
const SHELL_START_MS = 30_000;
const START_LOOK_MS = 250;
/** tmux knows the end of a shell before its exit status: a moment, on a loaded machine longer, and sometimes it never learns that. */
const STATUS_LOOKS = 40;
const STATUS_LOOK_MS = 30;

export class ManagedPane {
  readonly title: string;
  /** Its private files on the place: start-up, script, status. */
  folder = '';
  readonly #home: PaneHome;
  readonly #picture: PanePicture | null;
  readonly #typed: TypedText;
  readonly #activity: PaneActivity;
  #id: PaneId = '';
  #shell: ShellPane | null = null;
  #nonce = '';
  #status: PaneStatus | null = null;
  #cwd: string;
  #cols: number;
  #rows: number;
  #lastState = '';
  #deadLooks = 0;
  #promptX = 0;
  /** What the pane prints is in the picture that was asked for: it must not come twice. */
  #deaf = false;

  constructor(title: string, size: { readonly cols: number; readonly rows: number }, home: PaneHome) {
    this.title = title;
    this.#home = home;
    this.#cwd = home.place.facts.cwd;
    this.#cols = size.cols;
    this.#rows = size.rows;
    const { host, emulators, closing } = home;
    this.#picture =
      emulators === null
        ? null
        : new PanePicture({
            clock: host.clock,
            emulators,
            session: () => home.session,
            id: () => this.#id,
            isTaking: () => this.#shell?.phase === 'typing',
            show: () => this.#show(),
          });
    const { place, choice } = home;
    this.#activity = new PaneActivity({ place, shellProgram: choice.program, signal: closing, now: () => host.clock.now() });
    this.#typed = new TypedText(emulators, (command) => {
      if (!closing.aborted) home.tell({ type: 'pane.command', pane: this.#id, ...command });
    });
  }

  /** What it needs of its session. */
  get home(): PaneHome {
    return this.#home;
  }

  /** '' while tmux has not told it. */
  get id(): PaneId {
    return this.#id;
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

  get shell(): ShellPane | null {
    return this.#shell;
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
    return this.#activity.otherThanShell(this.#status);
  }

  /** When what runs began (clock.now()). */
  get sinceMs(): number {
    return this.#activity.sinceMs;
  }

  /** Fills `folder` with what a new shell needs. */
  async nextShell(folder: string): Promise<NextShell> {
    const { choice, place } = this.#home;
    const nonce = markNonce();
    const commandLine = await prepareShell(folder, choice, nonce, (path, text) => place.writePrivate(path, text));
    this.folder = folder;
    const shell = this.#newShell(nonce);
    return { commandLine, shell, nonce };
  }

  /** Such a shell is started in the tmux pane `id`; '' when tmux has not told the id yet: what is heard next is of it. */
  started(next: NextShell, id: PaneId): void {
    this.#shell = next.shell;
    this.#nonce = next.nonce;
    this.#id = id;
    this.#status = null;
  }

  /** The pane is there and can be told of. */
  opened(id: PaneId): void {
    this.#id = id;
    this.#cwd = this.#home.place.facts.cwd;
    this.#tellOpened();
    this.#show();
  }

  /** Another tmux pane takes its place, with another shell. */
  replaced(next: NextShell, id: PaneId): void {
    const old = this.#id;
    this.started(next, id);
    this.#home.tell({ type: 'pane.closed', pane: old });
    this.#tellOpened();
    this.#picture?.clear(this.#cols, this.#rows);
  }

  /** It goes on with a shell that an earlier run kept: nothing is heard of it until `catchUp` has asked. */
  resume(kept: KeptPane): void {
    const { id, command, sinceMs } = kept.running ?? { id: '', command: '', sinceMs: 0 };
    const run = id === '' ? null : new CommandRun(command, id, this.#home.host.clock.monotonic(), () => undefined);
    this.folder = kept.folder;
    this.#nonce = kept.nonce;
    this.#id = kept.pane;
    this.#cwd = kept.cwd;
    this.#status = null;
    this.#deaf = true;
    this.#activity.goesOn(sinceMs);
    this.#shell = this.#newShell(kept.nonce);
    this.#shell.resume(kept.prompt, run);
  }

  /** The shell that was kept can be told of. */
  resumed(): void {
    this.#tellOpened();
    this.#show();
    this.#lastState = '';
    this.#changed();
  }

  /** Resolves at the first prompt. Throws `target.shell`. */
  async ready(signal: AbortSignal): Promise<void> {
    const { host, choice } = this.#home;
    const shell = this.#shell;
    if (shell === null) throw new Error('no shell was started');
    this.#changed();
    const look = host.clock.every(START_LOOK_MS, () => void this.#home.look());
    const reached = await settledWithin(shell.promptReached(), SHELL_START_MS, host.clock, signal);
    look.dispose();
    signal.throwIfAborted();
    // From now on it is known which process the shell is.
    if (reached && shell.phase === 'prompt') return this.#home.look();
    const what = reached ? 'ended while it started' : `showed no prompt of ours within ${SHELL_START_MS / 1000} seconds`;
    throw new BuddyError('target.shell', `the shell ${choice.program} ${what}`, {
      hint: 'Look at its start-up files (a program they `exec`, or a question they ask), or set another shell.',
    });
  }

  /** Draws it from now on. Nothing when nobody looks at all. */
  async watch(): Promise<void> {
    await this.#picture?.watch(this.#cols, this.#rows);
    if (this.#id !== '') this.#picture?.missed();
  }

  unwatch(): void {
    this.#picture?.unwatch();
  }

  /** What has scrolled off; null when nobody looks at all, or when it cannot be had. */
  scrollback() {
    return this.#picture?.scrollback() ?? Promise.resolve(null);
  }

  /** A command of ours begins; `program` is its name until tmux tells. */
  begin(program: string): void {
    this.#activity.begin(program);
  }

  state(): PaneState {
    return this.#activity.state(this.#shell?.phase ?? 'starting', this.#status);
  }

  /** Types without waiting for the reply; a lost channel is told elsewhere. */
  paste(bytes: string): void {
    this.#home.session?.channel.requestAll(pasteLines(this.#id, bytes, randomBytes(5).toString('hex'))).catch(() => undefined);
  }

  /** Some lines of it are nobody's business. */
  get hasPrivate(): boolean {
    return this.#typed.hasPrivate;
  }

  /** The text of the pane without the lines that are nobody's business. */
  publicText(screen: string): string {
    return this.#typed.publicText(screen);
  }

  /** It has another size now. */
  resized(cols: number, rows: number): void {
    this.#cols = cols;
    this.#rows = rows;
    this.#picture?.resize(cols, rows);
  }

  /** What it printed. */
  output(bytes: Buffer): void {
    if (this.#deaf) return;
    this.#activity.heard();
    this.#shell?.feed(bytes);
    this.#picture?.feed(bytes);
  }

  /** tmux gave up on us for a while and dropped output: go on from now, and learn from the status file what was missed. */
  paused(): void {
    const { session, place } = this.#home;
    const shell = this.#shell;
    if (session === null || shell === null) return;
    shell.run?.log.gap();
    const resumed = session.channel.request(`refresh-client -A ${tmuxWord(`${this.#id}:continue`)}`);
    this.#picture?.missed();
    resumed.then(() => learnEnd(place, this.folder, shell)).catch(() => undefined);
  }

  /** What tmux knows of it. */
  learn(status: PaneStatus): void {
    const shell = this.#shell;
    if (shell === null) return;
    this.#status = status;
    if (shell.phase === 'prompt' && !shell.touched) this.#promptX = status.cursorX;
    if (status.cols !== this.#cols || status.rows !== this.#rows) this.resized(status.cols, status.rows);
    this.#learnDeath(status, shell);
    this.#activity.seen(status, shell);
    this.#changed();
  }

  /** Learns how the terminal takes what is typed, when it is time to. */
  async lookAtTerminal(): Promise<void> {
    const shell = this.#shell;
    if (shell === null || this.#status === null) return;
    if ((await this.#activity.look(shell, this.#status)) && this.#shell === shell) this.#changed();
  }

  /** Nothing is heard of it until `catchUp` has asked. */
  deafen(deaf: boolean): void {
    this.#deaf = deaf;
  }

  /** Learns what happened while nobody listened; false when it is gone. Throws when the connection is lost again. */
  async catchUp(session: Session, waiting: 'prompt' | 'unknown' = 'prompt'): Promise<boolean> {
    const shell = this.#shell;
    if (shell === null) return false;
    const status = await catchUp({
      place: this.#home.place,
      clock: this.#home.host.clock,
      session,
      paneId: this.#id,
      folder: this.folder,
      pane: shell,
      program: this.#home.choice.program,
      waiting,
      live: () => {
        this.#deaf = false;
        this.#picture?.missed();
      },
    });
    if (status !== null) this.learn(status);
    return status !== null;
  }

  /** It is gone, or the way to it. False when that was known. */
  lost(reason: string): boolean {
    const shell = this.#shell;
    if (shell === null || shell.phase === 'lost') return false;
    shell.gone('lost', reason);
    this.#home.tell({ type: 'pane.closed', pane: this.#id });
    this.#moved(this.#home.place.facts.cwd);
    return true;
  }

  /** Its working directory and its environment are those of a new shell. */
  forgetFolder(): void {
    this.#moved(this.#home.place.facts.cwd);
  }

  /** Nobody waits for it any more. */
  close(reason: string): void {
    this.#shell?.gone('lost', reason);
    this.#picture?.dispose();
    this.#typed.dispose();
  }

  #tellOpened(): void {
    this.#home.tell({ type: 'pane.opened', pane: this.#id, title: `${this.#home.titlePrefix}${this.title}` });
  }

  #learnDeath(status: PaneStatus, shell: ShellPane): void {
    if (!status.dead) {
      this.#deadLooks = 0;
      return;
    }
    if (shell.phase === 'dead') return;
    const told = status.deadStatus !== null || status.deadSignal !== null || this.#deadLooks++ >= STATUS_LOOKS;
    if (!told) {
      this.#home.host.clock.after(STATUS_LOOK_MS, () => void this.#home.look());
      return;
    }
    const how = endWords(status);
    shell.gone('dead', `the shell of the pane has ended (${how}); the last of its output may be missing`);
    this.forgetFolder();
    this.#notice(
      `The shell of ${paneName(this.title)} has ended (${how}). The next command ${this.title === SHARED_TITLE ? '' : 'there '}starts a new one.`,
    );
  }

  #newShell(nonce: string): ShellPane {
    return new ShellPane(nonce, this.#home.choice.shell.marksStart, {
      changed: () => this.#changed(),
      cwd: (path) => this.#moved(path),
      entered: (echo) => void this.#typed.entered(echo, this.#cols),
      typed: (echo) => void this.#typed.ran(echo, this.#cols),
    });
  }

  /** Tells the newest picture; one that comes before the pane is open (and can be resized) waits for that. */
  #show(): void {
    const screen = this.#picture?.latest ?? null;
    if (screen !== null && this.#home.session !== null) this.#home.tell({ type: 'pane.screen', pane: this.#id, screen });
  }

  /** Tells the state when it is another one. */
  #changed(): void {
    const shell = this.#shell;
    const { session, closing } = this.#home;
    if (shell === null || session === null || closing.aborted) return;
    if (shell.phase === 'running' && shell.run === null && this.#lastState.includes('"idle"')) this.#activity.begin('');
    // What tmux told of the screen of the last command says nothing about the next one.
    if (shell.phase === 'prompt' && this.#status?.alternateScreen) this.#status = { ...this.#status, alternateScreen: false };
    const state = this.state();
    const key = JSON.stringify([this.#id, state, shell.lastExit]);
    if (key === this.#lastState) return;
    this.#lastState = key;
    this.#home.tell({ type: 'pane.state', pane: this.#id, state, lastExit: shell.lastExit });
  }

  #moved(path: string): void {
    if (path === this.#cwd) return;
    this.#cwd = path;
    if (this.#home.session !== null) this.#home.moved(this.title);
  }

  #notice(message: string): void {
    this.#home.log.write('warn', message);
    this.#home.tell({ type: 'notice', message });
  }
}
