/** The door of the targets room: the agent's hands and eyes, wherever they are. */

import type { Disposable } from '../base/disposable.js';
import type { Event } from '../base/emitter.js';
import type { PaneCommand, PaneId, PaneScreen, PaneScrollback, PaneState, TargetSummary } from '../protocol/panes.js';

/** How long `run` stays with a command: to its end, not at all, or so many milliseconds. */
export type Wait = { readonly kind: 'exit' } | { readonly kind: 'none' } | { readonly kind: 'for'; readonly ms: number };

export interface RunRequest {
  /** Run exactly as it stands, at the top level of the pane's shell. */
  readonly command: string;
  readonly wait: Wait;
  /** The pane that it runs in, as `TmuxClient.find` told it; the shared pane when left out. */
  readonly pane?: PaneId | undefined;
}

export interface RunIo {
  readonly signal: AbortSignal;
  /** Raw output text as it comes, in order; whole UTF-8 characters, escape sequences still in it. */
  onChunk(text: string): void;
}

/** Output for a model: escape sequences rendered away, head and tail kept when it was too long. */
export interface CommandOutput {
  readonly text: string;
  /** Of the whole output, as the program printed it. */
  readonly totalBytes: number;
  readonly totalLines: number;
  readonly truncated: boolean;
  /** Names it for `readOutput`, where the rest can be read. */
  readonly id?: string;
}

/** A part of a long output. */
export interface OutputPiece {
  /** Without escape sequences. */
  readonly text: string;
  /** Bytes of all that is kept, as the terminal got them; `offset` and `next` count the same way. */
  readonly size: number;
  /** Where it goes on; null: nothing follows. */
  readonly next: number | null;
}

/** The end of an output, as raw text. */
export interface OutputTail {
  readonly text: string;
  /** Of the whole output. */
  readonly totalBytes: number;
  /** Names it for `readOutput`; null: it is kept nowhere. */
  readonly id: string | null;
}

/** A command that goes on by itself. */
export interface BackgroundCommand {
  readonly pane: PaneId;
  readonly command: string;
  /** Resolves when it has ended; it never rejects. A null code: the shell or the connection was lost. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly output: CommandOutput }>;
  /** The last line it printed, '' when none. */
  lastLine(): string;
  /** The end of what it printed, at most so many bytes. */
  tail(bytes: number): OutputTail;
  /** Ctrl-C, then SIGTERM to its process group when it goes on after `graceMs`. True when it has ended. */
  stop(signal: AbortSignal): Promise<boolean>;
}

export type RunOutcome =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly output: CommandOutput; readonly elapsedMs: number }
  /** It goes on: nobody waited, or the time is over. */
  | {
      readonly kind: 'running';
      readonly reason: 'detached' | 'time-out';
      readonly background: BackgroundCommand;
      readonly output: CommandOutput;
      readonly elapsedMs: number;
    }
  /** The signal fired. `survivor`: it did not end, whatever was done; it is followed on. */
  | {
      readonly kind: 'cancelled';
      readonly stopped: boolean;
      readonly survivor?: BackgroundCommand;
      readonly output: CommandOutput;
      readonly elapsedMs: number;
    }
  /** The shell, the pane or the server went away underneath; the next command starts a new one. */
  | { readonly kind: 'lost'; readonly reason: string; readonly output: CommandOutput; readonly elapsedMs: number }
  /** Nothing was typed: the pane was not at a prompt. */
  | { readonly kind: 'refused'; readonly state: PaneState; readonly reason: string; readonly screen: string };

/** A pane as a list shows it. */
export interface PaneInfo {
  /** Name of its tmux session. */
  readonly session: string;
  readonly pane: PaneId;
  readonly title: string;
  readonly cols: number;
  readonly rows: number;
  /** The folder of its shell. */
  readonly cwd: string;
  readonly state: PaneState;
  /** Text that stands at its prompt and that nobody has entered yet. */
  readonly halfTyped: string;
  /** It is there from the beginning and cannot be killed. */
  readonly isDefault: boolean;
}

/** Which pane is meant: names as they were given when it was made, or a tmux id (`%3`). Left out: the session's, and the session, that are there from the beginning. */
export interface PaneSelector {
  readonly session?: string | undefined;
  readonly pane?: string | undefined;
}

/** A line of a pane: 0 is the top of the screen, -1 the newest line of scrollback; '-' the oldest, or as an end the last. */
export type PaneLine = number | '-';

/** As tmux(1) has it for capture-pane. */
export interface CaptureOptions {
  /** The shared one when left out. */
  readonly pane?: PaneId | undefined;
  readonly start?: PaneLine | undefined;
  readonly end?: PaneLine | undefined;
  /** Wrapped rows as one line; default true. */
  readonly joinWrapped?: boolean | undefined;
  readonly keepTrailingSpaces?: boolean | undefined;
  readonly escapes?: boolean | undefined;
  /** Non-printable characters as octal. */
  readonly octal?: boolean | undefined;
  /** The other screen, when a program has taken the whole one. */
  readonly alternate?: boolean | undefined;
}

/** What was made, or what was there already. */
export interface MadePane {
  readonly session: string;
  readonly pane: PaneId;
  readonly title: string;
  readonly created: boolean;
}

