/** What the managed pane must know of a shell. */

export interface Shell {
  readonly name: string;
  /** True when it marks the start of commands that people type. */
  readonly marksStart: boolean;
  /** True when it can work with a program of this file name. */
  serves(program: string): boolean;
  /** Start-up file that sources the user's own and installs the marks with this nonce. */
  bootstrap(nonce: string): string;
  /** Command line for tmux that starts `program` (a path) with the start-up file `file`. */
  commandLine(program: string, file: string): string;
}
