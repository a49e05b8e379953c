/** The private folder of a managed shell, filled before it starts. */

import type { ShellChoice } from './index.js';

/** Writes a whole file, 0600 from the first byte, wherever the shell is to run. */
export type WritePrivateFile = (path: string, text: string) => Promise<void>;

/** Writes the start-up file and the files that tmux will write into; answers the command line that starts the shell. */
export async function prepareShell(folder: string, choice: ShellChoice, nonce: string, write: WritePrivateFile): Promise<string> {
  const file = `${folder}/rc`;
  await write(file, choice.shell.bootstrap(nonce));
  // They must be private from the first byte.
  for (const name of ['s', 'status']) await write(`${folder}/${name}`, '');
  return choice.shell.commandLine(choice.program, file);
}
