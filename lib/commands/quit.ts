/** `/quit`: leaves. */

import { outcome, type SlashCommand } from './command.js';

/** Leaves the program. */
export const quitCommand: SlashCommand = {
  name: 'quit',
  aliases: ['exit', 'q'],
  args: '',
  says: 'leave',
  whileBusy: true,
  run: () => outcome({ effects: [{ type: 'quit' }] }),
};
