/** `/compact`: a summary takes the place of the older part of the conversation. */

import { type SlashCommand, sends } from './command.js';

/** Asks for it; the runtime says when there is nothing to compact. */
export const compactCommand: SlashCommand = {
  name: 'compact',
  aliases: [],
  args: '[what to keep]',
  says: 'summarise what came before, to make room',
  whileBusy: false,
  run: (args) => sends({ type: 'session.compact', wishes: args }),
};
