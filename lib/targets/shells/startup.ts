/** The private folder of a managed shell, filled before it starts. */

import { writeFile } from '../../base/files.js';
import type { ShellChoice } from './index.js';

/** Writes the start-up file and the files that tmux will write into; answers the command line that starts the shell. */
export async function prepareShell(folder: string, choice: ShellChoice, nonce: string): Promise<string> {
  const file = `${folder}/rc`;
  await writeFile(file, choice.shell.bootstrap(nonce), { mode: 0o600 });
  // They must be private from the first byte.
  for (const name of ['s', 'status']) await writeFile(`${folder}/${name}`, '', { mode: 0o600 });
  return choice.shell.commandLine(choice.program, file);
}
