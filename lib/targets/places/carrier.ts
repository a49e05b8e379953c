/** The door between a remote place and the program that leads there: ssh, docker, podman. */

/** A program of this host and its arguments. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
}

/** Why a connection failed or broke, in words. */
export interface Trouble {
  readonly reason: string;
  readonly hint?: string;
  /** Only a person can mend it, by answering what the program asks. */
  readonly needsLogin?: boolean;
}

/**
 * Gives the terminal to a program that asks a person; `why` it has to be, in words. Resolves with its exit code, null after a signal, and
 * the terminal as it was before. When `signal` fires the program is ended.
 */
export type AskOnTerminal = (program: Launch, why: string, signal: AbortSignal) => Promise<number | null>;

/** What differs between the ways to get there. */
export interface Carrier {
  readonly kind: 'ssh' | 'container';
  /** As in a sentence: `web-01`, `the container db`. */
  readonly name: string;
  /** For the header: `web-01 (ssh)`. */
  readonly label: string;
  /** Before each attempt to connect. Throws `target.connect` when it is known already that there is no use in trying. */
  prepare(signal: AbortSignal): Promise<void>;
  /** How `script` is run there by a POSIX sh, with three pipes. The one connection that is held is the `anchor`. It never asks anything. */
  launch(script: string, role: 'anchor' | 'use'): Launch;
  /** A program that asks a person on the terminal and leaves a connection behind, which `launch` uses until the next `prepare`; null where nothing is ever asked. */
  readonly login: (() => Launch) | null;
  /** `said` is what the program complained, or printed when it did not complain. */
  explain(said: string, code: number | null): Promise<Trouble>;
  attachLine(argv: readonly string[]): string;
  /** Lets go of everything that `prepare` and `login` made. Never rejects. */
  release(): Promise<void>;
}
