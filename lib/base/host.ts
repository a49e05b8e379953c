/** The process as a value: `bin/` and `main.ts` make it, everybody else is handed one. */

import type { ReadStream, WriteStream } from 'node:tty';
import type { Clock } from './clock.js';
import type { StartTiming } from './start-timing.js';

/** What the program may know of and do to the process it runs in. */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homeDir: string;
  readonly pid: number;
  readonly platform: string;
  readonly user: string;
  readonly hostname: string;
  /** Absolute folder that holds `package.json`, `templates/`, `themes/`. */
  readonly packageDir: string;
  readonly version: string;
  /** The program that runs this one: Node, absolute. */
  readonly execPath: string;
  /** Of Node, as `v20.18.1`. */
  readonly nodeVersion: string;
  /** Numeric id of the user; null where there is none. */
  readonly uid: number | null;
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
  readonly clock: Clock;
  /** There when the start is to be timed. */
  readonly timing?: StartTiming;
  /** Calls `run` at each delivery of a signal or process event (`SIGTERM`, `SIGWINCH`, `uncaughtException`); answers how to stop. */
  on(name: string, run: (...args: unknown[]) => void): () => void;
  /**
   * From now on `run` is handed, as text, what Node warns of and what libraries print with `console`, and the terminal is not: until what is
   * answered is called.
   */
  onStray(run: (text: string) => void): () => void;
  /** From now on what is reported of a fault or an error passes through `redact`: the secrets of this run are known. */
  maskReports?(redact: (text: string) => string): void;
  /** What may be shown of a fault or an error. */
  masked?(text: string): string;
  /** From now on what is reported of a bug names this file: the run is written down there. */
  recordIn?(path: string): void;
  /** That file; null: there is none. */
  recordedIn?(): string | null;
  /** Sends a signal to this very process (for suspend). */
  signalSelf(signal: string): void;
  exit(code: number): never;
}
