/** Where a matrix runs: a ground opens targets with a shell and start-up files of the test's choice. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newHome, type OpenTarget, TargetTests } from '../../targets/local-target.js';

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

/** Everything a scenario may touch, the same on every ground. */
export type GroundTarget = Pick<OpenTarget, 'target' | 'events' | 'run'>;

export interface Ground {
  readonly name: string;
  /** A started target of 100 × 30 cells with a home folder of its own that holds `files`. */
  open(shell: ShellName, files: Readonly<Record<string, string>>): Promise<GroundTarget>;
  /** Ends what was opened; nothing of it is left. */
  close(): Promise<void>;
}

/** This host. */
export function localGround(): Ground {
  const tests = new TargetTests();
  return {
    name: 'local',
    open(shell, files) {
      const home = newHome();
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(home, name)), { recursive: true });
        writeFileSync(join(home, name), text);
      }
      return tests.start({ shell: shellPrograms[shell], home });
    },
    close: () => tests.closeAll(),
  };
}
