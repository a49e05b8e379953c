/** Our command line as shells complete it: what a script is made from. */

import type { FlagRow } from '../cli-options.js';

/** A flag as shells write it. */
export interface CompletedFlag {
  /** `--config`, `-c`. */
  readonly spellings: readonly string[];
  readonly says: string;
  /** Null: it takes no value. */
  readonly value: { readonly name: string; readonly completes: FlagRow['completes'] | 'nothing' } | null;
  /** Subcommands that it belongs to; empty: all of them. */
  readonly only: readonly string[];
}

/** A subcommand. */
export interface CompletedCommand {
  readonly name: string;
  readonly says: string;
  readonly words: readonly string[];
  /** A file may follow it. */
  readonly file: boolean;
}

/** All that a script is made from. */
export interface CompletedLine {
  /** The names that the program is started by. */
  readonly programs: readonly string[];
  readonly flags: readonly CompletedFlag[];
  readonly commands: readonly CompletedCommand[];
  /** Where names come from: a shell command for each kind, which prints one on a line. */
  readonly sources: Readonly<Record<'profile' | 'host' | 'container' | 'session', string>>;
}
