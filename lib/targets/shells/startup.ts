/** The private folder of a managed shell, filled before it starts. */

import type { ShellChoice } from './index.js';

/** Writes a whole file, 0600 from the first byte, wherever the shell is to run. */
export type WritePrivateFile = (path: string, text: string) => Promise<void>;

/**
 * Writes the start-up files and the files that commands will go through; answers the command line for `/bin/sh` that starts the
 * shell.
 */
export async function prepareShell(folder: string, choice: ShellChoice, nonce: string, write: WritePrivateFile): Promise<string> {
  const files = [...choice.shell.startFiles(nonce, folder, choice.login), { name: 's', text: '' }, { name: 'status', text: '' }];
  // At the same time: elsewhere each takes a round trip.
  await Promise.all(files.map(({ name, text }) => write(`${folder}/${name}`, text)));
  return choice.shell.commandLine(choice.program, folder, choice.login);
}