/** What only a target with tmux can do. It acts on panes of this program and on no others. */
export interface TmuxClient {
  panes(): readonly PaneInfo[];
  /** Throws `target.pane` when there is none of ours. */
  find(selector: PaneSelector): PaneInfo;
  /** The pane's text. Throws `target.no-alternate` when the alternate screen is asked for and there is none. */
  capture(options: CaptureOptions, signal: AbortSignal): Promise<string>;
  /** Types bytes as they are. */
  type(pane: PaneId | undefined, bytes: string, signal: AbortSignal): Promise<void>;
  /** Pastes a text whole: line ends as Enter, no control characters, between marks when the program in the pane asked for them. */
  paste(pane: PaneId | undefined, text: string, signal: AbortSignal): Promise<void>;
  resize(pane: PaneId | undefined, cols: number, rows: number): void;
  /** `pane.screen` tells of this pane from now on, and of no other. */
  watch(pane: PaneId): void;
  /** `pane.scrollback` tells once what has scrolled off that pane. */
  scrollBack(pane: PaneId): void;
  /** A shell with our marks takes the place of the unknown one that waits in that pane. Throws `target.pane`, `target.shell`. */
  integrate(pane: PaneId, signal: AbortSignal): Promise<void>;
  /** Makes a session with a pane at its prompt, or finds the one of that name. Throws `target.limit`, `target.*`. */
  createSession(name: string, signal: AbortSignal): Promise<MadePane>;
  /** Ends a session and all that runs in it; never the default one. Throws `target.pane`. */
  killSession(name: string, signal: AbortSignal): Promise<void>;
  /** Makes a pane at its prompt, or finds the one of that name. Throws `target.limit`, `target.*`. */
  createPane(selector: PaneSelector, signal: AbortSignal): Promise<MadePane>;
  /** Ends a pane and what runs in it; never a shared one. Throws `target.pane`. */
  killPane(selector: PaneSelector, signal: AbortSignal): Promise<void>;
}

/** What becomes of the terminal when a target is closed. */
export type TargetEnd = 'end' | 'keep';

/** What a target tells by itself. */
export type TargetEvent =
  | { readonly type: 'pane.opened'; readonly pane: PaneId; readonly title: string }
  | { readonly type: 'pane.screen'; readonly pane: PaneId; readonly screen: PaneScreen }
  /** The answer to `scrollBack`; null: it could not be had. */
  | { readonly type: 'pane.scrollback'; readonly pane: PaneId; readonly scrollback: PaneScrollback | null }
  | { readonly type: 'pane.state'; readonly pane: PaneId; readonly state: PaneState; readonly lastExit: number | null }
  | { readonly type: 'pane.closed'; readonly pane: PaneId }
  /** A person ran a command in the pane and it has ended. */
  | ({ readonly type: 'pane.command'; readonly pane: PaneId } & PaneCommand)
  | { readonly type: 'summary'; readonly summary: TargetSummary }
  /** Something the user should know: a shell was lost, a server died. */
  | { readonly type: 'notice'; readonly message: string }
  /** A command of an earlier run still runs in the terminal that was kept. */
  | { readonly type: 'background'; readonly command: BackgroundCommand };

/** A piece of a regular file. */
export interface FilePiece {
  readonly bytes: Uint8Array;
  /** Bytes of the whole file. */
  readonly size: number;
  /** How many names (hard links) it has; left out: not known. */
  readonly names?: number;
  /** Where the file that was opened really is; left out: not known. */
  readonly real?: string;
  /** Of a piece that was asked for by line: the byte where it begins, or how many lines there are when there is none such. */
  readonly start?: number;
  readonly lines?: number;
}

/** Which bytes of a file: `limit` of them from `offset` on, counted from the beginning of line `line` (1 is the first) where one is given. */
export interface FileRange {
  readonly offset: number;
  readonly limit: number;
  readonly line?: number;
}

/** A program that only looks, run beside the panes. */
export interface LookRequest {
  /** Exactly as the program gets them; no shell reads them. */
  readonly argv: readonly string[];
  /** On its standard input; none when left out. */
  readonly input?: Uint8Array;
  /** With more output, or after so long, it is ended; what it has printed counts. */
  readonly mostBytes: number;
  readonly mostMs: number;
}

/** What it printed. */
export interface Looked {
  /** Null: it was ended. */
  readonly code: number | null;
  readonly stdout: Buffer;
  /** The beginning of it. */
  readonly stderr: string;
  /** Why it was ended before its end. */
  readonly cut: 'bytes' | 'time' | null;
}

export interface ExecutionTarget extends Disposable {
  readonly summary: TargetSummary;
  /** Home folder of the user there. */
  readonly homeDir: string;
  readonly onEvent: Event<TargetEvent>;
  readonly tmux: TmuxClient | null;
  /** Makes what is needed (server, session, pane) and resolves when commands can run. Throws `target.*`. */
  start(signal: AbortSignal): Promise<void>;
  /** Never rejects for what the command does; throws `target.*` only when nothing could be run at all. */
  run(request: RunRequest, io: RunIo): Promise<RunOutcome>;
  /** What a command printed between two offsets. Throws `target.output` when that is not kept any more. */
  readOutput(id: string, range: { readonly offset: number; readonly limit: number }, signal: AbortSignal): Promise<OutputPiece>;
  /** A piece of a regular file. Throws `target.file`. */
  readFile(path: string, range: FileRange, signal: AbortSignal): Promise<FilePiece>;
  /**
   * Runs a program that changes nothing, with no pane and no terminal; its whole group is ended when `signal` fires. Its folder is not
   * defined. Throws `target.lost`, `target.look` when it cannot be started, or an AbortError.
   */
  look(request: LookRequest, signal: AbortSignal): Promise<Looked>;
  /** Where a file written to `path` really lands: every symbolic link there followed. Throws `target.file`. */
  realPath(path: string, signal: AbortSignal): Promise<string>;
  /** Replaces the file whole or not at all, keeping its mode; makes missing folders. Throws `target.file`. */
  writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /**
   * Ends what this program made and lets go; resolves when nothing of it is left. `keep` leaves the terminal and what runs in it to
   * the next run instead, where there is one to be left: true when it was.
   */
  close(how?: TargetEnd): Promise<boolean>;
}
