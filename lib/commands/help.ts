/** `/help`: keys and commands. */

import { outcome, type SlashCommand } from './command.js';

/** Opens help. */
export const helpCommand: SlashCommand = {
  name: 'help',
  aliases: [],
  args: '',
  says: 'keys and commands',
  whileBusy: true,
  run: () => outcome({ actions: [{ type: 'help', open: true }] }),
};
