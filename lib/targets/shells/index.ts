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
  /** It reads what a shell reads when somebody logs in: that is where the PATH of another host is made. */
  readonly login: boolean;
}

/** What is asked of a shell. */
export interface ShellTraits {
  readonly posix?: true;
  readonly login?: boolean;
}

/** Programs that are shells, also those that we cannot speak to. */
const shellNames: readonly string[] = [
  'bash',
  'zsh',
  'fish',
  'dash',
  'ash',
  'sh',
  'ksh',
  'mksh',
  'yash',
  'csh',
  'tcsh',
  'nu',
  'elvish',
  'xonsh',
  'pwsh',
];

/** True for the file name of a shell. */
export function isShell(program: string): boolean {
  return shellNames.includes(program.replace(/^-/, ''));
}

/** The first of `wanted` (programs) that a row of the table with all of `traits` serves; else plain `sh`. */
export function chooseShell(wanted: readonly (string | undefined)[], traits: ShellTraits = {}): ShellChoice {
  const login = traits.login ?? false;
  for (const program of wanted) {
    if (program === undefined || program === '') continue;
    const shell = shells.find((row) => row.serves(basename(program)) && (traits.posix === undefined || row.posix));
    if (shell !== undefined) return { shell, program, login };
  }
  return { shell: posix, program: 'sh', login };
}

/** True when a row of the table with all of `traits` serves this program. */
export function isServed(program: string, traits: ShellTraits = {}): boolean {
  return chooseShell([program], traits).program === program;
}
