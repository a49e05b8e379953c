/** `/trust`: what the working folder would change here, and whether it may. */

import { outcome, type SlashCommand } from './command.js';

/** Looks at the folder; what is found comes with the question. */
export const trustCommand: SlashCommand = {
  name: 'trust',
  aliases: [],
  args: '',
  says: 'what the files of this folder would change, and whether they may',
  whileBusy: true,
  run: () => outcome({ effects: [{ type: 'trust', answer: 'look' }] }),
};
