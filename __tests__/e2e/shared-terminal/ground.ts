/** Where a matrix runs: a ground opens targets with a shell and start-up files of the test's choice. */

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OpenTarget } from '../../targets/local-target.js';

/** Columns of the matrix. */
export const shellNames = ['bash', 'zsh', 'fish', 'dash', 'ash'] as const;
export type ShellName = (typeof shellNames)[number];

/** The program that is asked for, by column. */
export const shellPrograms: Readonly<Record<ShellName, string>> = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  dash: 'dash',
  ash: 'busybox',
};

/** Start-up files by their name in the home folder. */
export type StartFiles = Readonly<Record<string, string>>;

/** Everything a scenario may touch, the same on every ground. */
export interface GroundTarget extends Pick<OpenTarget, 'target' | 'events' | 'run'> {
  /** Starts a command as a user who is nobody special and whose password, like root's, is `password`. */
  readonly asTester: string;
}

export interface Ground {
  readonly name: string;
  /** A started target of 100 × 30 cells in a home folder that holds `files`. Files make it the ground's last one for now: it is closed first. */
  open(shell: ShellName, files: StartFiles): Promise<GroundTarget>;
  /** Ends a target of `open`; its start-up files are gone. */
  end(target: GroundTarget): Promise<void>;
  /** Ends everything that was opened; nothing of it is left. */
  close(): Promise<void>;
}

/** Writes start-up files into a home folder. */
export function putFiles(home: string, files: StartFiles): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}

/** A login (over ssh) reads ~/.bashrc only by way of this file, as Debian's /etc/skel has it. */
const PROFILE = 'if [ -n "$BASH_VERSION" ] && [ -r ~/.bashrc ]; then . ~/.bashrc; fi\n';

/** A home folder as `TargetTests.newHome` makes it: fish finds the folder for what it read from manual pages. */
export function emptyHome(home: string): void {
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true, force: true, maxRetries: 10 });
  mkdirSync(join(home, '.local/share/fish/generated_completions'), { recursive: true });
  writeFileSync(join(home, '.profile'), PROFILE);
}
