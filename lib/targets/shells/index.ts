/** The table of shells: one line each. */

import { basename } from 'node:path';
import { bash } from './bash.js';
import { posix } from './posix.js';
import type { Shell } from './shell.js';

const shells: readonly Shell[] = [bash, posix];

/** A shell to start: how it is spoken to, and the program. */
export interface ShellChoice {
  readonly shell: Shell;
  readonly program: string;
}

/** The first of `wanted` (programs) that a row of the table serves; else plain `sh`. */
export function chooseShell(wanted: readonly (string | undefined)[]): ShellChoice {
  for (const program of wanted) {
    if (program === undefined || program === '') continue;
    const shell = shells.find((row) => row.serves(basename(program)));
    if (shell !== undefined) return { shell, program };
  }
  return { shell: posix, program: 'sh' };
}
