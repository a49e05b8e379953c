/** The table of shells: one line each. */

import { basename } from 'node:path';
import { bash } from './bash.js';
import { fish } from './fish.js';
import { posix } from './posix.js';
import type { Shell } from './shell.js';
import { zsh } from './zsh.js';

const shells: readonly Shell[] = [bash, zsh, fish, posix];

/** A shell to start: how it is spoken to, and the program. */
export interface ShellChoice {
  readonly shell: Shell;
  readonly program: string;
}

/** The first of `wanted` (programs) that a row of the table with all of `traits` serves; else plain `sh`. */
export function chooseShell(wanted: readonly (string | undefined)[], traits: { readonly posix?: true } = {}): ShellChoice {
  for (const program of wanted) {
    if (program === undefined || program === '') continue;
    const shell = shells.find((row) => row.serves(basename(program)) && (traits.posix === undefined || row.posix));
    if (shell !== undefined) return { shell, program };
  }
  return { shell: posix, program: 'sh' };
}
