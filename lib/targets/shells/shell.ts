/** What the managed pane must know of a shell. */

import type { ScriptRequest } from './script.js';

/** A file of the shell's private folder. */
export interface StartFile {
  readonly name: string;
  readonly text: string;
}

export interface Shell {
  readonly name: string;
  /** True when it marks the start of commands that people type. */
  readonly marksStart: boolean;
  /** True when it takes POSIX shell scripts. */
  readonly posix: boolean;
  /** True when it can work with a program of this file name. */
  serves(program: string): boolean;
  /** Start-up files in the private folder `folder` that source the user's own, for a login or not, and install the marks with this nonce. */
  startFiles(nonce: string, folder: string, login: boolean): readonly StartFile[];
  /** Command line for `/bin/sh` that starts `program` (a path) with those files. */
  commandLine(program: string, folder: string, login: boolean): string;
  /** The line that is typed for a command: it reads the script file `s` of the folder and runs it at top level, `$?` kept. */
  typedLine(folder: string): string;
  /** What the Enter key sends after it: a shell without a line editor reads only LF when the terminal was left raw. */
  readonly enter: '\r' | '\n';
  /** The text of that file for one command. */
  script(request: ScriptRequest): string;
}
