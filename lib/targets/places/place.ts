/** The door to a place where commands run: this host, another one over ssh, or a container. Targets know nothing else of it. */

import type { Event } from '../../base/emitter.js';
import type { Child } from '../../base/process.js';
import type { TargetSummary } from '../../protocol/panes.js';
import type { FilePiece, FileRange, Looked, LookRequest } from '../target.js';
import type { AskOnTerminal } from './carrier.js';

/** A tmux found there. */
export interface FoundTmux {
  /** A path, or a name that is found in PATH. */
  readonly program: string;
  /** As `tmux -V` tells it, without the word tmux. */
  readonly version: string;
  /** New enough (3.2, for `pause-after`). */
  readonly ok: boolean;
}

/** What is known of a place once it is connected. */
export interface PlaceFacts {
  readonly host: string;
  readonly user: string;
  readonly home: string;
  /** The folder where commands begin. */
  readonly cwd: string;
  /** Shells of the user, the most wanted first. */
  readonly shells: readonly string[];
  /** `Linux`, `Darwin` …, as uname says. */
  readonly system: string;
  /** Null when there is none, or nobody has looked. */
  readonly tmux: FoundTmux | null;
}

/** What a short program printed there. */
export interface PlaceOutput {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Whether a place can be reached. */
export type PlaceState =
  /** `silent`: nothing has come from there for some seconds, and nobody knows yet whether anything will. */
  | { readonly kind: 'connected'; readonly silent: boolean }
  /** `reason` in words; it is tried again at `retryAtMs` (clock.now()). `needsLogin`: only a person can connect again, with `reconnect`. */
  | { readonly kind: 'lost'; readonly reason: string; readonly retryAtMs: number; readonly needsLogin: boolean };

export interface Place {
  readonly kind: TargetSummary['kind'];
  /** As in a sentence: `this host`, `web-01`, `the container db`. */
  readonly name: string;
  /** For the header; says so when the connection is lost. */
  readonly label: string;
  /** Blank before `connect`. */
  readonly facts: PlaceFacts;
  /** Environment that commands get on top of what the place gives them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Seconds that a session there outlives its last client. */
  readonly graceS: number;
  /** Writes a whole 0600 file at once, where that is faster than through tmux; null elsewhere. Throws the system's error. */
  readonly writeNow: ((path: string, text: string) => void) | null;
  readonly state: PlaceState;
  /** Told when the place falls silent or speaks again, when it is lost, at each further attempt, and when it is back. One that cannot be lost never tells. */
  readonly onState: Event<PlaceState>;
  /**
   * Connects and learns the facts; questions are asked through `ask`, and without it nothing is asked. Throws `target.connect` with what the
   * user can do, `target.login` when a person has to answer.
   */
  connect(signal: AbortSignal, ask?: AskOnTerminal | null): Promise<void>;
  /** Tries again now when the connection is lost, unless a person is needed; true when it stands within `withinMs`. Throws only when cancelled. */
  reach(withinMs: number, signal: AbortSignal): Promise<boolean>;
  /** A person connects again and answers questions; nothing when it stands and answers. Throws as `connect`. */
  reconnect(ask: AskOnTerminal): Promise<void>;
  /** Starts a program there with three pipes, in a group of its own here. */
  start(argv: readonly string[], cwd?: string): Child;
  /** Runs a short program there, `input` on its stdin. Throws `target.lost`, or an AbortError. */
  run(argv: readonly string[], signal: AbortSignal, input?: Uint8Array): Promise<PlaceOutput>;
  /** Makes a 0700 folder of this program. Throws `target.file`. */
  makeFolder(signal: AbortSignal): Promise<string>;
  /** Makes a 0700 folder inside of such a folder. Throws `target.file`. */
  makeInner(folder: string, signal: AbortSignal): Promise<void>;
  /** Removes such a folder, or one inside of it. Never rejects. */
  removeFolder(folder: string): Promise<void>;
  /** Writes a small file in such a folder, 0600 from the first byte. */
  writePrivate(path: string, text: string): Promise<void>;
  /** The text of a small file, null when there is none or it cannot be read. Never rejects. */
  readText(path: string): Promise<string | null>;
  /** `path` absolute. Regular files only. Throws `target.file`. */
  readFile(path: string, range: FileRange, signal: AbortSignal): Promise<FilePiece>;
  /** As `ExecutionTarget.look`. */
  look(request: LookRequest, signal: AbortSignal): Promise<Looked>;
  /**
   * Where a file that is written to `path` (absolute) really lands there: every symbolic link followed, missing folders as they stand.
   * Throws `target.file`.
   */
  realPath(path: string, signal: AbortSignal): Promise<string>;
  /** `path` absolute. Whole or not at all, mode kept, missing folders made. Throws `target.file`. */
  writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Signals a process group there; groups below 2 are refused. Never rejects. */
  signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** What a person types to run `argv` there on a terminal. */
  attachLine(argv: readonly string[]): string;
  /** Lets go of the connection. Never rejects. */
  close(): Promise<void>;
}

/** Reads what `tmux -V` printed. */
export function foundTmux(program: string, printed: string): FoundTmux | null {
  const version = printed.trim().replace(/^tmux\s+/, '');
  if (version === '') return null;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return { program, version, ok: version === 'master' || Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 2) };
}

/** How long a command waits for a connection that was lost. */
export const RECONNECT_MS = 10_000;

/** Why nothing can be run there at the moment. */
export function awayWords({ name, state }: Place): string {
  const why = state.kind === 'lost' ? ` (${state.reason})` : '';
  const what = state.kind === 'lost' && state.needsLogin ? 'needs a person to log in again (/reconnect)' : 'is tried again and again';
  return `the connection to ${name} is lost${why} and ${what}; nothing was run, there or anywhere else`;
}

/** For the user, when nobody but the user can connect again; else null. */
export function loginNotice({ name, state }: Place): string | null {
  if (state.kind !== 'lost' || !state.needsLogin) return null;
  return `${name} asks for a login (${state.reason}). /reconnect leaves the screen for its questions.`;
}

/** Resolves when the place is connected, at once when it is, or when `signal` fires. It hurries nothing. */
export function whenConnected(place: Place, signal: AbortSignal): Promise<void> {
  if (place.state.kind === 'connected' || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      listening.dispose();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const listening = place.onState((state) => {
      if (state.kind === 'connected') finish();
    });
    signal.addEventListener('abort', finish, { once: true });
  });
}
